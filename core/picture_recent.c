/* SPDX-License-Identifier: MIT */
/*
 * picture_recent.c - what functions did in each of the last seconds.
 *
 * Times of the filter have no say here: beside the sum of a window stands
 * what is going on now.
 */
#include <stdlib.h>

#include "core/base.h"
#include "core/picture_private.h"

uint64_t
picture_newest_second(const struct picture *picture)
{
	return profile_last_ns(picture->profile) / SECOND_NS;
}

/* The SECONDS before the newest one, and that one. */
static uint64_t
first_second(const struct picture *picture, uint64_t seconds)
{
	uint64_t newest = picture_newest_second(picture);

	return newest < seconds ? 0 : newest - seconds;
}

bool
picture_is_recent(const struct picture *picture, const struct cell *cell)
{
	return picture->trend && cell->time_ns / SECOND_NS >=
				 first_second(picture, TREND_SECONDS - 1);
}

void
picture_add_recent(struct picture *picture, uint64_t second, func_id func,
		   struct moment weight)
{
	trend_add(picture->trend, second, func, weight);
	if (func != FUNC_NONE &&
	    second >= first_second(picture, picture->recent_seconds))
		picture_add_moment(picture, func, weight);
}

static void
feed_recent(void *ctx, const struct cell *cell)
{
	struct picture *picture = ctx;
	node_id node = picture_node_of(picture, cell);

	if (node != NODE_NONE)
		picture_gain(picture, node, cell, false);
}

void
picture_sum_recent(struct picture *picture)
{
	if (!picture->trend)
		return;
	trend_clear(picture->trend);
	picture->functions->recent_until = 0;
	profile_each(picture->profile, first_second(
		picture, TREND_SECONDS - 1) * SECOND_NS, UINT64_MAX, feed_recent,
		picture);
	picture_spread_gains(picture);
}

void
picture_recent(struct picture *picture, unsigned seconds)
{
	picture->functions->is_stale = true;
	picture_begin_epoch(picture);
	picture->recent_seconds = seconds < TREND_SECONDS ? seconds :
				  TREND_SECONDS - 1;
	if (seconds && !picture->trend) {
		picture->trend = trend_new();
		picture_sum_recent(picture);
	} else if (!seconds && picture->trend) {
		picture->news.epoch += trend_version(picture->trend);
		trend_free(picture->trend);
		picture->trend = NULL;
	}
}

void
picture_trend(const struct picture *picture, func_id func,
	      struct moment *moments, size_t count)
{
	uint64_t newest = picture_newest_second(picture);

	if (func != FUNC_NONE)
		func = names_final(picture->names, func);
	for (size_t i = 0; i < count; i++) {
		uint64_t age = count - 1 - i;

		moments[i] = (struct moment){ 0, 0 };
		if (picture->trend && age <= newest && age < TREND_SECONDS)
			moments[i] = trend_at(picture->trend, newest - age,
					      func);
	}
}

uint64_t
picture_recent_total(const struct picture *picture)
{
	uint64_t total = 0;

	for (uint64_t second = first_second(picture, picture->recent_seconds);
	     picture->trend && second <= picture_newest_second(picture);
	     second++)
		total = add_saturating(total, trend_at(
			picture->trend, second, FUNC_NONE).total);
	return total;
}

struct whole {
	enum kind kind;
	uint64_t total;
};

static void
add_to_whole(void *ctx, const struct cell *cell)
{
	struct whole *whole = ctx;

	if (cell->kind == whole->kind)
		whole->total = add_saturating(whole->total, cell->weight);
}

uint64_t
picture_recent_whole(const struct picture *picture)
{
	struct whole whole = { .kind = picture->filter.kind };
	uint64_t from = first_second(picture, picture->recent_seconds);

	if (picture->trend)
		profile_each(picture->profile, from * SECOND_NS, UINT64_MAX,
			     add_to_whole, &whole);
	return whole.total;
}

void
picture_each_recent(const struct picture *picture, moment_fn fn, void *ctx)
{
	for (uint64_t second = first_second(picture, picture->recent_seconds);
	     picture->trend && second <= picture_newest_second(picture);
	     second++)
		trend_each(picture->trend, second, fn, ctx);
}
