/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - what readers of text make of it: frames, stacks, counts.
 */
#ifndef FORMATS_STACKS_H
#define FORMATS_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/lookup.h"
#include "core/profile.h"
#include "formats/format.h"
#include "formats/lines.h"

/* The name of a stack without a frame, and of a frame without a name. */
#define STACKS_NO_STACK "[no stack]"
#define STACKS_NO_FRAME "[empty]"

/* A stack that has a count, and whose. */
struct counted {
	stack_id stack;
	thread_id thread;
};

/* Begins zeroed but for PROFILE and REPORT, which are borrowed. */
struct stacks {
	struct profile *profile;
	struct read_report *report;
	enum kind kind;		/* of all counts */

	frame_id *frames;	/* of the stack that is put together */
	size_t depth, capacity;

	struct counted *counted;
	size_t ncounted, counted_capacity;
	struct lookup seen;	/* of COUNTED */
};

void stacks_fini(struct stacks *stacks);

/*
 * The frame that is written NAME in folded stacks (formats/frame_name.h); an
 * empty name is a frame all the same.
 */
frame_id stacks_frame(struct stacks *stacks, struct slice name);

/* The thread of which nothing is known but its NAME. */
thread_id stacks_thread(struct stacks *stacks, struct slice name);

/* Add a frame to the stack in hand, in the order of the file. */
void stacks_add(struct stacks *stacks, frame_id frame);

/*
 * The stack in hand, whose frames came leaf first, or root first; without
 * frames it is the one called "[no stack]". Then it is empty again.
 */
stack_id stacks_leaf_first(struct stacks *stacks);
stack_id stacks_root_first(struct stacks *stacks);

/*
 * Add WEIGHT, which TIMES samples or lines had, to STACK of THREAD (0: none
 * is known). What was counted before counts as a duplicate in the report.
 */
void stacks_count(struct stacks *stacks, stack_id stack, thread_id thread,
		  uint64_t weight, uint64_t times);

/* Line NUMBER, and others that are the same, was not understood. */
void stacks_ignore(struct stacks *stacks, uint64_t number, uint64_t times);

#endif
