/* SPDX-License-Identifier: MIT */
/*
 * table_draw.c - the function table's rows to cells.
 */
#include <stdio.h>

#include "core/base.h"
#include "tui/change.h"
#include "tui/row.h"
#include "tui/shares.h"
#include "tui/table.h"
#include "tui/text.h"

/* Columns come with the width of the screen; cells without their gap. */
#define CHANGE_CELLS 7		/* "+12.3" and a sign of order */
#define RECENT_FROM 50
#define TREND_CELLS 8		/* seconds, the last one whole */
#define TREND_FLOOR 8		/* samples that fill a line, at least */
#define COUNTS_FROM 76
#define MODULE_FROM 60
#define BARS_FROM 110

/* Where the columns are; a width of 0: no room for it. */
struct columns {
	int self, bar, self_count, recent, trend, total, total_count, change,
	    now, before, name, module;
	int name_width, module_width;
};

/* Beside the share that they are about; the column after them. */
static int
place_recent(struct columns *c, const struct table *table, int width, int x)
{
	if (table->has_recent && width >= RECENT_FROM) {
		c->recent = x;
		x += ROW_SHARE + 1;
	}
	if (table->has_recent && width >= COUNTS_FROM) {
		c->trend = x;
		x += TREND_CELLS + 1;
	}
	return x;
}

/*
 * Shares; then what changed and both counts, or those of the last seconds and
 * their trend, instead of a count for each share where it is narrow.
 */
static struct columns
columns_of(const struct table *table, int width)
{
	bool has_changes = table->has_changes, has_recent = table->has_recent;
	bool has_counts = width >= (has_recent ? BARS_FROM : COUNTS_FROM) &&
			  !has_changes;
	struct columns c = { .self = 1 };
	int x = c.self + ROW_SHARE + 1;

	if (width >= BARS_FROM) {
		c.bar = x;
		x += ROW_BAR + 1;
	}
	if (has_counts) {
		c.self_count = x;
		x += ROW_COUNT + 1;
	}
	if (!table_trends_total(table))
		x = place_recent(&c, table, width, x);
	c.total = x;
	x += ROW_SHARE + 1;
	if (has_counts) {
		c.total_count = x;
		x += ROW_COUNT + 1;
	}
	if (table_trends_total(table))
		x = place_recent(&c, table, width, x);
	if (has_changes) {
		c.change = x;
		x += CHANGE_CELLS + 1;
	}
	if (has_changes && width >= COUNTS_FROM) {
		c.now = x;
		c.before = x + ROW_COUNT + 1;
		x = c.before + ROW_COUNT + 1;
	}
	c.name = x + 1;
	if (width >= MODULE_FROM) {
		c.module_width = width / 5 < 28 ? width / 5 : 28;
		c.module = width - c.module_width;
	}
	c.name_width = (c.module ? c.module - 1 : width) - c.name;
	return c;
}

enum column
table_column_at(const struct table *table, int x)
{
	struct columns c = columns_of(table, table->width);

	if (c.module && x >= c.module)
		return BY_MODULE;
	if (x >= c.name)
		return BY_FUNCTION;
	if (c.change && x >= c.change)
		return BY_CHANGE;
	if (c.recent > c.total && x >= c.recent)
		return BY_RECENT_TOTAL;
	if (c.recent && x >= c.recent && x < c.total)
		return BY_RECENT;
	return x >= c.total ? BY_TOTAL : BY_SELF;
}

struct painter {
	struct canvas *canvas;
	struct rect area;
	struct columns columns;
	enum style style;
	unsigned flags;
	int y;
	uint64_t whole, recent_whole;
	bool trends_total;
};

static struct row
row_of(const struct painter *p)
{
	return (struct row){ .canvas = p->canvas, .x = p->area.x, .y = p->y,
			     .width = p->area.width, .style = p->style,
			     .flags = p->flags };
}

static void
put_right(const struct painter *p, int x, int width, const char *text)
{
	struct row row = row_of(p);

	row_right(&row, x, width, text);
}

static void
put_left(const struct painter *p, int x, int width, const char *text)
{
	struct row row = row_of(p);

	row_left(&row, x, width, text);
}

