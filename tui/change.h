/* SPDX-License-Identifier: MIT */
/*
 * change.h - how a frame or function differs from the baseline, to be shown.
 *
 * Shares are of a chosen root on each side. Colour is never the only sign:
 * "+3.1" and "-0.4" are points of per cent, "new" and "gone" say it, and what
 * may be chance has neither.
 */
#ifndef TUI_CHANGE_H
#define TUI_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/diff.h"
#include "tui/style.h"
#include "tui/view.h"

/* Is there a baseline to compare with? */
bool change_is_on(const struct scene *scene);

/* Another number when other counts are drawn. */
unsigned change_counts(const struct scene *scene);

/*
 * What the sides are called: "now" and "before". What runs stays "now" when it
 * is what the other is compared with; of two files the first one is.
 */
struct side_words {
	const char *now, *base;
	const char *drawn_base, *drawn_lost;	/* what is drawn instead */
	const char *lost;		/* what became of that */
	const char *nothing_less;	/* then there is nothing to draw */
};
struct side_words change_words(const struct scene *scene);

/*
 * Of NODE, in what ROOT holds. Of ROOT itself, and where it is new or gone, in
 * all that the filter lets through.
 */
struct difference change_of(const struct scene *scene, node_id node,
			    node_id root);

enum style change_style(const struct difference *difference);

/* Its counts, or those of ROW, for struct focus. */
struct both change_both(const struct scene *scene, node_id node,
			node_id root);
struct both change_row_both(const struct scene *scene,
			    const struct function_row *row);

/*
 * "+3.1 points (+1.9 to +4.2): 12.1 % of 3,400 now, 9.0 % of 2,100 before",
 * or, if IS_BRIEF, without counts and interval. "" for the whole of both.
 */
char *change_story(char *out, size_t size, const struct scene *scene,
		   const struct focus *focus, bool is_brief);

#endif
