/* SPDX-License-Identifier: MIT */
/*
 * blocks.h - how the counts of functions went over time.
 *
 * A program has phases: what was sampled in one of them is alike, so that a
 * thousand samples tell less than a thousand draws would. How much less is
 * seen from counts by blocks of time, and only from them (core/inflation.h).
 * They are made from a profile's slots and stand in the header of a file,
 * where counts have no times:
 *
 *	block.seconds=2
 *	block.samples=198,197,,99	of all; nothing is zero
 *	block.000=198,197,,99;;main	total; self; name
 *	block.001=60,58,,31;=;hash	self is the same as total
 */
#ifndef CORE_BLOCKS_H
#define CORE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/names.h"
#include "core/profile.h"

/* Keys of a profile that begin so are these. */
#define BLOCKS_PREFIX "block."

#define BLOCKS_MAX 128		/* blocks; longer ones take their place */
#define BLOCK_ROWS_MAX 400	/* functions, those with the most weight */
#define BLOCK_SHARE 0.002	/* and no less than this of all */
#define BLOCK_WEIGHT 5		/* nor than this */

/* Weight of one function in each block; recursion counts once. */
struct block_row {
	char *name;
	uint64_t *total, *self;
};

struct blocks {
	unsigned seconds;	/* a power of two */
	size_t count;
	uint64_t *samples;	/* weight of all in each */
	struct block_row *rows;	/* the most weight first */
	size_t nrows;
};

/*
 * The blocks of PROFILE's weight of KIND: a second, or so much longer that
 * BLOCKS_MAX are enough. NULL when it has no times, or fewer than two blocks.
 * The caller frees.
 */
struct blocks *blocks_of(const struct profile *profile, struct names *names,
			 enum kind kind);

/* The same of the slots that touch [FROM_NS, TO_NS). */
struct blocks *blocks_between(const struct profile *profile,
			      struct names *names, enum kind kind,
			      uint64_t from_ns, uint64_t to_ns);

/* The same from the keys of a profile that was read; NULL: it has none. */
struct blocks *blocks_read(const struct profile *profile);

void blocks_free(struct blocks *blocks);

/* Hand every key to FN; both texts are borrowed for the call. */
typedef void (*key_fn)(void *ctx, const char *key, const char *value);
void blocks_each_key(const struct blocks *blocks, key_fn fn, void *ctx);

/* Empty ones, with room for NROWS rows; names are NULL. */
struct blocks *blocks_new(unsigned seconds, size_t count, size_t nrows);

#endif
