/* SPDX-License-Identifier: MIT */
/*
 * bin_list.c - the frames of a bin as rows.
 */
#include "tui/bin_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/row.h"
#include "tui/shares.h"
#include "tui/text.h"

#define HEAD_FROM 3		/* lines from which one is the heading */
#define BARS_FROM 40

void
bin_list_open(struct bin_list *list, struct zoom bin)
{
	bin_list_close(list);
	zoom_to(&list->bin, bin, (struct place){ 0 });
	list->is_open = true;
}

void
bin_list_close(struct bin_list *list)
{
	zoom_reset(&list->bin);
	free(list->rows);
	memset(list, 0, sizeof(*list));
}

struct zoom
bin_list_take(struct bin_list *list)
{
	struct zoom bin = list->bin.now;

	list->bin.now = (struct zoom){ 0 };
	bin_list_close(list);
	return bin;
}

node_id
bin_list_node(const struct bin_list *list)
{
	return list->row > 0 && list->row <= list->count
		       ? list->rows[list->row - 1].node
		       : NODE_NONE;
}

static int
compare_rows(const void *a, const void *b)
{
	const struct bin_row *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* All that the bin has now; one that holds the cursor may have no samples. */
static void
collect(struct bin_list *list, const struct weights *weights)
{
	const struct calltree *tree = weights->tree;

	list->count = 0;
	for (node_id node = calltree_first(tree, list->bin.now.node);
	     node != NODE_NONE; node = calltree_next(tree, node)) {
		uint64_t total = weights_total(weights, node);

		if (!zoom_shows(&list->bin.now, node) ||
		    (total == 0 && !(list->row && node == list->node)))
			continue;
		list->rows = grow(list->rows, list->count, &list->capacity,
				  sizeof(*list->rows));
		list->rows[list->count++] = (struct bin_row){ node, total };
	}
	if (list->count > 1)
		qsort(list->rows, list->count, sizeof(*list->rows),
		      compare_rows);
}

static void
find_row(struct bin_list *list)
{
	if (list->row == 0)
		return;
	for (size_t i = 0; i < list->count; i++)
		if (list->rows[i].node == list->node) {
			list->row = i + 1;
			return;
		}
	if (list->row > list->count)
		list->row = list->count;
	list->node = bin_list_node(list);
}

static void
fix_scroll(struct bin_list *list)
{
	size_t page = list->page ? list->page : 1, rows = list->count + 1;

	if (list->scroll > list->row)
		list->scroll = list->row;
	if (list->scroll + page <= list->row)
		list->scroll = list->row + 1 - page;
	if (list->scroll + page > rows)
		list->scroll = rows > page ? rows - page : 0;
}

void
bin_list_settle(struct bin_list *list, const struct scene *scene, int height,
		bool is_held)
{
	struct weights weights = picture_weights(scene->picture);

	if (!list->is_open)
		return;
	if (list->bin.now.node >= calltree_count(weights.tree)) {
		bin_list_close(list);
		return;
	}
	list->head = height >= HEAD_FROM;
	list->page = height > 0 ? (size_t)(height - list->head) : 1;
	list->weight = 0;
	for (size_t i = 0; is_held && i < list->count; i++)
		list->rows[i].total = weights_total(&weights,
						    list->rows[i].node);
	if (!is_held || !list->count)
		collect(list, &weights);
	for (size_t i = 0; i < list->count; i++)
		list->weight = add_saturating(list->weight,
					      list->rows[i].total);
	find_row(list);
	fix_scroll(list);
}

static void
go_to(struct bin_list *list, size_t row)
{
	list->row = row <= list->count ? row : list->count;
	list->node = bin_list_node(list);
	fix_scroll(list);
}

bool
bin_list_move(struct bin_list *list, enum action action)
{
	size_t page = list->page > 1 ? list->page - 1 : 1, row = list->row;

	switch (action) {
	case ACTION_UP:
		go_to(list, row > 0 ? row - 1 : 0);
		return true;
	case ACTION_DOWN:
		go_to(list, row + 1);
		return true;
	case ACTION_PAGE_UP:
		go_to(list, row > page ? row - page : 0);
		return true;
	case ACTION_PAGE_DOWN:
		go_to(list, row + page);
		return true;
	case ACTION_TOP:
		go_to(list, 0);
		return true;
	case ACTION_BOTTOM:
		go_to(list, list->count);
		return true;
	default:
		return false;
	}
}

bool
bin_list_click(struct bin_list *list, int y)
{
	size_t row;

	if (y < list->head)
		return false;
	row = list->scroll + (size_t)(y - list->head);
	if (row > list->count)
		return false;
	go_to(list, row);
	return true;
}

static void
draw_head(const struct bin_list *list, const struct scene *scene,
	  uint64_t whole, struct row *row)
{
	const struct calltree *tree = picture_tree(scene->picture);
	func_id func = calltree_func(tree, list->bin.now.node);
	char text[512], share[32], name[256];

	row->style = STYLE_TITLE;
	row_fill(row);
	label_fit(name, sizeof(name), shares_frame(scene, func),
		  row->width / 2, canvas_is_ascii(row->canvas));
	snprintf(text, sizeof(text), "+%zu of %s  %s", list->count, name,
		 share_text(share, sizeof(share), list->weight, whole));
	row_left(row, 1, row->width - 1, text);
}

static void
draw_row(const struct bin_list *list, const struct scene *scene, size_t i,
	 uint64_t whole, struct row *row)
{
	const struct calltree *tree = picture_tree(scene->picture);
	func_id func = calltree_func(tree, list->rows[i].node);
	bool has_bar = row->width >= BARS_FROM;
	int x = 1 + ROW_SHARE + 1 + (has_bar ? ROW_BAR + 1 : 0);
	char label[2048];

	row_share(row, 1, list->rows[i].total, whole);
	if (has_bar)
		row_bar(row, 1 + ROW_SHARE + 1, list->rows[i].total,
			list->rows[0].total);
	if (search_is_on(scene->search) && search_hits(scene->search, func)) {
		row->style = row->style == STYLE_BIN_ROW ? STYLE_HIT :
							   row->style;
		row->flags = CELL_BOLD;
	}
	label_fit(label, sizeof(label), names_text(scene->names, func),
		  row->width - x, canvas_is_ascii(row->canvas));
	row_left(row, x, row->width - x, label);
}

void
bin_list_draw(const struct bin_list *list, const struct scene *scene,
	      struct canvas *canvas, struct rect area)
{
	uint64_t whole = shares_whole(scene, list->bin.now.node);
	struct row row = { .canvas = canvas, .x = area.x, .y = area.y,
			   .width = area.width };
	size_t i = list->scroll;

	if (list->head)
		draw_head(list, scene, whole, &row);
	for (int y = list->head; y < area.height && i <= list->count; y++) {
		row.y = area.y + y;
		row.style = i == list->row ? STYLE_SELECTED : STYLE_BIN_ROW;
		row.flags = 0;
		row_fill(&row);
		if (i == 0)
			row_left(&row, 1, row.width - 1, "as a graph");
		else
			draw_row(list, scene, i - 1, whole, &row);
		i++;
	}
}

void
bin_list_remap(struct bin_list *list, const node_id *map, size_t count)
{
	zoom_remap(&list->bin, map, count);
	list->count = 0;	/* collected anew */
	if (list->node < count)
		list->node = map[list->node];
}
