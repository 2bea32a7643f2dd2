/* SPDX-License-Identifier: MIT */
/*
 * view_table.c - all functions as a table.
 *
 *	  SELF▾                 TOTAL                FUNCTION      MODULE
 *	 41.2 %         1,204  55.0 %         1,607  inflate_fast  libz.so.1
 *
 * The cursor stays on its function while rows change places around it; on the
 * first row it stays there, whoever leads. Rows are copied and sorted when
 * counts or names changed, not when keys are pressed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/table.h"

/* What rows are compared with. */
struct sorting {
	const struct scene *scene;
	const struct names *names;
	enum column column;
};

struct difference
table_change(const struct scene *scene, const struct function_row *row)
{
	return diff_judge(row->total, picture_total(scene->picture),
			  row->base_total,
			  picture_base_total(scene->picture, 0));
}

/* The largest sure change first, more before less; what is unsure last. */
static int
by_change(const struct scene *scene, const struct function_row *a,
	  const struct function_row *b)
{
	struct difference one = table_change(scene, a);
	struct difference two = table_change(scene, b);
	double x = one.verdict == DIFF_UNSURE ? 0 : fabs(one.change);
	double y = two.verdict == DIFF_UNSURE ? 0 : fabs(two.change);

	if (x != y)
		return x > y ? -1 : 1;
	return (one.change < two.change) - (one.change > two.change);
}

static int
by_weight(uint64_t a, uint64_t b)
{
	return a == b ? 0 : a > b ? -1 : 1;
}

static int
compare_rows(const void *x, const void *y, void *ctx)
{
	const struct function_row *a = x, *b = y;
	const struct sorting *sorting = ctx;
	int order = 0;

	if (sorting->column == BY_FUNCTION)
		order = strcmp(names_text(sorting->names, a->func),
			       names_text(sorting->names, b->func));
	else if (sorting->column == BY_MODULE)
		order = strcmp(names_module(sorting->names, a->func),
			       names_module(sorting->names, b->func));
	else if (sorting->column == BY_CHANGE)
		order = by_change(sorting->scene, a, b);
	else if (sorting->column == BY_RECENT)
		order = by_weight(a->recent_self, b->recent_self);
	if (order == 0 && sorting->column != BY_TOTAL)
		order = by_weight(a->self, b->self);
	if (order == 0)
		order = by_weight(a->total, b->total);
	if (order == 0)
		order = by_weight(a->self, b->self);
	return order ? order : (a->func > b->func) - (a->func < b->func);
}

/* A number that changes when the rows or their order may have. */
static uint64_t
stamp_of(const struct table *table, const struct names *names,
	 const struct function_row *rows, size_t count)
{
	uint64_t stamp = 14695981039346656037ull + table->column; /* FNV */

	for (size_t i = 0; i < count; i++) {
		stamp = (stamp ^ rows[i].func) * 1099511628211ull;
		stamp = (stamp ^ rows[i].self) * 1099511628211ull;
		stamp = (stamp ^ rows[i].total) * 1099511628211ull;
		stamp = (stamp ^ rows[i].base_total) * 1099511628211ull;
		stamp = (stamp ^ rows[i].recent_self) * 1099511628211ull;
		if (table->column == BY_FUNCTION)
			stamp += names_get(names, rows[i].func)->name;
	}
	return stamp | 1;
}

static void
take_rows(struct table *table, const struct scene *scene)
{
	size_t count;
	const struct function_row *rows = picture_functions(scene->picture,
							    &count);
	struct sorting sorting = { scene, scene->names, table->column };
	uint64_t stamp = stamp_of(table, scene->names, rows, count);

	if (stamp == table->stamp && count == table->count)
		return;
	table->stamp = stamp;
	table->count = count;
	table->rows = grow(table->rows, count, &table->capacity,
			   sizeof(*table->rows));
	if (count == 0)
		return;
	memcpy(table->rows, rows, count * sizeof(*rows));
	qsort_r(table->rows, count, sizeof(*rows), compare_rows, &sorting);
}

/* The row that FUNC is in now; FALLBACK if it is in none. */
static size_t
row_of(const struct table *table, const struct names *names, func_id func,
       size_t fallback)
{
	if (func == FUNC_NONE || func >= names_count(names))
		return fallback;
	func = names_final(names, func);
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].func == func)
			return i;
	return fallback;
}

static void
set_cursor(struct table *table, size_t row)
{
	if (row >= table->count)
		row = table->count ? table->count - 1 : 0;
	table->cursor = row;
	table->func = table->count ? table->rows[row].func : FUNC_NONE;
}

static void
scroll_to_cursor(struct table *table)
{
	size_t page = table->page ? table->page : 1;

	if (table->scroll > table->cursor)
		table->scroll = table->cursor;
	if (table->scroll + page <= table->cursor)
		table->scroll = table->cursor + 1 - page;
	if (table->scroll + page > table->count)
		table->scroll = table->count > page ? table->count - page : 0;
}

static unsigned
rank_of_hit(const struct table *table, const struct search *search)
{
	unsigned rank = 0;

	if (!search_is_on(search) || table->count == 0 ||
	    !search_hits(search, table->rows[table->cursor].func))
		return 0;
	for (size_t i = 0; i <= table->cursor; i++)
		rank += search_hits(search, table->rows[i].func);
	return rank;
}

static bool
has_column(const struct table *table, enum column column)
{
	return (column != BY_CHANGE || table->has_changes) &&
	       (column != BY_RECENT || table->has_recent);
}

