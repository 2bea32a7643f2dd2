/* SPDX-License-Identifier: MIT */
/*
 * view_table.c - all functions as a table.
 *
 *	  SELF▾                 TOTAL                FUNCTION      MODULE
 *	 41.2 %         1,204  55.0 %         1,607  inflate_fast  libz.so.1
 *
 * The cursor stays on its function while rows change places around it; on the
 * first row it stays there, whoever leads. Rows are put in order when counts
 * or names changed, and only as many as are looked at.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/change.h"
#include "tui/table.h"

static void
set_cursor(struct table *table, const struct scene *scene, size_t row)
{
	if (row >= table->count)
		row = table->count ? table->count - 1 : 0;
	table_sort_to(table, scene, row + 1);
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
	       ((column != BY_RECENT && column != BY_RECENT_TOTAL) ||
		table->has_recent);
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
	table_take_rows(table, scene);
	/* on top: follow the leader; elsewhere: the function */
	set_cursor(table, scene, table->cursor == 0
				  ? 0
				  : table_row_of(table, scene, table->func,
					   table->cursor));
	scroll_to_cursor(table);
	table_sort_to(table, scene, table->scroll + table->page);
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
move_by(struct table *table, const struct scene *scene, long step)
{
	long row = (long)table->cursor + step;

	set_cursor(table, scene, row > 0 ? (size_t)row : 0);
}

static void
sort_by(struct table *table, const struct scene *scene, enum column column)
{
	func_id func = table->func;

	table->column = column;
	table_forget_order(table);
	table_take_rows(table, scene);
	/* to look at another column is no reason to look at another function */
	set_cursor(table, scene, table_row_of(table, scene, func, 0));
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
	table_sort_to(table, scene, table->count);
	for (size_t i = 0; i < table->count; i++) {
		row = (row + step) % table->count;
		if (!search_hits(scene->search, table->rows[row].func))
			continue;
		if (is_back ? row >= table->cursor : row <= table->cursor)
			table->notice = is_back ? "search goes on at the bottom"
						: "search goes on at the top";
		set_cursor(table, scene, row);
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
		move_by(table, scene, -1);
		return true;
	case ACTION_DOWN:
		move_by(table, scene, 1);
		return true;
	case ACTION_PAGE_UP:
		move_by(table, scene, -page);
		return true;
	case ACTION_PAGE_DOWN:
		move_by(table, scene, page);
		return true;
	case ACTION_TOP:
		set_cursor(table, scene, 0);
		return true;
	case ACTION_BOTTOM:
		set_cursor(table, scene, SIZE_MAX);
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
	case ACTION_RELAYOUT:
		table_sort_once(table);
		table->notice = "sorted once: numbers go on, rows stay";
		return true;
	case ACTION_PEEL:
		if (!table->order.is_still)
			return false;
		table_forget_order(table);
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
	set_cursor(table, scene, row);
	settle(table, scene);
	return row == before;
}

static struct focus
table_focus(const void *state, const struct scene *scene)
{
	const struct table *table = state;
	struct focus focus = { .node = NODE_NONE, .func = FUNC_NONE,
			       .view_func = FUNC_NONE,
			       .hit = table->hit, .notice = table->notice };
	const struct function_row *row;
	struct table_weight weight;

	if (table->cursor >= table->sorted)
		return focus;
	row = &table->rows[table->cursor];
	if (row->func >= names_count(scene->names))
		return focus;
	weight = table_weight(scene, row);
	focus.func = row->func;
	focus.self = weight.self;
	focus.total = weight.total;
	focus.both = change_row_both(scene, row);
	return focus;
}

static void
table_show(void *state, const struct scene *scene, func_id func)
{
	struct table *table = state;

	settle(table, scene);
	set_cursor(table, scene,
		   table_row_of(table, scene, func, table->cursor));
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
	free(table->candidates);
	table_free_order(&table->order);
	marks_fini(&table->marks);
	memset(table, 0, sizeof(*table));
}

static const struct hint table_hints[] = {
	{ ACTION_ZOOM, ACTION_NONE, "in graph" },
	{ ACTION_SORT_LEFT, ACTION_SORT_RIGHT, "sort" },
	{ ACTION_NONE, ACTION_NONE, NULL },
};

const struct view_ops view_table = {
	.name = "functions",
	.digit = '2',
	.hints = table_hints,
	.state_size = sizeof(struct table),
	.layout = table_layout,
	.draw = table_draw,
	.act = table_act,
	.click = table_click,
	.focus = table_focus,
	.show = table_show,
	.remap = table_remap,
};
