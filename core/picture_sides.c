/* SPDX-License-Identifier: MIT */
/*
 * picture_sides.c - which of two sides is compared with which, and whose
 * counts are drawn.
 *
 * The picture's own counts are those of the tree, the baseline's stand beside
 * it. Own counts are "now" and the others "base", or the other way round.
 */
#include "core/base.h"
#include "core/baseline.h"
#include "core/picture_private.h"

/* Other counts are drawn, or they are compared the other way round. */
static void
begin_anew(struct picture *picture)
{
	picture->functions->is_stale = true;
	picture_begin_epoch(picture);
	picture_free_lost(picture);
	picture_sum_lost(picture);
}

void
picture_set_drawn(struct picture *picture, enum drawn drawn)
{
	if (!picture->base.baseline)
		drawn = DRAWN_NOW;
	if (drawn == picture->drawn)
		return;
	picture->drawn = drawn;
	begin_anew(picture);
}

enum drawn
picture_drawn(const struct picture *picture)
{
	return picture->drawn;
}

void
picture_swap(struct picture *picture, bool is_swapped)
{
	if (!picture->base.baseline)
		is_swapped = false;
	if (is_swapped == picture->is_swapped)
		return;
	picture->is_swapped = is_swapped;
	begin_anew(picture);
}

bool
picture_is_swapped(const struct picture *picture)
{
	return picture->is_swapped;
}

bool
picture_draws_own(const struct picture *picture)
{
	return (picture->drawn == DRAWN_NOW) != picture->is_swapped;
}

struct totals
picture_both(const struct picture *picture, struct totals sides)
{
	return picture->is_swapped ?
	       (struct totals){ .now = sides.base, .base = sides.now } : sides;
}

struct totals
picture_both_totals(const struct picture *picture, node_id node)
{
	return picture_both(picture, (struct totals){
		calltree_total(picture->tree, node),
		picture_base_total(picture, node) });
}

struct totals
picture_both_selfs(const struct picture *picture, node_id node)
{
	return picture_both(picture, (struct totals){
		calltree_self(picture->tree, node),
		picture_base_self(picture, node) });
}

struct totals
picture_totals(const struct picture *picture)
{
	return picture_both(picture, (struct totals){
		add_saturating(picture_total(picture),
			       picture->removed[TRANSFORMS_MAX].dropped),
		add_saturating(picture_base_total(picture, 0),
			       picture->base.no_pivot),
	});
}

struct weights
picture_wholes(const struct picture *picture)
{
	const struct base *base = &picture->base;

	if (picture_draws_own(picture))
		return weights_of(picture->tree);
	return (struct weights){ picture->tree, base->self, base->total,
				 base->count };
}

struct weights
picture_weights(const struct picture *picture)
{
	const struct lost *lost = &picture->lost;

	if (picture->drawn != DRAWN_LOST)
		return picture_wholes(picture);
	return (struct weights){ picture->tree, lost->self, lost->total,
				 lost->count };
}

uint64_t
picture_whole(const struct picture *picture)
{
	const struct filter *filter = &picture->filter;
	uint64_t all = profile_total(picture->profile, filter->kind), before;

	if (!picture->base.baseline)
		return all;
	before = baseline_total(picture->base.baseline, filter->kind);
	if (!picture_draws_own(picture))
		return before;
	if (baseline_profile(picture->base.baseline) || !filter->since_ns)
		return all;
	return all > before ? all - before : 0;
}