static void
put_weight(const struct painter *p, int share_x, int count_x, uint64_t weight)
{
	char text[32];

	share_text(text, sizeof(text), weight, p->whole);
	put_right(p, share_x, ROW_SHARE, text);
	if (!count_x)
		return;
	count_text(text, sizeof(text), weight);
	put_right(p, count_x, ROW_COUNT, text);
}

/* What changed, on its colour, and both counts where there is room. */
static void
put_change(struct painter *p, const struct scene *scene,
	   const struct function_row *row)
{
	struct difference d = table_change(scene, row);
	enum style style = p->style;
	char text[32];

	if (style == STYLE_TEXT && d.verdict != DIFF_UNSURE)
		p->style = change_style(&d);
	diff_word(text, sizeof(text), &d);
	put_right(p, p->columns.change, CHANGE_CELLS, text);
	p->style = style;
	if (!p->columns.now)
		return;
	put_right(p, p->columns.now, ROW_COUNT,
		  count_text(text, sizeof(text), row->total));
	put_right(p, p->columns.before, ROW_COUNT,
		  count_text(text, sizeof(text), row->base_total));
}

/* Time in each of the last seconds, the highest as high as a line is. */
static void
put_trend(const struct painter *p, const struct scene *scene, func_id func)
{
	static const char *const levels[] = { " ", "▁", "▂", "▃", "▄", "▅",
					      "▆", "▇", "█" };
	static const char ascii[] = " .,:-=+*#";
	struct moment moments[TREND_CELLS + 1];
	uint64_t highest = TREND_FLOOR, weights[TREND_CELLS];

	picture_trend(scene->picture, func, moments, ARRAY_LEN(moments));
	for (size_t i = 0; i < TREND_CELLS; i++) {
		weights[i] = p->trends_total ? moments[i].total :
					       moments[i].self;
		if (weights[i] > highest)
			highest = weights[i];
	}
	for (size_t i = 0; i < TREND_CELLS; i++) {
		size_t level = (size_t)((weights[i] * 8 + highest / 2) /
					highest);
		const char text[] = { ascii[level], '\0' };

		put_left(p, p->columns.trend + (int)i, 1,
			 canvas_is_ascii(p->canvas) ? text : levels[level]);
	}
}

static void
put_bar(const struct painter *p, uint64_t weight)
{
	struct row row = row_of(p);

	if (p->columns.bar)
		row_bar(&row, p->columns.bar, weight, p->whole);
}

/* Cells of TEXT at X in the column of names; 0: there is no room. */
static int
put_note(const struct painter *p, int x, const char *text)
{
	int width = text_width(text);

	if (x + width > p->columns.name + p->columns.name_width)
		return 0;
	put_left(p, x, width, text);
	return width;
}

/*
 * Rows that are scrolled away: the cursor comes along from another view, and a
 * page of small shares is not to be taken for all there is. And why they are
 * not in the order of their sizes.
 */
static void
put_notes(const struct painter *p, const struct scene *scene,
	  const struct table *table, int used)
{
	int x = p->columns.name + used;
	char text[48], count[32];

	snprintf(text, sizeof(text), "  %s %s above",
		 canvas_is_ascii(p->canvas) ? "^" : "▲",
		 count_text(count, sizeof(count), table->scroll));
	if (table->scroll > 0)
		x += put_note(p, x, text);
	if (table->order.is_still)
		put_note(p, x, "  sorted once");
	else if (table_is_waiting(table, scene))
		put_note(p, x, "  order held");
}

/* Beside the column that is sorted by. */
static const char *
sort_mark(const struct table *table, bool is_ascii)
{
	return table->order.is_still ? "=" : is_ascii ? "*" : "▾";
}

