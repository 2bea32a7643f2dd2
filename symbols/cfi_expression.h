/* SPDX-License-Identifier: MIT */
/*
 * cfi_expression.h - DWARF expressions of unwind rules as bounded programs.
 *
 * The walk executes programs of core/rows.h and never sees DWARF. What these
 * cannot say is not compiled: jumps, calls, division, addresses of the file
 * (which moves), registers that are not kept, more than ROWS_OPS_MAX
 * operations, a stack that runs empty.
 */
#ifndef SYMBOLS_CFI_EXPRESSION_H
#define SYMBOLS_CFI_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/rows.h"

/*
 * Compile LEN bytes of an expression (DWARF 5, 2.5.1) into OPS, *NOPS of
 * them. HAS_CFA: the CFA is on the stack when it begins, as for the rule of a
 * register. False, and OPS are void: it cannot be said.
 */
bool cfi_compile(const uint8_t *bytes, size_t len, bool has_cfa,
		 struct op ops[ROWS_OPS_MAX], size_t *nops);

#endif
