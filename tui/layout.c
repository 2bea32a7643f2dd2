/* SPDX-License-Identifier: MIT */
/*
 * layout.c - where every frame of a flame graph stands, in whole cells.
 */
#include "tui/layout.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* Edges are compared in 1/1024 of a cell, rounded down from exact. */
#define CELL 1024
#define EDGE_SLACK (CELL * 9 / 10)	/* an edge may be off by so much */
#define WIDTH_SLACK CELL		/* and a frame's width by so much */
#define EDGE_WRONG (CELL * 5 / 4)	/* a bin's cell pushes none so far */
#define WRONG_LAYOUTS 3			/* one is wrong so often: round all */
#define ROWS_KEPT 256			/* below the screen, for coming back */

/* A frame that has a box keeps it down to 7/10 of a cell. */
#define KEEP_TENTHS 7

struct layout_child {
	node_id node;
	uint64_t weight;
	uint32_t was;
	bool is_kept;
};

/* One layout in the making. */
struct pass {
	struct layout *layout;
	const struct layout_wish *wish;
	size_t path_len;		/* rows of LAYOUT's path in use */
	uint64_t thinnest, thinnest_old; /* weights that get a box */
	bool is_fresh;			/* order by size, round all edges */
	bool is_rounding;		/* round all edges */
	bool is_wrong;

	/* The frame at hand: its children with a box, and the others. */
	size_t count;
	uint64_t hidden_weight;
	uint32_t hidden;
	bool has_hidden_hit;
};

/* Where the sum WEIGHT falls, in 1/CELL of a cell; never beyond the width. */
static int64_t
exact(const struct pass *p, uint64_t weight)
{
	unsigned __int128 scaled = weight;
	uint64_t width = (uint64_t)p->layout->width * CELL;

	if (p->layout->base == 0)
		return 0;
	scaled = scaled * width / p->layout->base;
	return (int64_t)(scaled < width ? scaled : width);
}

/* The least weight that takes TENTHS of a cell. */
static uint64_t
weight_of(const struct pass *p, unsigned tenths)
{
	unsigned __int128 cells = (unsigned __int128)p->layout->width * 10;

	if (p->layout->width <= 0)
		return UINT64_MAX;
	return (uint64_t)(((unsigned __int128)p->layout->base * tenths +
			   cells - 1) / cells);
}

static int
rounded(int64_t at)
{
	return (int)((at + CELL / 2) / CELL);
}

static bool
is_within(int64_t off, int64_t slack)
{
	return off <= slack && off >= -slack;
}

/* The cell for an edge at the sum WEIGHT; OLD is where it was, or -1. */
static int
edge(const struct pass *p, uint64_t weight, int old)
{
	int64_t at = exact(p, weight);

	if (!p->is_rounding && old >= 0 &&
	    is_within(at - (int64_t)old * CELL, EDGE_SLACK))
		return old;
	return rounded(at);
}

/*
 * The same for the right edge of BOX, which must not become much too wide or
 * narrow by it: there would be no room for its children.
 */
static int
right_edge(const struct pass *p, const struct box *box, uint64_t weight,
	   int old)
{
	int at = edge(p, weight, old);
	int64_t right = exact(p, weight), width = right - exact(p, box->start);

	if (is_within(width - (int64_t)(at - box->left) * CELL, WIDTH_SLACK))
		return at;
	return rounded(right);
}

static int
clamp(int value, int least, int most)
{
	value = value < most ? value : most;
	return value > least ? value : least;
}

static uint32_t
push(struct layout *l, struct box box)
{
	l->boxes = grow(l->boxes, l->count, &l->capacity, sizeof(*l->boxes));
	l->boxes[l->count] = box;
	return (uint32_t)l->count++;
}

/* The box that CHILD had below the old box PARENT. */
static uint32_t
find_old(const struct layout *l, uint32_t parent, node_id child)
{
	const struct box *old;

	if (parent == BOX_NONE)
		return BOX_NONE;
	old = &l->old[parent];
	for (uint32_t i = old->first; i < old->first + old->count; i++)
		if (l->old[i].node == child && l->old[i].kind == BOX_FRAME)
			return i;
	return BOX_NONE;
}

