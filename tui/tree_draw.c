/* SPDX-License-Identifier: MIT */
/*
 * tree_draw.c - the call tree's rows to cells.
 */
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "tui/change.h"
#include "tui/row.h"
#include "tui/shares.h"
#include "tui/text.h"
#include "tui/tree.h"

#define BARS_FROM 60		/* widths from which there are these */
#define COUNTS_FROM 90
#define MODULE_FROM 76
#define CHANGE_CELLS 6		/* "+12.3" */
#define INDENT 2		/* cells for each level */
#define HOLD_FROM 60

/* Where the columns are; 0: no room for it. */
struct columns {
	int total, change, bar, count, self, name, module;
	int name_width, module_width;
};

struct painter {
	const struct tree *tree;
	const struct scene *scene;
	const struct calltree *calls;
	struct columns columns;
	struct row row;
	int shift;		/* cells that all names stand further left */
};

static struct columns
columns_of(int width, bool has_changes)
{
	struct columns c = { .total = 1 };
	int x = c.total + ROW_SHARE + 1;

	if (has_changes) {
		c.change = x;
		x += CHANGE_CELLS + 1;
	}
	if (width >= BARS_FROM) {
		c.bar = x;
		x += ROW_BAR + 1;
	}
	if (width >= COUNTS_FROM) {
		c.count = x;
		x += ROW_COUNT + 1;
	}
	c.self = x;
	c.name = x + ROW_SHARE + 2;
	if (width >= MODULE_FROM) {
		c.module_width = width / 5 < 28 ? width / 5 : 28;
		c.module = width - c.module_width;
	}
	c.name_width = (c.module ? c.module - 1 : width) - c.name;
	return c;
}

static void
draw_heading(struct painter *p)
{
	const struct columns *c = &p->columns;

	p->row.style = STYLE_TITLE;
	p->row.flags = 0;
	row_fill(&p->row);
	row_right(&p->row, c->total, ROW_SHARE, "TOTAL");
	if (c->change)
		row_right(&p->row, c->change, CHANGE_CELLS, "DIFF");
	if (c->count)
		row_right(&p->row, c->count, ROW_COUNT, "samples");
	row_right(&p->row, c->self, ROW_SHARE, "SELF");
	row_left(&p->row, c->name, c->name_width, "CALL TREE");
	if (c->module)
		row_left(&p->row, c->module, c->module_width, "MODULE");
	if (p->tree->is_waiting && p->row.width >= HOLD_FROM)
		row_right(&p->row, c->name, c->name_width, "order held ");
}

/* "▾" open, "▸" there is more, " " nothing is called from here. */
static const char *
mark_of(const struct painter *p, const struct tree_row *row)
{
	bool is_ascii = canvas_is_ascii(p->row.canvas);
	struct weights weights = picture_weights(p->scene->picture);
	node_id child = calltree_first(p->calls, row->node);

	while (child != NODE_NONE && weights_total(&weights, child) == 0)
		child = calltree_next(p->calls, child);
	if (child == NODE_NONE)
		return " ";
	if (row->is_open)
		return is_ascii ? "-" : "▾";
	return is_ascii ? "+" : "▸";
}

/* On its colour, but for the cursor's row. */
static void
draw_change(const struct painter *p, const struct tree_row *row)
{
	struct difference d = change_of(p->scene, row->node, 0);
	struct row cell = p->row;
	char text[16];

	if (cell.style == STYLE_TEXT)
		cell.style = change_style(&d);
	row_right(&cell, p->columns.change, CHANGE_CELLS,
		  diff_word(text, sizeof(text), &d));
}

static const char *
node_name(const struct painter *p, node_id node)
{
	return shares_frame(p->scene, calltree_func(p->calls, node));
}

/* "main › run › loop (3)"; what does not fit between first and last is "…". */
static void
chain_label(const struct painter *p, const struct tree_row *row, int width,
	    char *out, size_t size)
{
	bool is_ascii = canvas_is_ascii(p->row.canvas);
	const char *arrow = is_ascii ? " > " : " › ";
	char count[16], name[1024], first[512];
	int room;

	snprintf(count, sizeof(count), " (%u)", row->links);
	snprintf(out, size, "%s%s%s%s%s", node_name(p, row->first), arrow,
		 row->links > 2 ? is_ascii ? "~" : "…" : "",
		 row->links > 2 ? arrow : "", node_name(p, row->node));
	if (row->links == 3)
		snprintf(out, size, "%s%s%s%s%s", node_name(p, row->first),
			 arrow, node_name(p, calltree_parent(p->calls,
							      row->node)),
			 arrow, node_name(p, row->node));
	room = width - text_width(count);
	if (text_width(out) > room) {
		label_fit(first, sizeof(first), node_name(p, row->first),
			  room / 2 - 3, is_ascii);
		label_fit(name, sizeof(name), node_name(p, row->node),
			  room - text_width(first) - 3, is_ascii);
		snprintf(out, size, "%s%s%s", first, arrow, name);
	}
	if (strlen(out) + strlen(count) < size)
		strcat(out, count);
}

