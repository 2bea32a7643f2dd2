/* SPDX-License-Identifier: MIT */
/*
 * list.c - rows to choose from, with typing as filter.
 */
#include "tui/list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/prompt.h"
#include "tui/text.h"

struct list {
	char *title, *heading;
	bool can_mark;
	struct prompt filter;
	struct list_row *rows;
	size_t count;
	size_t *shown;		/* the rows that pass the filter */
	size_t nshown;
	size_t cursor, top;	/* places in SHOWN */
	size_t page;		/* rows that were drawn last */
};

struct list *
list_new(const char *title, const char *heading, bool can_mark)
{
	struct list *list = xcalloc(1, sizeof(*list));

	list->title = xstrdup(title);
	list->heading = xstrdup(heading);
	list->can_mark = can_mark;
	list->page = 1;
	return list;
}

void
list_free(struct list *list)
{
	if (!list)
		return;
	free(list->title);
	free(list->heading);
	free(list->rows);
	free(list->shown);
	free(list);
}

static bool
passes(const struct list_row *row, const char *filter)
{
	return strcasestr(row->text, filter) != NULL;
}

/* The cursor stays on row ID if it is still shown, else where it was. */
static void
refilter(struct list *list, bool had_row, uint64_t id)
{
	list->nshown = 0;
	for (size_t i = 0; i < list->count; i++) {
		if (!passes(&list->rows[i], list->filter.text))
			continue;
		if (had_row && list->rows[i].id == id)
			list->cursor = list->nshown;
		list->shown[list->nshown++] = i;
	}
	if (list->cursor >= list->nshown)
		list->cursor = list->nshown ? list->nshown - 1 : 0;
}

static const struct list_row *
row_by_id(const struct list *list, uint64_t id, size_t hint)
{
	if (hint < list->count && list->rows[hint].id == id)
		return &list->rows[hint];
	for (size_t i = 0; i < list->count; i++)
		if (list->rows[i].id == id)
			return &list->rows[i];
	return NULL;
}

/* A mark is the user's: what a row says of itself counts at first sight. */
void
list_set_rows(struct list *list, const struct list_row *rows, size_t n)
{
	struct list_row *new = xcalloc(n, sizeof(*new));
	const struct list_row *old;
	uint64_t id = 0;
	bool had_row = list_current(list, &id);

	for (size_t i = 0; i < n; i++) {
		new[i] = rows[i];
		old = row_by_id(list, rows[i].id, i);
		if (old)
			new[i].is_marked = old->is_marked;
	}
	free(list->rows);
	list->rows = new;
	list->count = n;
	list->shown = xreallocarray(list->shown, n, sizeof(*list->shown));
	refilter(list, had_row, id);
}

static void
move(struct list *list, long by)
{
	long to = (long)list->cursor + by, last = (long)list->nshown - 1;

	to = to > last ? last : to;
	list->cursor = to > 0 ? (size_t)to : 0;
}

static void
toggle_mark(struct list *list)
{
	struct list_row *row;

	if (list->nshown == 0)
		return;
	row = &list->rows[list->shown[list->cursor]];
	row->is_marked = !row->is_marked;
	move(list, 1);
}

/* Everything that is not a movement edits the filter. */
static enum list_answer
type(struct list *list, uint32_t key)
{
	uint64_t id = 0;
	bool had_row = list_current(list, &id);

	if (key == KEYS_ESCAPE && list->filter.len == 0)
		return LIST_LEFT;
	if (key == KEYS_ESCAPE)
		prompt_set(&list->filter, "");
	else
		prompt_key(&list->filter, key);
	refilter(list, had_row, id);
	return LIST_GOES_ON;
}

enum list_answer
list_key(struct list *list, uint32_t key)
{
	long page = (long)list->page, all = (long)list->count;

	switch (key) {
	case KEYS_UP:
		move(list, -1);
		break;
	case KEYS_DOWN:
		move(list, 1);
		break;
	case KEYS_PAGE_UP:
		move(list, -page);
		break;
	case KEYS_PAGE_DOWN:
		move(list, page);
		break;
	case KEYS_HOME:
		move(list, -all);
		break;
	case KEYS_END:
		move(list, all);
		break;
	case KEYS_ENTER:
		return list->nshown ? LIST_CHOSEN : LIST_GOES_ON;
	case ' ':
		if (!list->can_mark)
			return type(list, key);
		toggle_mark(list);
		break;
	default:
		return type(list, key);
	}
	return LIST_GOES_ON;
}