static void
hide(struct pass *p, node_id node, uint64_t weight)
{
	if (weight == 0)
		return;
	p->hidden++;
	p->hidden_weight += weight;
	if (p->wish->marks && p->wish->marks[node])
		p->has_hidden_hit = true;
}

/* Tell PARENT's children that get a box from those that do not. */
static void
collect(struct pass *p, const struct box *parent, size_t row)
{
	const struct calltree *tree = p->wish->tree;
	struct layout *l = p->layout;
	node_id kept = row + 1 < p->path_len ? l->path[row + 1] : NODE_NONE;

	p->count = p->hidden = 0;
	p->hidden_weight = 0;
	p->has_hidden_hit = false;
	for (node_id node = calltree_first(tree, parent->node);
	     node != NODE_NONE; node = calltree_next(tree, node)) {
		struct layout_child c = { node, calltree_total(tree, node),
					  BOX_NONE, node == kept };

		if (row == 0 && !zoom_shows(p->wish->zoom, node))
			continue;
		if ((c.weight > 0 && c.weight >= p->thinnest_old) || c.is_kept)
			c.was = find_old(l, parent->was, node);
		if (!c.is_kept && (c.was == BOX_NONE || c.weight == 0) &&
		    (c.weight < p->thinnest || c.weight == 0)) {
			hide(p, node, c.weight);
			continue;
		}
		l->children = grow(l->children, p->count, &l->child_capacity,
				   sizeof(*l->children));
		l->children[p->count++] = c;
	}
}

