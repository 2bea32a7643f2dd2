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
	bool is_swapped = picture_is_swapped(s->shown->picture);

	if (!s->sides.above)
		return;
	picture_set_drawn(s->sides.above, drawn);
	picture_set_drawn(s->sides.below, drawn);
	picture_swap(s->sides.above, is_swapped);
	picture_swap(s->sides.below, is_swapped);
}

static void
carry(struct session *s, bool is_above, node_id *map, size_t count)
{
	if (map)
		tui_remap_sandwich(s->tui, is_above, map, count);
	free(map);
}

static struct picture_change *
begin(struct session *s, bool is_above,
      const struct picture_choice *choice, struct work *work)
{
	struct picture *picture = is_above ? s->sides.above : s->sides.below;
	struct filter filter = *choice->filter;
	struct picture_choice mine = { &filter, choice->baseline, choice->drawn };

	filter.shape = is_above ? SHAPE_ABOVE : SHAPE_BELOW;
	filter.pivot = s->sides.pivots[s->sides.npivots - 1];
	filter.thread_rows = false;
	return picture_begin(picture, &mine, work);
}

static void
finish(struct session *s, bool is_above, struct picture_change *change)
{
	size_t count;
	node_id *map = picture_finish(change, &count);

	carry(s, is_above, map, count);
}

bool
session_filter_sides(struct session *s, const struct picture_choice *choice,
		     struct work *work)
{
	struct picture_change *above, *below;

	if (!s->sides.above)
		return true;
	above = begin(s, true, choice, work);
	if (!above)
		return false;
	below = begin(s, false, choice, work);
	if (!below) {
		picture_cancel(above);
		return false;
	}
	finish(s, true, above);
	finish(s, false, below);
	return true;
}

/* False: it was stopped; pictures that there were are as they were. */
static bool
make(struct session *s)
{
	struct sides *sides = &s->sides;
	const struct picture *picture = s->shown->picture;
	struct picture_choice choice = { picture_filter(picture),
					 picture_baseline(picture),
					 picture_drawn(picture) };
	bool are_new = !sides->above;

	if (!sides->npivots)
		return true;
	if (are_new) {
		sides->above = picture_open(s->shown->profile,
					    s->shown->names);
		sides->below = picture_open(s->shown->profile,
					    s->shown->names);
	}
	if (session_filter_sides(s, &choice, session_work(s, 2))) {
		session_match_sides(s);
		return true;
	}
	if (are_new)
		session_drop_sides(s);
	return false;
}

void
session_forget_pivots(struct session *s)
{
	session_drop_sides(s);
	s->sides.npivots = 0;
}

/* FUNC is the last one; the first is forgotten for it. */
static void
push(struct sides *sides, func_id func)
{
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
}

void
session_pivot(struct session *s, func_id func)
{
	struct sides *sides = &s->sides, before = *sides;

	push(sides, func);
	if (make(s))
		return;
	*sides = before;
	tui_take_view_back(s->tui);
}

void
session_pivot_back(struct session *s)
{
	if (s->sides.npivots < 2) {
		tui_message(s->tui, false, "no function to go back to");
		return;
	}
	s->sides.npivots--;
	if (!make(s))
		s->sides.npivots++;
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
