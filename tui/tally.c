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
	for (node_id node = tally->top; node != NODE_NONE;) {
		uint64_t weight = weights_total(weights, node);
		uint32_t depth = calltree_depth(tree, node);
		func_id func = calltree_func(tree, node);

		if (!search_knows(search, func))
			tally->mark = (struct picture_mark){ 0 };  /* again */
		if (depth <= outer)
			outer = UINT32_MAX;
		if (weight > 0)
			tally->counted = set_bit(tally->counted,
						 &tally->counted_words, node);
		if (weight > 0 && search_hits(search, func)) {
			count_frame(tally, func);
			if (outer == UINT32_MAX) {
				tally->weight = add_saturating(tally->weight,
							       weight);
				outer = depth;
			}
		}
		node = walk_on(tree, node, tally->top, weight > 0);
	}
}

/* False: SEARCH has not looked at all functions on the way. */
static bool
count_path(struct tally *tally, const struct search *search,
	   const struct calltree *tree, const struct picture_news *news)
{
	uint32_t top = calltree_depth(tree, tally->top);
	bool is_hit = false;
	node_id node = news->leaf, at;

	if (calltree_depth(tree, node) < top)
		return true;
	for (at = node; calltree_depth(tree, at) > top;
	     at = calltree_parent(tree, at))
		if (!search_knows(search, calltree_func(tree, at)))
			return false;
	if (at != tally->top)
		return true;
	for (;; node = calltree_parent(tree, node)) {
		func_id func = calltree_func(tree, node);

		is_hit |= search_hits(search, func);
		if (!has_bit(tally->counted, tally->counted_words, node)) {
			tally->counted = set_bit(tally->counted,
						 &tally->counted_words, node);
			if (search_hits(search, func))
				count_frame(tally, func);
		}
		if (node == tally->top)
			break;
	}
	if (is_hit)
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
	memset(tally, 0, sizeof(*tally));
}