static void
draw_heading(struct painter *p, const struct scene *scene,
	     const struct table *table)
{
	const struct side_words sides = change_words(scene);
	static const char *const words[] = { "SELF", "5 s", "TOTAL", "5 s",
					     "CHANGE", "FUNCTION", "MODULE" };
	const int recent = p->columns.recent;
	const int x[] = { p->columns.self, p->trends_total ? 0 : recent,
			  p->columns.total, p->trends_total ? recent : 0,
			  p->columns.change, p->columns.name,
			  p->columns.module };
	bool is_ascii = canvas_is_ascii(p->canvas);
	char text[32];

	p->style = STYLE_TITLE;
	p->flags = 0;
	canvas_fill(p->canvas, (struct rect){ p->area.x, p->y, p->area.width,
					      1 }, STYLE_TITLE, 0);
	if (p->columns.self_count) {
		put_right(p, p->columns.self_count, ROW_COUNT, "samples");
		put_right(p, p->columns.total_count, ROW_COUNT, "samples");
	}
	if (p->columns.trend)
		put_right(p, p->columns.trend, TREND_CELLS, "trend");
	if (p->columns.now) {
		put_right(p, p->columns.now, ROW_COUNT, sides.now);
		put_right(p, p->columns.before, ROW_COUNT, sides.base);
	}
	for (int i = 0; i < COLUMN_COUNT; i++) {
		bool is_sorted = (int)table->column == i;

		if (i > 0 && x[i] == 0)
			continue;
		p->flags = is_sorted ? CELL_BOLD | CELL_UNDERLINE : 0;
		snprintf(text, sizeof(text), "%s%s", words[i],
			 is_sorted ? sort_mark(table, is_ascii) : "");
		if (i < BY_FUNCTION)
			put_right(p, x[i], ROW_SHARE, text);
		else
			put_left(p, x[i], p->area.width, text);
	}
	p->flags = 0;
	put_notes(p, scene, table, text_width(words[BY_FUNCTION]) +
				   (table->column == BY_FUNCTION));
}

static void
draw_row(struct painter *p, const struct scene *scene,
	 const struct function_row *row, bool is_cursor)
{
	const struct columns *c = &p->columns;
	bool is_on = search_is_on(scene->search);
	bool is_hit = search_hits(scene->search, row->func);
	bool is_ascii = canvas_is_ascii(p->canvas);
	struct table_weight weight = table_weight(scene, row);
	char label[2048];

	p->style = is_cursor ? STYLE_SELECTED : STYLE_TEXT;
	p->flags = is_on && !is_hit && !is_cursor ? CELL_DIM : 0;
	canvas_fill(p->canvas, (struct rect){ p->area.x, p->y, p->area.width,
					      1 }, p->style, p->flags);
	put_weight(p, c->self, c->self_count, weight.self);
	put_weight(p, c->total, c->total_count, weight.total);
	put_bar(p, weight.self);
	if (c->change)
		put_change(p, scene, row);
	if (c->recent) {
		share_text(label, sizeof(label), p->trends_total ?
			   row->recent_total : row->recent_self,
			   p->recent_whole);
		put_right(p, c->recent, ROW_SHARE, label);
	}
	if (c->trend)
		put_trend(p, scene, row->func);
	if (c->module) {
		label_fit(label, sizeof(label),
			  names_module(scene->names, row->func),
			  c->module_width, is_ascii);
		put_left(p, c->module, c->module_width, label);
	}
	if (is_on && is_hit) {
		p->style = is_cursor ? STYLE_SELECTED : STYLE_HIT;
		p->flags = CELL_BOLD;
	}
	label_fit(label, sizeof(label), names_text(scene->names, row->func),
		  c->name_width, is_ascii);
	put_left(p, c->name, c->name_width, label);
}

static uint64_t
recent_whole(const struct scene *scene)
{
	return scene->shares == SHARES_OF_ALL ?
	       picture_recent_whole(scene->picture) :
	       picture_recent_total(scene->picture);
}

void
table_draw(const void *state, const struct scene *scene, struct canvas *canvas,
	   struct rect area)
{
	const struct table *table = state;
	struct painter p = { .canvas = canvas, .area = area, .y = area.y,
			     .columns = columns_of(table, area.width),
			     .whole = shares_whole(scene, NODE_NONE),
			     .trends_total = table_trends_total(table) };
	size_t i = table->scroll;

	if (area.height < 1)
		return;
	if (p.columns.recent)
		p.recent_whole = recent_whole(scene);
	draw_heading(&p, scene, table);
	for (p.y++; p.y < area.y + area.height && i < table->sorted; i++) {
		draw_row(&p, scene, &table->rows[i], i == table->cursor);
		p.y++;
	}
	if (table->count == 0) {
		p.style = STYLE_DIM;
		put_left(&p, 1, area.width, "No samples here.");
	}
}
