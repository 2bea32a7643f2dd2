/* SPDX-License-Identifier: MIT */
/*
 * session_sandwich.c - the pictures above and below one function.
 *
 * They are made when the view is looked at and given back when it is not: a
 * picture costs a pass over the profile, and then each sample a little.
 */
#include <stdlib.h>
#include <string.h>

#include "app/session_private.h"

void
session_drop_sides(struct session *s)
{
	struct sides *sides = &s->sides;

	picture_free(sides->above);
	picture_free(sides->below);
	sides->above = sides->below = NULL;
}

void
session_uncompare_sides(struct session *s)
{
	if (!s->sides.above)
		return;
	picture_set_baseline(s->sides.above, NULL);
	picture_set_baseline(s->sides.below, NULL);
}

void
session_match_sides(struct session *s)
{
	enum drawn drawn = picture_drawn(s->shown->picture);

	if (!s->sides.above)
		return;
	picture_set_drawn(s->sides.above, drawn);
	picture_set_drawn(s->sides.below, drawn);
}

static void
carry(struct session *s, bool is_above, node_id *map, size_t count)
{
	if (map)
		tui_remap_sandwich(s->tui, is_above, map, count);
	free(map);
}

/* The same filters as the picture's, about the pivot. */
static void
filter(struct session *s, bool is_above)
{
	struct picture *picture = is_above ? s->sides.above : s->sides.below;
	struct filter now = *picture_filter(s->shown->picture);
	size_t count;

	now.shape = is_above ? SHAPE_ABOVE : SHAPE_BELOW;
	now.pivot = s->sides.pivots[s->sides.npivots - 1];
	now.thread_rows = false;
	picture_set_baseline(picture, picture_baseline(s->shown->picture));
	picture_set_drawn(picture, picture_drawn(s->shown->picture));
	carry(s, is_above, picture_set_filter(picture, &now, &count), count);
}

void
session_filter_sides(struct session *s)
{
	if (!s->sides.above)
		return;
	filter(s, true);
	filter(s, false);
}

static void
make(struct session *s)
{
	struct sides *sides = &s->sides;

	if (!sides->npivots)
		return;
	if (!sides->above) {
		sides->above = picture_new(s->shown->profile,
					   s->shown->names);
		sides->below = picture_new(s->shown->profile,
					   s->shown->names);
	}
	session_filter_sides(s);
}

void
session_forget_pivots(struct session *s)
{
	session_drop_sides(s);
	s->sides.npivots = 0;
}

void
session_pivot(struct session *s, func_id func)
{
	struct sides *sides = &s->sides;
	func_id *pivots = sides->pivots;

	if (func != FUNC_NONE &&
	    (!sides->npivots || pivots[sides->npivots - 1] != func)) {
		if (sides->npivots == PIVOTS) {
			memmove(pivots, pivots + 1,
				(PIVOTS - 1) * sizeof(*pivots));
			sides->npivots--;
		}
		pivots[sides->npivots++] = func;
	}
	make(s);
}

void
session_pivot_back(struct session *s)
{
	if (s->sides.npivots < 2) {
		tui_message(s->tui, false, "no function to go back to");
		return;
	}
	s->sides.npivots--;
	make(s);
}

func_id
session_pivot_now(const struct session *s)
{
	size_t n = s->sides.npivots;

	return n ? names_final(s->shown->names, s->sides.pivots[n - 1]) :
		   FUNC_NONE;
}

void
session_note(void *session, const struct cell *cell)
{
	struct session *s = session;

	picture_note(s->live.picture, cell);
	if (!s->sides.above || s->shown != &s->live)
		return;
	picture_note(s->sides.above, cell);
	picture_note(s->sides.below, cell);
}

void
session_update_sides(struct session *s)
{
	size_t count = 0;
	node_id *map;

	if (s->sides.above && !tui_shows_sandwich(s->tui))
		session_drop_sides(s);
	if (!s->sides.above)
		return;
	map = picture_update(s->sides.above, &count);
	carry(s, true, map, count);
	map = picture_update(s->sides.below, &count);
	carry(s, false, map, count);
}
