/* SPDX-License-Identifier: MIT */
/*
 * compare_frame.c - what changed of one call, in the light of its function.
 *
 * There are far more calls than functions, and of twenty that did not change
 * one looks as if. So only calls of functions that changed are asked.
 */
#include <math.h>

#include "core/compare_private.h"

static enum change
own_verdict(const struct estimate *e)
{
	if (fabs(e->change) <= e->half)
		return CHANGE_UNKNOWN;
	if (e->change > 0)
		return e->count[SIDE_BASE] ? CHANGE_REGRESSED : CHANGE_NEW;
	return e->count[SIDE_OTHER] ? CHANGE_IMPROVED : CHANGE_GONE;
}

struct estimate
comparison_judge_frame(const struct comparison *comparison, node_id node,
		       uint64_t base, uint64_t other)
{
	const struct compared *row = &comparison->rows[
		calltree_func(comparison->tree, node)];
	struct estimate e = {
		.count = { [SIDE_BASE] = base, [SIDE_OTHER] = other },
		.inflation = {
			[SIDE_BASE] = row->total.inflation[SIDE_BASE],
			[SIDE_OTHER] = row->total.inflation[SIDE_OTHER],
		},
	};

	compare_estimate(comparison, &e);
	e.verdict = row->verdict;
	if (change_is_one(row->verdict) && row->verdict != CHANGE_MOVED)
		e.verdict = own_verdict(&e);
	return e;
}