/* What is kept first, then the biggest. */
static int
compare_sizes(const void *a, const void *b)
{
	const struct layout_child *x = a, *y = b;

	if (x->is_kept != y->is_kept)
		return x->is_kept ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Edges that lag behind may leave too few cells: the thinnest give way. */
static void
make_room(struct pass *p, size_t cells)
{
	struct layout_child *c = p->layout->children;

	if (p->count <= cells)
		return;
	qsort(c, p->count, sizeof(*c), compare_sizes);
	while (p->count > cells) {
		p->count--;
		hide(p, c[p->count].node, c[p->count].weight);
	}
}

/* As they stood before; those that are new behind, the biggest first. */
static int
compare_children(const void *a, const void *b)
{
	const struct layout_child *x = a, *y = b;

	if (x->was != y->was)
		return x->was < y->was ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Is C so much bigger than the one on its left that it may pass? */
static bool
may_pass(const struct pass *p, const struct layout_child *c)
{
	uint64_t left = c[-1].weight;

	return c->weight > left && c->weight - left > left / 4 &&
	       exact(p, c->weight - left) > CELL * 3 / 2;
}

static void
order(struct pass *p)
{
	struct layout_child *c = p->layout->children, moved;

	if (p->count > 1)
		qsort(c, p->count, sizeof(*c), compare_children);
	for (size_t i = 1; i < p->count; i++) {
		for (size_t j = i; j > 0 && may_pass(p, &c[j]); j--) {
			if (p->wish->is_held) {
				p->layout->is_waiting = true;
				return;
			}
			moved = c[j];
			c[j] = c[j - 1];
			c[j - 1] = moved;
		}
	}
}

/* Where the right edge of child I was: its own, or its neighbour's left. */
static int
old_edge(const struct pass *p, size_t i)
{
	const struct layout_child *c = p->layout->children;

	if (c[i].was != BOX_NONE)
		return p->layout->old[c[i].was].right;
	if (i + 1 < p->count && c[i + 1].was != BOX_NONE)
		return p->layout->old[c[i + 1].was].left;
	return -1;
}

/* Where PARENT's bin ended before, or -1. */
static int
old_bin_edge(const struct pass *p, const struct box *parent)
{
	const struct box *old;

	if (parent->was == BOX_NONE)
		return -1;
	old = &p->layout->old[parent->was];
	for (uint32_t i = 0; i < old->count; i++)
		if (p->layout->old[old->first + i].kind == BOX_BIN)
			return p->layout->old[old->first + i].right;
	return -1;
}

/* A kept frame may be wider than it is: then its siblings are off, too. */
static void
check_edge(struct pass *p, int at, uint64_t weight)
{
	int64_t off = exact(p, weight) - (int64_t)at * CELL;

	for (size_t i = 0; i < p->count; i++)
		if (p->layout->children[i].is_kept &&
		    p->layout->children[i].weight < p->thinnest)
			return;
	if (!is_within(off, EDGE_WRONG))
		p->is_wrong = true;
}

/*
 * Stand the children side by side in PARENT (a copy: boxes move). What gets
 * no box at all, less than half a cell, is shared by its two neighbours.
 */
static void
place(struct pass *p, uint32_t index, struct box parent, uint64_t self,
      bool has_bin)
{
	struct layout *l = p->layout;
	uint64_t sum = parent.start, shared = has_bin ? 0 : p->hidden_weight;
	int at = parent.left, bin_end;

	bin_end = has_bin && self ? edge(p, parent.start + parent.weight - self,
					 old_bin_edge(p, &parent))
				  : parent.right;
	for (size_t i = 0; i < p->count; i++) {
		const struct layout_child *c = &l->children[i];
		bool is_last = i + 1 == p->count;
		uint64_t end = sum + c->weight + (is_last ? shared / 2 : 0);
		int most = parent.right - (int)(p->count - 1 - i) - has_bin;
		struct box box = { .node = c->node, .left = at, .parent = index,
				   .was = c->was, .start = sum,
				   .weight = c->weight };

		sum += c->weight;
		box.right = right_edge(p, &box, end, old_edge(p, i));
		if (is_last && has_bin && box.right >= bin_end)
			box.right = (int)(exact(p, sum + p->hidden_weight / 2) /
					  CELL);
		if (is_last && !has_bin && self == 0)
			box.right = parent.right;
		else
			box.right = clamp(box.right, at + 1, most);
		check_edge(p, box.right, end);
		at = box.right;
		push(l, box);
	}
	if (has_bin) {
		bin_end = clamp(bin_end, at + 1, parent.right);
		push(l, (struct box){ .node = parent.node, .kind = BOX_BIN,
				      .left = at, .right = bin_end,
				      .parent = index, .was = BOX_NONE,
				      .hidden = p->hidden, .start = sum,
				      .weight = p->hidden_weight,
				      .has_hit = p->has_hidden_hit });
		at = bin_end;
	}
	if (self > 0 && at < parent.right)
		push(l, (struct box){ .node = parent.node, .kind = BOX_SELF,
				      .left = at, .right = parent.right,
				      .parent = index, .was = BOX_NONE,
				      .start = parent.start + parent.weight -
					       self,
				      .weight = self });
}

static void
lay_below(struct pass *p, uint32_t index, size_t row)
{
	const struct layout_wish *wish = p->wish;
	struct layout *l = p->layout;
	struct box parent = l->boxes[index];
	size_t cells = (size_t)(parent.right - parent.left);
	uint64_t self = calltree_self(wish->tree, parent.node);
	bool has_bin;

	if (parent.kind != BOX_FRAME && index != 0)
		return;
	if (row == 0 && wish->zoom->is_bin)
		self = 0;
	collect(p, &parent, row);
	make_room(p, cells);
	order(p);
	if (parent.kind == BOX_BIN)
		l->boxes[index].hidden = p->hidden + (uint32_t)p->count;
	has_bin = p->hidden > 0 && p->count < cells &&
		  (exact(p, p->hidden_weight) >= CELL / 2 ||
		   (p->count == 0 && self == 0) ||
		   (wish->keeps_bin && parent.node == wish->keep));
	l->boxes[index].first = (uint32_t)l->count;
	place(p, index, parent, self, has_bin);
	l->boxes[index].count = (uint32_t)l->count - l->boxes[index].first;
}

/* The way from the top down to the frame to keep, one node for each row. */
static void
find_path(struct pass *p)
{
	const struct calltree *tree = p->wish->tree;
	struct layout *l = p->layout;
	node_id node = p->wish->keep;
	size_t top = calltree_depth(tree, p->wish->zoom->node), row;

	if (node == NODE_NONE || calltree_depth(tree, node) < top)
		return;
	row = calltree_depth(tree, node) - top;
	p->path_len = row + 1;
	l->path = grow(l->path, row, &l->path_capacity, sizeof(*l->path));
	for (; row > 0; node = calltree_parent(tree, node))
		l->path[row--] = node;
	if (node != p->wish->zoom->node)
		p->path_len = 0;
}

/* Make the layout at hand the one before. */
static void
begin(struct pass *p)
{
	struct layout *l = p->layout;
	struct box *boxes = l->old;
	size_t capacity = l->old_capacity;

	p->is_fresh = p->wish->is_fresh || l->width != p->wish->width ||
		      l->count == 0;
	p->is_rounding = p->is_fresh || l->wrong >= l->patience;
	l->old = l->boxes;
	l->old_count = l->count;
	l->old_capacity = l->capacity;
	l->boxes = boxes;
	l->capacity = capacity;
	l->count = l->nrows = 0;
	l->is_waiting = false;
	l->width = p->wish->width;
	l->base = zoom_weight(p->wish->zoom, p->wish->tree);
	p->thinnest = weight_of(p, 10);
	p->thinnest_old = p->is_rounding ? p->thinnest
					 : weight_of(p, KEEP_TENTHS);
}

static void
end_row(struct layout *l, size_t first)
{
	l->rows = grow(l->rows, l->nrows + 1, &l->row_capacity,
		       sizeof(*l->rows));
	l->rows[l->nrows++] = first;
	l->rows[l->nrows] = l->count;
}

void
layout_update(struct layout *layout, const struct layout_wish *wish)
{
	struct pass p = { .layout = layout, .wish = wish };
	size_t rows = wish->rows, first = 0, end;

	/* rows that went out of sight keep their order for a while */
	if (rows < layout->nrows)
		rows = layout->nrows < rows + ROWS_KEPT ? layout->nrows
							: rows + ROWS_KEPT;
	begin(&p);
	if (wish->width <= 0)
		return;
	find_path(&p);
	push(layout, (struct box){ .node = wish->zoom->node,
				   .kind = wish->zoom->is_bin ? BOX_BIN
							      : BOX_FRAME,
				   .right = wish->width, .parent = BOX_NONE,
				   .was = p.is_fresh ? BOX_NONE : 0,
				   .weight = layout->base });
	end_row(layout, 0);
	while (layout->nrows < rows && first < layout->count) {
		end = layout->count;
		for (size_t i = first; i < end; i++)
			lay_below(&p, (uint32_t)i, layout->nrows - 1);
		first = end;
		if (layout->count > first)
			end_row(layout, first);
	}
	layout->wrong = p.is_wrong && !p.is_rounding ? layout->wrong + 1 : 0;
	if (p.is_fresh || layout->patience == 0)
		layout->patience = WRONG_LAYOUTS;
	else if (p.is_rounding && layout->patience < 1000)
		layout->patience *= 4;	/* it may be wrong again at once */
}

void
layout_fini(struct layout *layout)
{
	free(layout->boxes);
	free(layout->old);
	free(layout->rows);
	free(layout->children);
	free(layout->path);
	memset(layout, 0, sizeof(*layout));
}

void
layout_remap(struct layout *layout, const node_id *map, size_t count)
{
	for (size_t i = 0; i < layout->count; i++)
		if (layout->boxes[i].node < count)
			layout->boxes[i].node = map[layout->boxes[i].node];
}

uint32_t
layout_find(const struct layout *layout, size_t row, node_id node,
	    enum box_kind kind)
{
	if (row >= layout->nrows)
		return BOX_NONE;
	for (size_t i = layout->rows[row]; i < layout->rows[row + 1]; i++)
		if (layout->boxes[i].node == node &&
		    layout->boxes[i].kind == kind)
			return (uint32_t)i;
	return BOX_NONE;
}