static void
settle(struct table *table, const struct scene *scene)
{
	if (!table->is_begun) {
		table->func = FUNC_NONE;
		table->is_begun = true;
	}
	table->has_changes = picture_baseline(scene->picture) != NULL;
	table->has_recent = !table->has_changes &&
			    picture_recent_total(scene->picture) > 0;
	if (!has_column(table, table->column))
		table->column = BY_SELF;
	take_rows(table, scene);
	/* on top: follow the leader; elsewhere: the function */
	set_cursor(table, table->cursor == 0
				  ? 0
				  : row_of(table, scene->names, table->func,
					   table->cursor));
	scroll_to_cursor(table);
	table->hit = rank_of_hit(table, scene->search);
}

static void
table_layout(void *state, const struct scene *scene, int width, int height)
{
	struct table *table = state;

	table->width = width;
	table->page = height > 1 ? (size_t)height - 1 : 0;
	settle(table, scene);
}

static void
move_by(struct table *table, long step)
{
	long row = (long)table->cursor + step;

	set_cursor(table, row > 0 ? (size_t)row : 0);
}

static void
sort_by(struct table *table, const struct scene *scene, enum column column)
{
	func_id func = table->func;

	table->column = column;
	take_rows(table, scene);
	/* to look at another column is no reason to look at another function */
	set_cursor(table, row_of(table, scene->names, func, 0));
}

/* Some columns are there only where there is something to show. */
static enum column
next_column(const struct table *table, int step)
{
	enum column column = table->column;

	do
		column = (enum column)(((int)column + COLUMN_COUNT + step) %
				       COLUMN_COUNT);
	while (!has_column(table, column));
	return column;
}

static void
go_to_hit(struct table *table, const struct scene *scene, bool is_back)
{
	size_t step = is_back ? table->count - 1 : 1, row = table->cursor;

	if (!search_is_on(scene->search)) {
		table->notice = "nothing is searched for";
		return;
	}
	for (size_t i = 0; i < table->count; i++) {
		row = (row + step) % table->count;
		if (!search_hits(scene->search, table->rows[row].func))
			continue;
		if (is_back ? row >= table->cursor : row <= table->cursor)
			table->notice = is_back ? "search goes on at the bottom"
						: "search goes on at the top";
		set_cursor(table, row);
		return;
	}
	table->notice = "no hit in this table";
}

/* False: ACTION is none of ours. */
static bool
carry_out(struct table *table, const struct scene *scene, enum action action)
{
	long page = table->page > 1 ? (long)table->page - 1 : 1;

	switch (action) {
	case ACTION_UP:
		move_by(table, -1);
		return true;
	case ACTION_DOWN:
		move_by(table, 1);
		return true;
	case ACTION_PAGE_UP:
		move_by(table, -page);
		return true;
	case ACTION_PAGE_DOWN:
		move_by(table, page);
		return true;
	case ACTION_TOP:
		set_cursor(table, 0);
		return true;
	case ACTION_BOTTOM:
		set_cursor(table, SIZE_MAX);
		return true;
	case ACTION_SORT_LEFT:
	case ACTION_SORT_RIGHT:
		sort_by(table, scene,
			next_column(table, action == ACTION_SORT_LEFT ? -1 : 1));
		return true;
	case ACTION_NEXT:
	case ACTION_PREVIOUS:
		go_to_hit(table, scene, action == ACTION_PREVIOUS);
		return true;
	default:
		return false;
	}
}

static bool
table_act(void *state, const struct scene *scene, enum action action)
{
	struct table *table = state;
	bool is_ours;

	table->notice = NULL;
	settle(table, scene);
	is_ours = carry_out(table, scene, action);
	settle(table, scene);
	return is_ours;
}

static bool
table_click(void *state, const struct scene *scene, int x, int y)
{
	struct table *table = state;
	size_t row = table->scroll + (size_t)y - 1, before;

	table->notice = NULL;
	settle(table, scene);
	before = table->cursor;
	if (y == 0) {
		sort_by(table, scene, table_column_at(table, x));
		settle(table, scene);
		return false;
	}
	if (row >= table->count)
		return false;
	set_cursor(table, row);
	settle(table, scene);
	return row == before;
}

static struct focus
table_focus(const void *state, const struct scene *scene)
{
	const struct table *table = state;
	struct focus focus = { .node = NODE_NONE, .func = FUNC_NONE,
			       .base = picture_total(scene->picture),
			       .hit = table->hit, .notice = table->notice };
	const struct function_row *row;

	if (table->cursor >= table->count)
		return focus;
	row = &table->rows[table->cursor];
	if (row->func >= names_count(scene->names))
		return focus;
	focus.func = row->func;
	focus.self = row->self;
	focus.total = row->total;
	focus.base_total = row->base_total;
	return focus;
}

static void
table_show(void *state, const struct scene *scene, func_id func)
{
	struct table *table = state;

	settle(table, scene);
	set_cursor(table, row_of(table, scene->names, func, table->cursor));
	settle(table, scene);
}

/* Rows are by function, which no merge of nodes changes. */
static void
table_remap(void *state, const node_id *map, size_t count)
{
	struct table *table = state;

	(void)count;
	if (map)
		return;
	free(table->rows);
	memset(table, 0, sizeof(*table));
}

const struct view_ops view_table = {
	.name = "functions",
	.digit = '2',
	.state_size = sizeof(struct table),
	.layout = table_layout,
	.draw = table_draw,
	.act = table_act,
	.click = table_click,
	.focus = table_focus,
	.show = table_show,
	.remap = table_remap,
};
