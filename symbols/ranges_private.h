/* SPDX-License-Identifier: MIT */
/*
 * ranges_private.h - the table that ranges.c is asked for and
 * ranges_settle.c makes.
 */
#ifndef SYMBOLS_RANGES_PRIVATE_H
#define SYMBOLS_RANGES_PRIVATE_H

#include "symbols/ranges.h"

/* In the size of a piece. */
#define RANGES_SIZE_MASK 0x7fffffffu
#define RANGES_IS_TAIL 0x80000000u

/*
 * NAME is an offset in the text, unless SIZE has RANGES_IS_TAIL set: then the
 * piece is not the beginning of its range, and NAME is an index of tails.
 */
struct piece {
	uint64_t at;
	uint32_t size;
	uint32_t name;
};

static inline uint32_t
piece_size(const struct piece *piece)
{
	return piece->size & RANGES_SIZE_MASK;
}

struct tail {
	uint64_t start;		/* of the whole range */
	uint32_t name;
};

/* A range while it is settled. */
struct item {
	uint64_t at, end;
	uint64_t start;		/* differs from AT for an old tail */
	uint32_t name;
	uint32_t order;		/* the higher wins; 0 for what was settled */
};

struct ranges {
	struct piece *pieces;
	size_t npieces, pieces_cap;
	struct tail *tails;
	size_t ntails, tails_cap;
	/*
	 * By the upper bits of the address: how many pieces begin below. As
	 * many as there are pieces, so that what is left to search is a few.
	 */
	uint32_t *below;	/* NBUCKETS + 1; NULL without pieces */
	size_t nbuckets;
	unsigned shift;
	struct item *added;
	size_t nadded, added_cap;
	char *text;
	size_t text_len, text_cap;
};

/* The range that PIECE belongs to, as far as PIECE goes. */
struct item ranges_item(const struct ranges *ranges,
			const struct piece *piece);

#endif
