/* SPDX-License-Identifier: MIT */
/*
 * compare_private.h - what the parts of a comparison share.
 */
#ifndef CORE_COMPARE_PRIVATE_H
#define CORE_COMPARE_PRIVATE_H

#include "core/blocks.h"
#include "core/compare.h"
#include "core/inflation.h"
#include "core/stack_funcs.h"
#include "core/strings.h"

/* Blocks of one profile, and which function each row is. */
struct keyed_blocks {
	struct blocks *blocks;
	string_id *keys;
};

struct compare_side {
	struct compared_side facts;
	uint64_t *self;		/* by node */
	size_t nself;
	bool lacks_blocks, lacks_rate, lacks_seconds; /* some profile of it */
	double cpu_seconds;	/* samples / rate, summed */
	struct keyed_blocks *keyed;	/* one for each profile */
	size_t nkeyed, keyed_capacity;

	struct inflation inflation;
	uint32_t *block_row;	/* by key: its row there; COMPARED_NONE */
};

struct comparison {
	struct compare_rules rules;
	struct strings *texts;	/* plain names; an id is a function's key */
	struct calltree *tree;	/* of keys, both sides; no weights */
	struct compare_side sides[SIDES];

	struct compared *rows;	/* by key; 0 is nobody */
	size_t nrows;
	struct compared_whole whole;
};

/* Blocks of all profiles of SIDE together, to its inflation. */
void compare_sum_blocks(struct comparison *comparison, enum side side);

/* Rows with their counts and places (compare_rows.c). */
void compare_make_rows(struct comparison *comparison);

/* Fold lines into those that tell their change (compare_blame.c). */
void compare_blame(struct comparison *comparison);

/* Renamed functions, and a host that was busier (compare_guard.c). */
void compare_find_moved(struct comparison *comparison);
void compare_look_at_host(struct comparison *comparison);

/* Is NAME, of the kernel, where an interrupt begins? */
bool compare_is_interrupt(const char *name);

/* The two counts of ESTIMATE to all but verdict and needs. */
void compare_estimate(const struct comparison *comparison,
		      struct estimate *estimate);

#endif
