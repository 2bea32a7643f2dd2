/* SPDX-License-Identifier: MIT */
/*
 * go_rows.h - unwind rules of Go code.
 *
 * Go code has no .eh_frame. Its table says for each instruction how far rsp
 * is from the return address, which is all that a frame needs; where rbp is
 * kept is seen from the instruction that stores it. So leaves without a frame
 * and half-made frames are as exact as the rest, which frame pointers alone
 * are not: they skip the caller of such a leaf.
 *
 * A few functions of the runtime change stacks. The place they left is found
 * by programs over registers and the runtime's own records (go_switch.h);
 * where a goroutine or a thread of the runtime begins, the stack ends.
 */
#ifndef SYMBOLS_GO_ROWS_H
#define SYMBOLS_GO_ROWS_H

#include "symbols/elf.h"
#include "symbols/pclntab.h"
#include "symbols/rows_write.h"

struct go_rows;

/* Of the functions in TAB, whose code is in ELF; both are borrowed. */
struct go_rows *go_rows_new(const struct pclntab *tab, const struct elf *elf);
void go_rows_free(struct go_rows *rows);

/* Where Go code begins and ends, as virtual addresses. */
void go_rows_span(const struct go_rows *rows, uint64_t *start, uint64_t *end);

/*
 * Say to W, in its measure, the rules of all functions that touch [FROM, TO),
 * virtual addresses; where Go code ends, RULE_NONE.
 */
void go_rows_say(const struct go_rows *rows, uint64_t from, uint64_t to,
		 struct rows_writer *w);

#endif
