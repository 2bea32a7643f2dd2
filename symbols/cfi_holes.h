/* SPDX-License-Identifier: MIT */
/*
 * cfi_holes.h - code that has no unwind entry, or one that cannot be true.
 *
 * Assembly, musl, Go, the JIT of node and most of Chromium. What the bytes
 * prove is said: stubs of the PLT, the stub that ends a signal handler, and
 * that functions begin by keeping a frame pointer. Nothing else is invented:
 * the rest is RULE_NONE, and the walk knows that it guesses there.
 */
#ifndef SYMBOLS_CFI_HOLES_H
#define SYMBOLS_CFI_HOLES_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/elf.h"
#include "symbols/rows_write.h"

/* A hole up to here is padding: the rule before it goes on. */
#define CFI_PADDING 15

/* A hole of this length is more than a forgotten function. */
#define CFI_LONG_HOLE ((uint64_t)64 << 10)

/* Offsets of the file; those of rip are BIAS higher. */
struct cfi_hole {
	uint64_t from, to;
	uint64_t bias;
};

/*
 * Are there functions in HOLE that begin with push %rbp; mov %rsp,%rbp, or in
 * Go's way? A few pages of it are read: it is so if there is one in 4 KiB, as
 * compilers write where frame pointers are kept.
 */
bool cfi_keeps_fp(const struct elf *elf, const struct cfi_hole *hole);

/*
 * Say to W the rules of HOLE: DEFAULT_RULE, and at stubs what they are. Only
 * the part in [FROM, TO) is looked into.
 */
void cfi_fill_hole(const struct elf *elf, const struct cfi_hole *hole,
		   uint64_t from, uint64_t to, enum rule_kind default_rule,
		   struct rows_writer *w);

/*
 * A function in [FROM, TO) of the file whose entry says nothing but that its
 * return address is at rsp: where is that no longer true, because it has put
 * another stack in the place of its own (glibc's swapcontext)? TO: nowhere.
 */
uint64_t cfi_leaves_stack(const struct elf *elf, uint64_t from, uint64_t to);

#endif
