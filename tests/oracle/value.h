/* SPDX-License-Identifier: MIT */
/*
 * value.h - what a rule makes of a register, by us and by libdw.
 *
 * Both are computed on the same registers and on memory that has some content
 * at every address, so rules that are written differently can be compared.
 */
#ifndef TESTS_ORACLE_VALUE_H
#define TESTS_ORACLE_VALUE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/memory.h"
#include "core/rows.h"

struct value {
	enum { LOST, KEPT, IN_MEMORY, COMPUTED } how;
	uint64_t number;	/* address or value */
};

/* A number that has little to do with X, but is always the same. */
uint64_t value_mix(uint64_t x);

/* What COLUMN makes; CFA is NULL for that of the CFA itself. */
struct value value_of_ours(const struct regs *regs,
			   const struct column *column, const struct op *ops,
			   const uint64_t *cfa);

/* False: libdw cannot say, or what it says cannot be computed. */
bool value_of_libdw(const struct regs *regs, Dwarf_Frame *frame, int number,
		    uint64_t cfa, struct value *out);
bool cfa_of_libdw(const struct regs *regs, Dwarf_Frame *frame, uint64_t *cfa);

#endif