/* Does the search find any of the functions in ROW? */
static bool
is_hit(const struct painter *p, const struct tree_row *row)
{
	node_id node = row->node;

	if (!search_is_on(p->scene->search))
		return false;
	for (uint32_t i = 0; i < row->links && node != NODE_NONE; i++) {
		func_id func = calltree_func(p->calls, node);

		if (func != FUNC_NONE && search_hits(p->scene->search, func))
			return true;
		node = calltree_parent(p->calls, node);
	}
	return false;
}

static void
draw_name(struct painter *p, const struct tree_row *row, bool is_cursor)
{
	const struct columns *c = &p->columns;
	int indent = (int)row->level * INDENT - p->shift;
	int width = c->name_width;
	char label[2048];

	if (indent < 0)
		indent = 0;
	width -= indent + 2;
	if (width < 3)
		return;
	row_left(&p->row, c->name + indent, 1, mark_of(p, row));
	if (is_hit(p, row)) {
		p->row.style = is_cursor ? STYLE_SELECTED : STYLE_HIT;
		p->row.flags = CELL_BOLD;
	}
	if (row->links > 1)
		chain_label(p, row, width, label, sizeof(label));
	else
		label_fit(label, sizeof(label), node_name(p, row->node), width,
			  canvas_is_ascii(p->row.canvas));
	row_left(&p->row, c->name + indent + 2, width, label);
}

static void
draw_row(struct painter *p, const struct tree_row *row, bool is_cursor)
{
	const struct columns *c = &p->columns;
	const uint32_t *marks = hits_marks(&p->tree->hits);
	uint64_t whole = shares_whole(p->scene,
				      calltree_parent(p->calls, row->first));
	struct weights weights = picture_weights(p->scene->picture);
	func_id func = calltree_func(p->calls, row->node);
	bool is_dim = marks && !marks[row->node];
	char label[256];

	p->row.style = is_cursor ? STYLE_SELECTED : STYLE_TEXT;
	p->row.flags = is_dim && !is_cursor ? CELL_DIM : 0;
	row_fill(&p->row);
	row_share(&p->row, c->total, row->total, whole);
	if (c->change)
		draw_change(p, row);
	if (c->bar)
		row_bar(&p->row, c->bar, row->total, whole);
	if (c->count)
		row_right(&p->row, c->count, ROW_COUNT,
			  count_text(label, sizeof(label), row->total));
	row_share(&p->row, c->self, weights_self(&weights, row->node), whole);
	if (c->module && func != FUNC_NONE)
		row_left(&p->row, c->module, c->module_width,
			 label_fit(label, sizeof(label),
				   names_module(p->scene->names, func),
				   c->module_width,
				   canvas_is_ascii(p->row.canvas)));
	draw_name(p, row, is_cursor);
}

/* Deep ones further left, so that the cursor's name can be read. */
static int
shift_of(const struct painter *p)
{
	const struct tree *tree = p->tree;
	int room = p->columns.name_width / 2, indent;

	if (tree->row >= tree->count)
		return 0;
	indent = (int)tree->rows[tree->row].level * INDENT;
	return indent > room ? indent - room : 0;
}

void
tree_draw(const void *state, const struct scene *scene, struct canvas *canvas,
	  struct rect area)
{
	const struct tree *tree = state;
	struct painter p = { .tree = tree, .scene = scene,
			     .calls = picture_tree(scene->picture),
			     .columns = columns_of(area.width,
						    change_is_on(scene)),
			     .row = { .canvas = canvas, .x = area.x,
				      .y = area.y, .width = area.width } };
	size_t i = tree->scroll;

	if (area.height < 1)
		return;
	p.shift = shift_of(&p);
	draw_heading(&p);
	while (++p.row.y < area.y + area.height && i < tree->count) {
		draw_row(&p, &tree->rows[i], i == tree->row);
		i++;
	}
}
