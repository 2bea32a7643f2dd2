/* SPDX-License-Identifier: MIT */
/*
 * change.c - how a frame or function differs from the baseline, to be shown.
 */
#include "tui/change.h"

#include <stdio.h>

#include "tui/text.h"

bool
change_is_on(const struct scene *scene)
{
	return picture_baseline(scene->picture) != NULL;
}

unsigned
change_counts(const struct scene *scene)
{
	return (unsigned)picture_drawn(scene->picture) * 2 +
	       picture_is_swapped(scene->picture);
}

struct side_words
change_words(const struct scene *scene)
{
	static const struct side_words words = {
		"now", "before", "as it was", "only what was lost", "lost",
		"Nothing is surely less now than before.",
	}, swapped = {
		"before", "now", "as it is now", "only what was gained",
		"gained",
		"Nothing is surely less before than now.",
	};

	return picture_is_swapped(scene->picture) && scene->health->is_live ?
	       swapped : words;
}

struct both
change_both(const struct scene *scene, node_id node, node_id root)
{
	const struct picture *picture = scene->picture;
	struct totals all = picture_totals(picture);
	struct totals in_root = picture_both_totals(picture, root);

	if (root != 0 && node != root && in_root.now && in_root.base)
		all = in_root;
	return (struct both){ picture_both_totals(picture, node), all };
}

struct both
change_row_both(const struct scene *scene, const struct function_row *row)
{
	return (struct both){ { row->total, row->base_total },
			      picture_totals(scene->picture) };
}

struct difference
change_of(const struct scene *scene, node_id node, node_id root)
{
	const struct picture *picture = scene->picture;
	struct both both = change_both(scene, node, root);

	return picture_judge(picture, calltree_func(picture_tree(picture),
						    node), both.counts,
			     both.all);
}

enum style
change_style(const struct difference *d)
{
	unsigned step = diff_step(d);

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

static const char *
unit_of(const struct difference *d)
{
	return d->verdict == DIFF_MORE || d->verdict == DIFF_LESS ? " points" :
								    "";
}

char *
change_story(char *out, size_t size, const struct scene *scene,
	     const struct focus *focus, bool is_brief)
{
	struct totals n = focus->both.counts, all = focus->both.all;
	struct side_words side = change_words(scene);
	struct difference d = picture_judge(scene->picture, focus->func, n,
					    all);
	char word[32], now[16], before[16], now_all[32], base_all[32];

	out[0] = '\0';
	if (all.now && n.now == all.now && all.base && n.base == all.base)
		return out;	/* the whole of both */
	if (!*diff_word(word, sizeof(word), &d))
		snprintf(word, sizeof(word), "cannot tell");
	share_text(now, sizeof(now), n.now, all.now);
	share_text(before, sizeof(before), n.base, all.base);
	if (is_brief)
		snprintf(out, size, "%s%s: %s %s, %s %s", word, unit_of(&d),
			 now, side.now, before, side.base);
	else
		snprintf(out, size, "%s%s (%+.1f to %+.1f): %s of %s %s, "
			 "%s of %s %s", word, unit_of(&d), d.low * 100,
			 d.high * 100, now,
			 count_text(now_all, sizeof(now_all), all.now),
			 side.now, before,
			 count_text(base_all, sizeof(base_all), all.base),
			 side.base);
	return out;
}
