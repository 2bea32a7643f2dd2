/* SPDX-License-Identifier: MIT */
/*
 * unwind.h - registers + memory + modules -> frames + why it ended.
 *
 * Pure: no system call but what MEMORY does, no state but caches. The engine
 * behind it may change; this interface is what samplers and tests know.
 *
 * Per address, and the first that has an answer:
 *
 *	the rule of the module's table		(core/rows.h)
 *	what the code from there to its ret does to the stack
 *	the frame pointer
 *	the nearest word of the stack that a call has left
 *
 * The table may say that frame pointers are usual in this code; in other code
 * that has no rule the last two are guesses, and the walk says so. Whatever
 * no rule says is taken only if it is the address behind a call.
 */
#ifndef SAMPLER_UNWIND_UNWIND_H
#define SAMPLER_UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/maps.h"
#include "core/memory.h"
#include "core/rows.h"
#include "core/sample.h"

enum unwind_mode {
	UNWIND_AUTO,
	UNWIND_FP,		/* frame pointers only, but for the leaf */
	UNWIND_CFI,		/* rules of tables only */
	UNWIND_LIBUNWIND,	/* rules as that library reads them from the
				   target's memory, in place of tables */
};

enum rows_state {
	ROWS_HERE,
	ROWS_ASKED,		/* they will come, or it will become known
				   that there are none */
	ROWS_MISSING,		/* this code has no table, nor will have */
};

/* Where tables of rules come from (core/rows.h). */
struct row_source {
	/*
	 * The table for OFFSET of MAPPING's file, compact or IS_FULL. *OUT
	 * borrows its image as long as the source is there. Asked once for
	 * what it does not have, it goes and gets it.
	 */
	enum rows_state (*find)(void *ctx, const struct mapping *mapping,
				uint64_t offset, bool is_full,
				struct rows *out);
	void *ctx;
};

struct unwinder;

/*
 * One for each address space; it caches by address. SOURCE is borrowed; NULL
 * where there is none: then libunwind serves in its place.
 */
struct unwinder *unwind_new(enum unwind_mode mode,
			    const struct row_source *source);
void unwind_free(struct unwinder *unwinder);

/*
 * Look up each rule in its table, keeping none; or keep them again, as at
 * first. The frames are the same; for tests and benchmarks.
 */
void unwind_use_cache(struct unwinder *unwinder, bool is_used);

/*
 * Walk from REGS. Writes at most MAX program counters, leaf first: the leaf's
 * as it is, callers' as return addresses minus one (except below a signal
 * frame). Returns how many frames it saw; *END says why it stopped. A short
 * stack is still a stack: the caller keeps what it got and counts the reason.
 *
 * More frames than MAX end as UNWIND_DEEP: of PCS the first
 * unwind_leaf_part(MAX) are then the leaf's, the rest the outermost ones. The
 * walk gives up at unwind_limit(MAX) frames.
 *
 * With MAY_WAIT a walk that needs a table which is ROWS_ASKED ends as
 * UNWIND_WAITS: to be walked again when it is here. Without, such code goes
 * by frame pointers, as a guess.
 *
 * SPS, unless it is NULL, gets each frame's stack pointer, which is its
 * callee's CFA: where the frame's return address was found, most often right
 * below it, and what two stacks of a thread have in common.
 */
size_t unwind_stack(struct unwinder *unwinder, const struct maps *maps,
		    const struct regs *regs, const struct memory *memory,
		    bool may_wait, uint64_t *pcs, uint64_t *sps, size_t max,
		    enum unwind_end *end);

/* Is ADDR an address that a call instruction returns to? */
bool unwind_is_after_call(const struct maps *maps, const struct memory *memory,
			  uint64_t addr);

size_t unwind_leaf_part(size_t max);
size_t unwind_limit(size_t max);

#endif
