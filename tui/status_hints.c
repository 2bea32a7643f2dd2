/* SPDX-License-Identifier: MIT */
/*
 * status_hints.c - the keys that are of use here, on the last line.
 *
 * What can be taken back comes first, then the view's own keys, then what
 * there is everywhere, as far as there is room.
 */
#include "tui/status.h"

#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "tui/text.h"

struct hint_line {
	const struct keymap *keymap;
	struct canvas *canvas;
	int x, y, end;
};

/* The first key of ACTION; "" if it has none. */
static const char *
first_key(const struct keymap *keymap, enum action action, char *out,
	  size_t size)
{
	out[0] = '\0';
	if (action != ACTION_NONE)
		keymap_keys(keymap, action, out, size);
	out[strcspn(out, " ")] = '\0';
	return out;
}

/* False: it does not fit, or has no key. */
static bool
put(struct hint_line *line, const struct hint *hint, int end)
{
	char one[64], other[64];
	int x = line->x, width;

	first_key(line->keymap, hint->action, one, sizeof(one));
	first_key(line->keymap, hint->other, other, sizeof(other));
	width = text_width(one) + text_width(hint->word) + 1 +
		(other[0] ? text_width(other) + 1 : 0);
	if (!one[0] || x + width > end)
		return false;
	x += canvas_text(line->canvas, x, line->y, end - x, one, STYLE_KEY, 0);
	if (other[0])
		x += 1 + canvas_text(line->canvas, x + 1, line->y, end - x - 1,
				     other, STYLE_KEY, 0);
	canvas_text(line->canvas, x + 1, line->y, end - x - 1, hint->word,
		    STYLE_DIM, 0);
	line->x += width + 2;
	return true;
}

static void
put_all(struct hint_line *line, const struct hint *hints)
{
	for (; hints && hints->action != ACTION_NONE; hints++)
		put(line, hints, line->end);
}

/* What was changed about the picture, and how that ends. */
static void
put_ways_back(struct hint_line *line, const struct scene *scene)
{
	static const struct hint compared[] = {
		{ ACTION_DIFF, ACTION_NONE, "end" },
		{ ACTION_WIDTHS, ACTION_NONE, "widths" },
		{ ACTION_NONE, ACTION_NONE, NULL },
	}, filtered[] = {
		{ ACTION_UNDO, ACTION_NONE, "undo" },
		{ ACTION_NONE, ACTION_NONE, NULL },
	}, frozen[] = {
		{ ACTION_FREEZE, ACTION_NONE, "go on" },
		{ ACTION_NONE, ACTION_NONE, NULL },
	};

	if (scene->health->is_frozen)
		put_all(line, frozen);
	if (scene->health->baseline[0])
		put_all(line, compared);
	if (picture_filter(scene->picture)->ntransforms)
		put_all(line, filtered);
}

void
status_hints(const struct scene *scene, const struct keymap *keymap,
	     const struct hint *hints, struct canvas *canvas, int y)
{
	static const struct hint first[] = {
		{ ACTION_HELP, ACTION_NONE, "help" },
		{ ACTION_QUIT, ACTION_NONE, "quit" },
		{ ACTION_NONE, ACTION_NONE, NULL },
	}, search[] = {
		{ ACTION_SEARCH, ACTION_NONE, "search" },
		{ ACTION_NONE, ACTION_NONE, NULL },
	}, freeze[] = {
		{ ACTION_FREEZE, ACTION_NONE, "freeze" },
		{ ACTION_NONE, ACTION_NONE, NULL },
	}, last[] = {
		{ ACTION_VIEW_NEXT, ACTION_NONE, "view" },
		{ ACTION_MENU, ACTION_NONE, "menu" },
		{ ACTION_THREADS, ACTION_NONE, "threads" },
		{ ACTION_KERNEL, ACTION_NONE, "kernel" },
		{ ACTION_SAVE, ACTION_NONE, "save" },
		{ ACTION_OPEN, ACTION_NONE, "open" },
		{ ACTION_NONE, ACTION_NONE, NULL },
	};
	int width = canvas_width(canvas);
	struct hint_line line = { keymap, canvas, 0, y, width };

	canvas_fill(canvas, (struct rect){ 0, y, width, 1 }, STYLE_TEXT, 0);
	put_all(&line, first);
	put_ways_back(&line, scene);
	put_all(&line, hints);
	put_all(&line, search);
	if (!scene->health->is_frozen)
		put_all(&line, freeze);
	put_all(&line, last);
}

char *
status_search_keys(const struct keymap *keymap, bool is_brief, char *out,
		   size_t size)
{
	static const struct hint keys[] = {
		{ ACTION_NEXT, ACTION_PREVIOUS, "next" },
		{ ACTION_HITS, ACTION_NONE, "list" },
		{ ACTION_FILTER, ACTION_NONE, "filter" },
	};
	size_t used = 0, count = is_brief ? 1 : ARRAY_LEN(keys);
	char key[64], other[64];

	out[0] = '\0';
	for (size_t i = 0; i < count && used < size; i++) {
		first_key(keymap, keys[i].action, key, sizeof(key));
		first_key(keymap, is_brief ? ACTION_NONE : keys[i].other,
			  other, sizeof(other));
		if (key[0])
			used += (size_t)snprintf(out + used, size - used,
						 "%s%s%s%s %s",
						 used ? "  " : "", key,
						 other[0] ? " " : "", other,
						 keys[i].word);
	}
	return out;
}
