/* SPDX-License-Identifier: MIT */
/*
 * picture_gains.c - what functions got by the samples that came together.
 *
 * A hundred samples have most of their functions in common. So they are summed
 * by function first, and what is kept of a function, here and there in memory,
 * is touched once for all of them.
 */
#include <stdlib.h>

#include "core/base.h"
#include "core/picture_private.h"

static struct gain *
gain_of(struct gains *gains, func_id func)
{
	uint32_t at = marks_get(&gains->places, func);

	if (at != MARK_NONE)
		return &gains->rows[at];
	gains->rows = grow(gains->rows, gains->count, &gains->capacity,
			   sizeof(*gains->rows));
	marks_set(&gains->places, func, (uint32_t)gains->count);
	gains->rows[gains->count] = (struct gain){ .func = func };
	return &gains->rows[gains->count++];
}

static void
add(struct moment *sum, uint64_t weight, bool is_innermost)
{
	sum->total = add_saturating(sum->total, weight);
	if (is_innermost)
		sum->self = add_saturating(sum->self, weight);
}

static void
begin(struct picture *picture, uint64_t second)
{
	struct gains *gains = &picture->gains;

	if (gains->stacks && gains->second != second)
		picture_spread_gains(picture);
	if (!gains->stacks)
		marks_forget(&gains->places);
	gains->second = second;
	gains->stacks++;
}

void
picture_gain(struct picture *picture, node_id leaf, const struct cell *cell,
	     bool is_counted)
{
	const struct calltree *tree = picture->tree;
	struct gains *gains = &picture->gains;
	func_id innermost = calltree_func(tree, picture_innermost(picture,
								  leaf));
	bool is_recent = picture_is_recent(picture, cell);
	struct gain *gain;

	is_counted &= !picture->functions->is_stale;
	if (!is_recent && !is_counted)
		return;
	begin(picture, cell->time_ns / SECOND_NS);
	if (is_recent)
		add(&gains->recent, cell->weight, true);
	for (node_id at = leaf; at; at = calltree_parent(tree, at)) {
		gain = gain_of(gains, calltree_func(tree, at));
		if (gain->stack == gains->stacks)
			continue;	/* it was further in, too */
		gain->stack = gains->stacks;
		if (is_counted)
			add(&gain->counted, cell->weight,
			    gain->func == innermost);
		if (is_recent)
			add(&gain->recent, cell->weight,
			    gain->func == innermost);
	}
}

void
picture_spread_gains(struct picture *picture)
{
	struct gains *gains = &picture->gains;

	for (size_t i = 0; i < gains->count; i++) {
		const struct gain *gain = &gains->rows[i];

		if (gain->counted.total)
			picture_add_function(picture, gain->func,
					     gain->counted);
		if (gain->recent.total)
			picture_add_recent(picture, gains->second, gain->func,
					   gain->recent);
	}
	if (gains->recent.total)
		picture_add_recent(picture, gains->second, FUNC_NONE,
				   gains->recent);
	gains->recent = (struct moment){ 0, 0 };
	gains->count = gains->stacks = 0;
}

void
picture_free_gains(struct picture *picture)
{
	free(picture->gains.rows);
	marks_fini(&picture->gains.places);
}
