/* SPDX-License-Identifier: MIT */
/*
 * picture_private.h - what picture.c and picture_frames.c share.
 */
#ifndef CORE_PICTURE_PRIVATE_H
#define CORE_PICTURE_PRIVATE_H

#include "core/lookup.h"
#include "core/picture.h"

/* Where a stack ends in the tree; ROW is its thread's function. */
struct leaf {
	func_id row;
	stack_id stack;
	node_id node;
};

/* Functions are made when they are asked for. */
struct functions {
	struct function_row *rows;
	size_t count, capacity;
	bool is_stale;
};

struct picture {
	struct profile *profile;
	struct names *names;
	struct calltree *tree;
	struct filter filter;
	thread_id *threads;		/* what FILTER points to */
	bool *lets_through;		/* by thread; NTHREADS entries */
	size_t nthreads;
	struct leaf *leaves;
	size_t nleaves, leaves_capacity;
	struct lookup lookup;		/* of leaves */
	stack_id *path;			/* room for one walk up a stack */
	size_t path_capacity;
	string_id *row_names;		/* by thread: the name it was counted
					   under; 0: not yet */
	size_t nrows, rows_capacity;
	struct cell *noted;
	size_t nnoted, noted_capacity;
	uint64_t generation, moves;	/* of names, when last taken in */
	struct functions *functions;
};

/* The node that STACK below ROW ends in, if it was counted; or NODE_NONE. */
node_id picture_find_leaf(const struct picture *picture, func_id row,
			  stack_id stack);

/* Does the filter let CELL through? */
bool picture_passes(const struct picture *picture, const struct cell *cell);

/* Is what was inlined at FRAME shown below its function, and how much is? */
const struct frame_place *picture_inlined(const struct picture *picture,
				    frame_id frame, size_t *n);

#endif
