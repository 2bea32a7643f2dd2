/* SPDX-License-Identifier: MIT */
/*
 * tally.c - how much of a picture a search has found.
 */
#include "tui/tally.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* The node after NODE below TOP, parents first; children only if INTO. */
static node_id
walk_on(const struct calltree *tree, node_id node, node_id top, bool into)
{
	node_id next = into ? calltree_first(tree, node) : NODE_NONE;

	while (next == NODE_NONE && node != top) {
		next = calltree_next(tree, node);
		node = calltree_parent(tree, node);
	}
	return next;
}

static bool
has_bit(const uint64_t *bits, size_t words, uint32_t i)
{
	return i / 64 < words && (bits[i / 64] >> (i & 63) & 1);
}

static uint64_t *
set_bit(uint64_t *bits, size_t *words, uint32_t i)
{
	size_t old = *words;

	if (i / 64 >= old) {
		*words = i / 64 + i / 128 + 16;
		bits = xreallocarray(bits, *words, sizeof(*bits));
		memset(bits + old, 0, (*words - old) * sizeof(*bits));
	}
	bits[i / 64] |= (uint64_t)1 << (i & 63);
	return bits;
}

static void
count_frame(struct tally *tally, func_id func)
{
	tally->frames++;
	if (has_bit(tally->seen, tally->seen_words, func))
		return;
	tally->functions++;
	tally->seen = set_bit(tally->seen, &tally->seen_words, func);
}

/* NODE has a weight; IS_INSIDE: it is a hit, or below one. */
static void
count_node(struct tally *tally, const struct search *search,
	   const struct calltree *tree, node_id node, bool is_inside)
{
	func_id func = calltree_func(tree, node);

	tally->counted = set_bit(tally->counted, &tally->counted_words, node);
	if (is_inside)
		tally->inside = set_bit(tally->inside, &tally->inside_words,
					node);
	if (search_hits(search, func))
		count_frame(tally, func);
}

static void
count_all(struct tally *tally, const struct search *search,
	  const struct weights *weights)
{
	const struct calltree *tree = weights->tree;
	uint32_t outer = UINT32_MAX;	/* depth of the hit we are below */

	tally->frames = tally->functions = tally->weight = 0;
	if (tally->seen)
		memset(tally->seen, 0, tally->seen_words * sizeof(uint64_t));
	if (tally->counted)
		memset(tally->counted, 0,
		       tally->counted_words * sizeof(uint64_t));
	if (tally->inside)
		memset(tally->inside, 0,
		       tally->inside_words * sizeof(uint64_t));
	for (node_id node = tally->top; node != NODE_NONE;) {
		uint64_t weight = weights_total(weights, node);
		uint32_t depth = calltree_depth(tree, node);
		func_id func = calltree_func(tree, node);

		if (!search_knows(search, func))
			tally->mark = (struct picture_mark){ 0 };  /* again */
		if (depth <= outer)
			outer = UINT32_MAX;
		if (weight > 0 && search_hits(search, func) &&
		    outer == UINT32_MAX) {
			tally->weight = add_saturating(tally->weight, weight);
			outer = depth;
		}
		if (weight > 0)
			count_node(tally, search, tree, node,
				   outer != UINT32_MAX);
		node = walk_on(tree, node, tally->top, weight > 0);
	}
}

/*
 * The nodes that have a weight only now, from LEAF on outwards, into
 * TALLY->path; *COUNT of them. False: LEAF is not below TOP, or SEARCH has not
 * looked at all of their functions, and then *IS_UNKNOWN.
 */
static bool
find_new(struct tally *tally, const struct search *search,
	 const struct calltree *tree, node_id leaf, size_t *count,
	 bool *is_unknown)
{
	uint32_t top = calltree_depth(tree, tally->top);

	*count = 0;
	*is_unknown = false;
	for (node_id at = leaf;
	     !has_bit(tally->counted, tally->counted_words, at);
	     at = calltree_parent(tree, at)) {
		if (at != tally->top && calltree_depth(tree, at) <= top)
			return false;
		if (!search_knows(search, calltree_func(tree, at))) {
			*is_unknown = true;
			return false;
		}
		tally->path = grow(tally->path, *count, &tally->path_capacity,
				   sizeof(*tally->path));
		tally->path[(*count)++] = at;
		if (at == tally->top)
			break;
	}
	return true;
}

/* False: SEARCH has not looked at all functions on the way. */
static bool
count_path(struct tally *tally, const struct search *search,
	   const struct calltree *tree, const struct picture_news *news)
{
	bool is_unknown, is_inside = false;
	node_id node = news->leaf;
	size_t count;

	if (!find_new(tally, search, tree, node, &count, &is_unknown))
		return !is_unknown;
	if (count)
		node = calltree_parent(tree, tally->path[count - 1]);
	if (!count || tally->path[count - 1] != tally->top)
		is_inside = has_bit(tally->inside, tally->inside_words, node);
	while (count-- > 0) {
		node = tally->path[count];
		is_inside |= search_hits(search, calltree_func(tree, node));
		count_node(tally, search, tree, node, is_inside);
	}
	if (is_inside)
		tally->weight = add_saturating(tally->weight, news->weight);
	return true;
}

void
tally_update(struct tally *tally, const struct search *search,
	     const struct picture *picture, node_id top)
{
	struct weights weights = picture_weights(picture);
	const struct picture_news *news;
	bool is_known = tally->top == top &&
			tally->version == search_version(search);
	size_t count;

	is_known &= picture_read_news(picture, &tally->mark, &news, &count);
	tally->top = top;
	tally->version = search_version(search);
	if (!is_known) {
		count_all(tally, search, &weights);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (!count_path(tally, search, weights.tree, &news[i])) {
			tally->mark.next -= count - i;	/* next time */
			return;
		}
	}
}

void
tally_fini(struct tally *tally)
{
	free(tally->seen);
	free(tally->counted);
	free(tally->inside);
	free(tally->path);
	memset(tally, 0, sizeof(*tally));
}
