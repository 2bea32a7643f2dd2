/* SPDX-License-Identifier: MIT */
/*
 * picture_spread.c - how sure the counts of a picture are, and its baseline's.
 *
 * A pass over two minutes of slots, for each side: so it is done anew only
 * when there is a good part more to know.
 */
#include "core/baseline.h"
#include "core/picture_private.h"
#include "core/spread.h"

#define SOON (2 * SECOND_NS)	/* after the last time, or an eighth of */
#define LATE (16 * SECOND_NS)	/* what has been watched, up to that */

void
picture_free_spread(struct base *base)
{
	spread_free(base->now);
	spread_free(base->then);
	base->now = base->then = NULL;
	base->has_spread = false;
}

static bool
is_fresh(const struct picture *picture, uint64_t last)
{
	uint64_t wait = last > picture->from_ns ?
			(last - picture->from_ns) / 8 : 0;

	if (!picture->base.has_spread)
		return false;
	wait = wait < SOON ? SOON : wait > LATE ? LATE : wait;
	return last < picture->base.spread_ns + wait;
}

void
picture_update_spread(struct picture *picture)
{
	struct base *base = &picture->base;
	uint64_t last = profile_last_ns(picture->profile);
	enum kind kind = picture->filter.kind;

	if (!base->baseline || is_fresh(picture, last))
		return;
	picture_free_spread(base);
	base->has_spread = true;
	base->spread_ns = last;
	base->now = spread_of(picture->profile, picture->names, kind,
			      picture->from_ns, UINT64_MAX);
	if (baseline_profile(base->baseline))
		base->then = spread_of(baseline_profile(base->baseline),
				       baseline_names(base->baseline), kind, 0,
				       UINT64_MAX);
	else if (last)
		base->then = spread_of(picture->profile, picture->names, kind,
				       0, baseline_until_ns(base->baseline));
}

struct inflations
picture_inflations(const struct picture *picture, func_id func)
{
	const struct base *base = &picture->base;
	const char *name = names_text(picture->names, func);

	return (struct inflations){ spread_inflation(base->now, name),
				    spread_inflation(base->then, name) };
}

struct difference
picture_judge(const struct picture *picture, func_id func,
	      struct totals counts, struct totals all)
{
	struct inflations inflations = { 1, 1 };

	if (func != FUNC_NONE)
		inflations = picture_inflations(picture, func);
	return diff_judge((struct watched){ counts.now, all.now,
					    inflations.now },
			  (struct watched){ counts.base, all.base,
					    inflations.base });
}
