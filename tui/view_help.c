/* SPDX-License-Identifier: MIT */
/*
 * view_help.c - the keys in force and what they do.
 */
#include "tui/view_help.h"

#include <stdio.h>
#include <string.h>

#include "tui/text.h"

#define KEYS_WIDTH 22	/* of the column of keys, at most */

/* Where lines go; those above and below AREA are only counted. */
struct page {
	struct canvas *canvas;
	struct rect area;
	long top, line;
};

static bool
is_on_page(const struct page *page)
{
	return page->line >= page->top &&
	       page->line < page->top + page->area.height;
}

static void
put(const struct page *page, int x, int width, const char *text,
    enum style style)
{
	int y = page->area.y + (int)(page->line - page->top);

	if (is_on_page(page))
		canvas_text(page->canvas, page->area.x + x, y, width, text,
			    style, 0);
}

/*
 * TEXT from column X on, broken at blanks; returns with LINE on its last
 * line. A word longer than the column is clipped.
 */
static void
put_wrapped(struct page *page, int x, const char *text, enum style style)
{
	int room = page->area.width - x;
	char line[256];

	room = room < 8 ? 8 : room;
	for (;;) {
		size_t end = 0;

		while (text[end]) {
			size_t next = end + 1 + strcspn(text + end + 1, " ");

			if ((int)next > room && end > 0)
				break;
			end = next;
		}
		snprintf(line, sizeof(line), "%.*s", (int)end, text);
		put(page, x, room, line, style);
		text += end;
		text += strspn(text, " ");
		if (*text == '\0')
			break;
		page->line++;
	}
}

static int
keys_width(const struct keymap *keymap, int width)
{
	int widest = 0;

	for (int i = ACTION_NONE + 1; i < ACTION_COUNT; i++) {
		char keys[128];
		int w = text_width(keymap_keys(keymap, (enum action)i, keys,
					       sizeof(keys)));

		widest = w > widest ? w : widest;
	}
	widest = widest < KEYS_WIDTH ? widest : KEYS_WIDTH;
	return widest < width / 3 ? widest : width / 3;
}

static void
put_all(const struct keymap *keymap, struct page *page)
{
	int column = keys_width(keymap, page->area.width) + 2;
	const char *group = "";

	for (int i = ACTION_NONE + 1; i < ACTION_COUNT; i++) {
		const struct action_row *row = &action_rows[i];
		char keys[128];

		if (strcmp(row->group, group) != 0) {
			page->line += page->line > 0;
			group = row->group;
			put(page, 0, page->area.width, group, STYLE_TITLE);
			page->line++;
		}
		keymap_keys(keymap, (enum action)i, keys, sizeof(keys));
		put(page, 0, column - 1, keys[0] ? keys : "(no key)",
		    STYLE_KEY);
		put_wrapped(page, column, row->help, STYLE_TEXT);
		page->line++;
	}
}

void
view_help_draw(const struct keymap *keymap, long *top, struct canvas *canvas,
	       struct rect area)
{
	struct page counted = { .area = area, .top = -1 };
	struct page page = { .canvas = canvas, .area = area };

	counted.area.height = 0;
	put_all(keymap, &counted);
	if (*top > counted.line - area.height)
		*top = counted.line - area.height;
	if (*top < 0)
		*top = 0;
	page.top = *top;
	canvas_fill(canvas, area, STYLE_TEXT, 0);
	put_all(keymap, &page);
}
