/* SPDX-License-Identifier: MIT */
/*
 * view_help.c - the keys in force and what they do, and what is what in the
 * graph.
 */
#include "tui/view_help.h"

#include <stdio.h>
#include <string.h>

#include "core/base.h"
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

static void
put_heading(struct page *page, const char *text)
{
	page->line += page->line > 0;
	put(page, 0, page->area.width, text, STYLE_TITLE);
	page->line++;
}

/* TEXT from column X on, broken at blanks; LINE is left on its last line. */
static void
put_wrapped(struct page *page, int x, const char *text, enum style style)
{
	int room = page->area.width - x;
	char line[256];

	room = room < 8 ? 8 : room;
	for (;;) {
		size_t len = text_line(text, room);

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		put(page, x, room, line, style);
		text += len;
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
put_keys(const struct keymap *keymap, struct page *page)
{
	int column = keys_width(keymap, page->area.width) + 2;
	const char *group = "";

	for (int i = ACTION_NONE + 1; i < ACTION_COUNT; i++) {
		const struct action_row *row = &action_rows[i];
		char keys[128];

		if (strcmp(row->group, group) != 0) {
			group = row->group;
			put_heading(page, group);
		}
		keymap_keys(keymap, (enum action)i, keys, sizeof(keys));
		put(page, 0, column - 1, keys[0] ? keys : "(no key)",
		    STYLE_KEY);
		put_wrapped(page, column, row->help, STYLE_TEXT);
		page->line++;
	}
}

/* Samples of colours, as many in a line as fit. */
static void
put_colours(struct page *page, int x)
{
	static const struct {
		enum style style;
		const char *word;
	} colours[] = {
		{ STYLE_PROGRAM_1, "program" }, { STYLE_LIBRARY_1, "library" },
		{ STYLE_KERNEL_1, "kernel" },
		{ STYLE_JIT_1, "run-time code" }, { STYLE_THREAD_1, "thread" },
		{ STYLE_UNKNOWN_1, "unknown" }, { STYLE_HIT, "hit" },
		{ STYLE_SAME, "same function" },
		{ STYLE_DIFF_MORE_2, "+ more" },
		{ STYLE_DIFF_LESS_2, "- less" },
		{ STYLE_DIFF_SAME, "cannot tell" },
		{ STYLE_DIFF_NEW, "new" }, { STYLE_DIFF_GONE, "gone" },
	};
	int at = x;

	for (size_t i = 0; i < ARRAY_LEN(colours); i++) {
		char text[32];
		int width;

		snprintf(text, sizeof(text), " %s ", colours[i].word);
		width = text_width(text);
		if (at > x && at + width > page->area.width) {
			page->line++;
			at = x;
		}
		put(page, at, page->area.width - at, text, colours[i].style);
		at += width + 1;
	}
	page->line++;
}

static void
put_legend(struct page *page, int column)
{
	static const struct {
		const char *word, *text;
	} rows[] = {
		{ "width", "a frame's share of all samples; left to right is "
			   "no order of time" },
		{ "depth", "a frame is called by the one above it; free space "
			   "below it is its own time, self" },
		{ "+ +12", "frames too thin to draw, and how many; zoom opens "
			   "them as a list" },
	};

	put_heading(page, "The graph");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		put(page, 0, column - 1, rows[i].word, STYLE_KEY);
		put_wrapped(page, column, rows[i].text, STYLE_TEXT);
		page->line++;
	}
	put(page, 0, column - 1, "colours", STYLE_KEY);
	put_colours(page, column);
}

static void
put_all(const struct keymap *keymap, struct page *page)
{
	put_keys(keymap, page);
	put_legend(page, keys_width(keymap, page->area.width) + 2);
}

/* What the last line says, where not all lines fit. */
static void
draw_more(const struct keymap *keymap, long below, struct canvas *canvas,
	  struct rect line)
{
	const char *mark = canvas_is_ascii(canvas) ? "v" : "\xe2\x96\xbc";
	char down[64], page[64];

	keymap_keys(keymap, ACTION_DOWN, down, sizeof(down));
	keymap_keys(keymap, ACTION_PAGE_DOWN, page, sizeof(page));
	down[strcspn(down, " ")] = page[strcspn(page, " ")] = '\0';
	if (below > 0)
		canvas_printf(canvas, line.x, line.y, line.width, STYLE_DIM,
			      "%s %ld more line%s below: %s %s; other keys "
			      "leave", mark, below, below == 1 ? "" : "s", down,
			      page);
	else
		canvas_text(canvas, line.x, line.y, line.width,
			    "the end; other keys leave", STYLE_DIM, 0);
}

void
view_help_draw(const struct keymap *keymap, long *top, struct canvas *canvas,
	       struct rect area)
{
	struct page counted = { .area = area, .top = -1 };
	struct page page = { .canvas = canvas, .area = area };
	bool is_long;

	counted.area.height = 0;
	put_all(keymap, &counted);
	is_long = counted.line > area.height && area.height > 1;
	page.area.height -= is_long;
	if (*top > counted.line - page.area.height)
		*top = counted.line - page.area.height;
	if (*top < 0)
		*top = 0;
	page.top = *top;
	canvas_fill(canvas, area, STYLE_TEXT, 0);
	put_all(keymap, &page);
	if (is_long)
		draw_more(keymap, counted.line - *top - page.area.height,
			  canvas, (struct rect){ area.x, area.y + area.height -
						 1, area.width, 1 });
}
