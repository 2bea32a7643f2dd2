/* SPDX-License-Identifier: MIT */
/*
 * picture_spread.c - how sure the counts of a picture are, and its baseline's.
 *
 * A pass over two minutes of slots, for each side: so that of now is looked at
 * anew only when there is a good part more to know, and that of before, whose
 * counts do not change, when a function got its name.
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

static void
look_at_then(struct picture *picture)
{
	struct base *base = &picture->base;
	struct profile *profile = baseline_profile(base->baseline);
	uint64_t until = UINT64_MAX, version;
	struct names *names = picture->names;

	if (profile) {
		names = baseline_names(base->baseline);
	} else if (!profile_last_ns(picture->profile)) {
		return;
	} else {
		profile = picture->profile;
		until = baseline_until_ns(base->baseline);
	}
	version = names_generation(names) + names_renames(names) +
		  names_moves(names);
	if (base->has_spread && base->spread_names == version)
		return;
	spread_free(base->then);
	base->then = spread_of(profile, names, picture->filter.kind, 0, until);
	base->spread_names = version;
}

void
picture_update_spread(struct picture *picture)
{
	struct base *base = &picture->base;
	uint64_t last = profile_last_ns(picture->profile);

	if (!base->baseline || is_fresh(picture, last))
		return;
	spread_free(base->now);
	base->now = spread_of(picture->profile, picture->names,
			      picture->filter.kind, picture->from_ns,
			      UINT64_MAX);
	look_at_then(picture);
	base->has_spread = true;
	base->spread_ns = last;
}

struct inflations
picture_inflations(const struct picture *picture, func_id func)
{
	const struct base *base = &picture->base;
	const char *name = names_text(picture->names, func);
	struct inflations own = { spread_inflation(base->now, name),
				  spread_inflation(base->then, name) };

	return picture->is_swapped ?
	       (struct inflations){ own.base, own.now } : own;
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
