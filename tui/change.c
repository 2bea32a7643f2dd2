/* SPDX-License-Identifier: MIT */
/*
 * change.c - how a frame or function differs from the baseline, to be shown.
 */
#include "tui/change.h"

#include <math.h>
#include <stdio.h>

#include "tui/text.h"

/* Points of per cent from which a change gets the next shade. */
#define CLEAR 0.02
#define LARGE 0.10

bool
change_is_on(const struct scene *scene)
{
	return picture_baseline(scene->picture) != NULL;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct difference
change_judge(const struct scene *scene, func_id func,
	     const struct sides *sides)
{
	struct inflations inflations = { 1, 1 };
	struct watched now, base;

	if (func != FUNC_NONE)
		inflations = picture_inflations(scene->picture, func);
	now = (struct watched){ least(sides->now, sides->all_now),
				sides->all_now, inflations.now };
	base = (struct watched){ least(sides->base, sides->all_base),
				 sides->all_base, inflations.base };
	return diff_judge_sides(&now, &base);
}

struct difference
change_of(const struct scene *scene, node_id node, node_id root)
{
	const struct calltree *tree = picture_tree(scene->picture);
	struct sides sides = {
		calltree_total(tree, node), calltree_total(tree, root),
		picture_base_total(scene->picture, node),
		picture_base_total(scene->picture, root),
	};

	return change_judge(scene, calltree_func(tree, node), &sides);
}

enum style
change_style(const struct difference *d)
{
	double size = fabs(d->change);
	int step = (size >= CLEAR) + (size >= LARGE);

	switch (d->verdict) {
	case DIFF_MORE:
		return STYLE_DIFF_MORE_1 + step;
	case DIFF_LESS:
		return STYLE_DIFF_LESS_1 + step;
	case DIFF_NEW:
		return STYLE_DIFF_NEW;
	case DIFF_GONE:
		return STYLE_DIFF_GONE;
	case DIFF_UNSURE:
		break;
	}
	return STYLE_DIFF_SAME;
}

char *
change_text(char *out, size_t size, const struct difference *d)
{
	out[0] = '\0';
	switch (d->verdict) {
	case DIFF_MORE:
	case DIFF_LESS:
		snprintf(out, size, "%+.1f", d->change * 100);
		break;
	case DIFF_NEW:
		snprintf(out, size, "new");
		break;
	case DIFF_GONE:
		snprintf(out, size, "gone");
		break;
	case DIFF_UNSURE:
		break;
	}
	return out;
}

/* The cursor's counts and what they are of. */
static struct sides
sides_of(const struct scene *scene, const struct focus *focus)
{
	const struct calltree *tree = picture_tree(scene->picture);
	node_id top = focus->top < calltree_count(tree) ? focus->top : 0;
	struct sides sides = {
		focus->total, calltree_total(tree, top),
		focus->base_total, picture_base_total(scene->picture, top),
	};

	if (focus->node != NODE_NONE && focus->node < calltree_count(tree) &&
	    !focus->hidden)
		sides.base = picture_base_total(scene->picture, focus->node);
	return sides;
}

char *
change_story(char *out, size_t size, const struct scene *scene,
	     const struct focus *focus)
{
	struct sides n = sides_of(scene, focus);
	struct difference d = change_judge(scene, focus->func, &n);
	char word[32], now[16], before[16], all_now[32], all_base[32];

	change_text(word, sizeof(word), &d);
	snprintf(out, size, "%s%s (%+.1f to %+.1f): %s of %s now, %s of %s "
		 "before", *word ? word : "cannot tell",
		 d.verdict == DIFF_MORE || d.verdict == DIFF_LESS ?
		 " points" : "", d.low * 100, d.high * 100,
		 share_text(now, sizeof(now), n.now, n.all_now),
		 count_text(all_now, sizeof(all_now), n.all_now),
		 share_text(before, sizeof(before), n.base, n.all_base),
		 count_text(all_base, sizeof(all_base), n.all_base));
	return out;
}