bool
list_current(const struct list *list, uint64_t *id)
{
	if (list->nshown == 0)
		return false;
	*id = list->rows[list->shown[list->cursor]].id;
	return true;
}

size_t
list_marked(const struct list *list, uint64_t **ids)
{
	size_t n = 0;

	*ids = xcalloc(list->count + 1, sizeof(**ids));
	for (size_t i = 0; i < list->count; i++)
		if (list->rows[i].is_marked)
			(*ids)[n++] = list->rows[i].id;
	if (n == 0 && list_current(list, &(*ids)[0]))
		n = 1;
	return n;
}

static void
draw_row(const struct list *list, struct canvas *canvas, struct rect line,
	 size_t place)
{
	const struct list_row *row = &list->rows[list->shown[place]];
	bool is_current = place == list->cursor;
	enum style style = is_current ? STYLE_SELECTED : STYLE_TEXT;
	const char *sign = is_current ? ">" : " ";
	char text[sizeof(row->text) + 4];

	canvas_fill(canvas, line, style, 0);
	canvas_text(canvas, line.x, line.y, line.width, sign, style, 0);
	if (row->is_marked)
		canvas_text(canvas, line.x + 1, line.y, line.width - 1, "*",
			    style, CELL_BOLD);
	canvas_text(canvas, line.x + 3, line.y, line.width - 3,
		    text_cut(text, sizeof(text), row->text, line.width - 3,
			     canvas_is_ascii(canvas)), style, 0);
}

static void
draw_count(const struct list *list, struct canvas *canvas, struct rect line)
{
	size_t marked = 0;
	int used;

	for (size_t i = 0; i < list->count; i++)
		marked += list->rows[i].is_marked;
	used = canvas_printf(canvas, line.x, line.y, line.width, STYLE_DIM,
			     "%zu of %zu", list->nshown, list->count);
	if (list->can_mark)
		used += canvas_printf(canvas, line.x + used, line.y,
				      line.width - used, STYLE_DIM,
				      ", %zu marked", marked);
	canvas_printf(canvas, line.x + used, line.y, line.width - used,
		      STYLE_DIM, "   type to filter%s, Enter takes, Esc %s",
		      list->can_mark ? ", Space marks" : "",
		      list->filter.len ? "shows all again" : "leaves");
}

void
list_draw(struct list *list, struct canvas *canvas, struct rect area)
{
	struct rect line = { area.x, area.y, area.width, 1 };
	int rows = area.height;
	char label[300];

	canvas_fill(canvas, area, STYLE_TEXT, 0);
	if (rows > 1) {
		snprintf(label, sizeof(label), "%s: ", list->title);
		prompt_draw(&list->filter, label, canvas, line.x, line.y,
			    line.width);
		line.y++;
		rows--;
	}
	if (rows > 3) {
		canvas_text(canvas, line.x + 3, line.y, line.width - 3,
			    list->heading, STYLE_DIM, CELL_UNDERLINE);
		line.y++;
		rows -= 2;
		draw_count(list, canvas, (struct rect){ area.x,
			   area.y + area.height - 1, area.width, 1 });
	}
	list->page = rows > 0 ? (size_t)rows : 1;
	if (list->top > list->cursor)
		list->top = list->cursor;
	if (list->cursor >= list->top + list->page)
		list->top = list->cursor - list->page + 1;
	if (list->top + list->page > list->nshown)
		list->top = list->nshown > list->page ?
			    list->nshown - list->page : 0;
	if (list->nshown == 0 && rows > 0)
		canvas_text(canvas, line.x + 3, line.y, line.width - 3,
			    list->count ? "nothing matches" : "nothing here",
			    STYLE_DIM, 0);
	for (size_t i = list->top; i < list->nshown && rows-- > 0; i++) {
		draw_row(list, canvas, line, i);
		line.y++;
	}
}
