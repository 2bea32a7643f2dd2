/* SPDX-License-Identifier: MIT */
/*
 * shares.c - what percentages are of.
 */
#include "tui/shares.h"

#include <stdio.h>

#include "tui/change.h"

bool
shares_are_filtered(const struct scene *scene)
{
	const struct filter *f = picture_filter(scene->picture);
	struct weights wholes = picture_wholes(scene->picture);
	bool has_pivot = f->shape == SHAPE_BELOW || f->shape == SHAPE_ABOVE;

	return (f->ntransforms || f->nthreads || f->window_ns || has_pivot) &&
	       weights_total(&wholes, 0) < picture_whole(scene->picture);
}

uint64_t
shares_whole(const struct scene *scene, node_id parent)
{
	struct weights wholes = picture_wholes(scene->picture);

	if (scene->shares == SHARES_OF_ALL)
		return picture_whole(scene->picture);
	if (scene->shares == SHARES_OF_PARENT && parent != NODE_NONE)
		return weights_total(&wholes, parent);
	return weights_total(&wholes, 0);
}

char *
shares_name(const struct scene *scene, enum shares shares, char *out,
	    size_t size)
{
	struct side_words words = change_words(scene);
	const char *side = picture_drawn(scene->picture) == DRAWN_NOW ?
			   words.now : words.base;
	bool is_compared = change_is_on(scene);

	if (shares == SHARES_OF_PARENT)
		snprintf(out, size, "parent");
	else
		snprintf(out, size, "%s%s%s", shares == SHARES_OF_VIEW &&
			 shares_are_filtered(scene) ? "the filtered" : "all",
			 is_compared ? " " : "", is_compared ? side : "");
	return out;
}

const char *
shares_frame(const struct scene *scene, func_id func)
{
	if (func != FUNC_NONE)
		return names_text(scene->names, func);
	return shares_are_filtered(scene) ? "filtered" : "all";
}

const char *
shares_story(enum shares shares)
{
	static const char *const stories[SHARES_COUNT] = {
		[SHARES_OF_VIEW] = "percentages are of what filters and zoom "
				   "show",
		[SHARES_OF_ALL] = "percentages are of all that was counted, "
				  "whatever is filtered",
		[SHARES_OF_PARENT] = "percentages are of the parent; those of "
				     "functions, which have none, of what "
				     "filters show",
	};

	return stories[shares];
}

uint64_t
shares_uncut(const struct scene *scene)
{
	unsigned cut = picture_filter(scene->picture)->cut;
	struct weights weights = picture_weights(scene->picture);
	uint64_t least = weights_uncut(weights_total(&weights, 0), cut);

	if (least == 0 && picture_drawn(scene->picture) == DRAWN_LOST)
		return 1;
	return least;
}
