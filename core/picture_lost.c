/* SPDX-License-Identifier: MIT */
/*
 * picture_lost.c - what is less than in the baseline, node by node.
 *
 * What a stack lost is the share that it had and has no more, in counts of the
 * baseline, so that widths add up as all others do. Every stack loses or gains
 * a little by chance: it counts where its own loss is sure, or where that of
 * the nearest caller of which anything is sure is. So a loss that is spread
 * over many thin callees is there, and noise is not.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/diff.h"
#include "core/picture_private.h"

/* PART of FROM as so much of TO, rounded. */
static uint64_t
scaled(uint64_t part, uint64_t from, uint64_t to)
{
	unsigned __int128 product = (unsigned __int128)part * to;

	return (uint64_t)((product + from / 2) / from);
}

static bool
is_less(enum verdict verdict)
{
	return verdict == DIFF_LESS || verdict == DIFF_GONE;
}

/* COUNTS of FUNC's, shares of ALL. Most are too few to be looked up. */
static enum verdict
judge(const struct picture *picture, func_id func, struct totals counts,
      struct totals all)
{
	return diff_is_countable(counts.now, counts.base) ?
	       picture_judge(picture, func, counts, all).verdict : DIFF_UNSURE;
}

/* Do losses at NODE count, when those right above it do or not? */
static bool
has_lost(const struct picture *picture, struct totals all, node_id node,
	 bool is_above)
{
	struct totals counts = picture_both_totals(picture, node);
	enum verdict verdict = judge(picture, calltree_func(picture->tree,
							    node), counts,
				     all);

	return verdict == DIFF_UNSURE ? is_above : is_less(verdict);
}

static uint64_t
lost_self(const struct picture *picture, struct totals all, node_id node,
	  bool is_counted)
{
	struct totals counts = picture_both_selfs(picture, node);
	func_id func = calltree_func(picture->tree, node);
	uint64_t expected;

	if (!counts.base || !all.now ||
	    (!is_counted && !is_less(judge(picture, func, counts, all))))
		return 0;
	expected = scaled(counts.now, all.now, all.base);
	return counts.base > expected ? counts.base - expected : 0;
}

static void
make_room(struct lost *lost, size_t count)
{
	lost->count = count;
	if (count <= lost->capacity)
		return;
	lost->capacity = count + count / 2;
	lost->self = xreallocarray(lost->self, lost->capacity,
				   sizeof(*lost->self));
	lost->total = xreallocarray(lost->total, lost->capacity,
				    sizeof(*lost->total));
}

void
picture_sum_lost(struct picture *picture)
{
	const struct calltree *tree = picture->tree;
	struct totals all = picture_totals(picture);
	struct lost *lost = &picture->lost;
	size_t count = calltree_count(tree);

	if (picture->drawn != DRAWN_LOST)
		return;
	make_room(lost, count);
	for (node_id i = 0; i < count; i++) {	/* callers come first */
		bool is_above = i && lost->total[calltree_parent(tree, i)];

		lost->total[i] = picture_both_totals(picture, i).base &&
				 has_lost(picture, all, i, is_above);
		lost->self[i] = lost_self(picture, all, i,
					  lost->total[i]);
	}
	memcpy(lost->total, lost->self, count * sizeof(*lost->total));
	for (node_id i = (node_id)count; i-- > 1;) {
		uint64_t *above = &lost->total[calltree_parent(tree, i)];

		*above = add_saturating(*above, lost->total[i]);
	}
	picture->functions->is_stale = true;
	picture_begin_epoch(picture);
	lost->epoch = picture->news.epoch;
	lost->next = picture->news.first;
	lost->second = picture_newest_second(picture);
}

/* Samples alone make it anew once a second: it is a pass over the tree. */
void
picture_update_lost(struct picture *picture)
{
	const struct news *news = &picture->news;
	const struct lost *lost = &picture->lost;

	if (lost->epoch != news->epoch ||
	    (lost->next != news->first + news->count &&
	     lost->second != picture_newest_second(picture)))
		picture_sum_lost(picture);
}

void
picture_free_lost(struct picture *picture)
{
	free(picture->lost.self);
	free(picture->lost.total);
	picture->lost = (struct lost){ 0 };
}
