/* SPDX-License-Identifier: MIT */
/*
 * again.h - outer frames of a thread's last walk that are there again.
 *
 * Two samples of a thread have most callers in common. What a frame's callers
 * are depends on its registers and on the words that each step up reads: where
 * these are as they were, so are those. To go up by rules is to wait for each
 * word before it is known where the next one is; to compare words with what
 * they were waits for none of them. So all steps of the last walk are checked
 * from the outermost down, and a walk that comes to a frame above the first
 * that is different has the rest:
 *
 *	last walk	a    b    c    d    main    _start
 *	its words	not  not  =    =    =
 *	this walk	x    y	  joins: c, d, main, _start
 *
 * Which thread it is its stack's address says, roughly: where that is wrong
 * the words are not as they were, or the frames are the same.
 */
#ifndef SAMPLER_UNWIND_AGAIN_H
#define SAMPLER_UNWIND_AGAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/unwind/step.h"

#define AGAIN_FRAMES 128	/* kept of a walk, the outermost */
#define AGAIN_THREADS 32

/* A caller, by a plain rule, with all that its step depends on. */
struct again_frame {
	uint64_t pc;		/* inside of the call */
	uint64_t rsp, rbp;
	uint64_t slot;		/* where its caller's rbp is, in words below
				   that caller's rsp; 1, where the return
				   address is: not saved */
};

/* The frames of last walks, outermost first. Zero is none. */
struct again {
	size_t counts[AGAIN_THREADS];
	struct again_frame frames[AGAIN_THREADS][AGAIN_FRAMES];
};

/* Where a walk may join the last one. */
struct again_join {
	struct again_frame *frames;
	size_t *kept;
	size_t count;		/* frames that are there again */
	uint64_t rsp;		/* of the innermost of them; or UINT64_MAX */
};

/* Forget all. */
void again_forget(struct again *again);

/* What of the last walk's frames WALK's memory has again. */
struct again_join again_check(struct again *again, const struct walk *walk);

/*
 * A walk is at a caller with PC, RSP and RBP, and RSP is not below JOIN's. Is
 * it the innermost of JOIN's frames? If not, JOIN is what is left above it.
 */
bool again_is_joined(struct again_join *join, uint64_t pc, uint64_t rsp,
		     uint64_t rbp);

/*
 * Keep the frames of JOIN and, below them, this walk's from number FROM to
 * before TO, of which FRESH has number N at N % AGAIN_FRAMES. The last one is
 * the thread's first if JOIN has no frames.
 */
void again_keep(struct again_join *join, const struct again_frame *fresh,
		size_t from, size_t to);

#endif
