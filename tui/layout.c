/* SPDX-License-Identifier: MIT */
/*
 * layout.c - where every frame of a flame graph stands, row by row.
 */
#include "tui/layout.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/layout_private.h"

#define WRONG_LAYOUTS 3			/* one is wrong so often: round all */
#define ROWS_KEPT 256			/* below the screen, for coming back */

/* A frame that has a box keeps it down to 7/10 of a cell. */
#define KEEP_TENTHS 7

struct layout_place_of {
	uint32_t box, round;
};

int64_t
layout_exact(const struct pass *p, uint64_t weight)
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

uint32_t
layout_push(struct layout *l, struct box box)
{
	l->boxes = grow(l->boxes, l->count, &l->capacity, sizeof(*l->boxes));
	l->boxes[l->count] = box;
	return (uint32_t)l->count++;
}

static void
lay_below(struct pass *p, uint32_t index, size_t row)
{
	const struct layout_wish *wish = p->wish;
	struct layout *l = p->layout;
	struct box parent = l->boxes[index];

	if (parent.kind != BOX_FRAME && index != 0)
		return;
	p->self = row == 0 && wish->zoom->is_bin ? 0 :
		  weights_self(&wish->weights, parent.node);
	p->keeps_bin = wish->keeps_bin && parent.node == wish->keep;
	layout_list(p, &parent, row);
	if (parent.kind == BOX_BIN)
		l->boxes[index].hidden = p->hidden + (uint32_t)p->count;
	l->boxes[index].first = (uint32_t)l->count;
	while (!layout_place(p, index, parent) && p->is_rounding &&
	       layout_hide_thinnest(p))
		l->count = l->boxes[index].first;
	l->boxes[index].count = (uint32_t)l->count - l->boxes[index].first;
	for (size_t i = 0; i < p->count; i++) {
		if (!l->children[i].is_kept)
			continue;
		p->kept_row = row + 1;
		p->has_kept |= l->children[i].last == wish->keep;
	}
}

/* The way from the top down to the frame to keep. */
static void
find_path(struct pass *p)
{
	const struct calltree *tree = p->wish->weights.tree;
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
	p->has_kept = p->wish->keep == p->wish->zoom->node;
}

/* Make the layout at hand the one before. */
static void
begin(struct pass *p)
{
	struct layout *l = p->layout;
	struct box *boxes = l->old;
	size_t capacity = l->old_capacity;
	uint64_t uncut;

	p->is_fresh = p->wish->is_fresh || l->width != p->wish->width ||
		      l->count == 0;
	p->is_rounding = p->is_fresh || p->wish->is_other ||
			 l->wrong >= l->patience;
	l->old = l->boxes;
	l->old_count = l->count;
	l->old_capacity = l->capacity;
	l->boxes = boxes;
	l->capacity = capacity;
	l->count = l->nrows = 0;
	l->round++;
	l->is_waiting = false;
	l->width = p->wish->width;
	l->base = zoom_weight(p->wish->zoom, &p->wish->weights);
	uncut = weights_uncut(l->base, p->wish->cut);
	p->thinnest = weight_of(p, 10);
	p->thinnest_old = p->is_rounding ? p->thinnest
					 : weight_of(p, KEEP_TENTHS);
	if (p->thinnest < uncut)
		p->thinnest = uncut;
	if (p->thinnest_old < uncut)
		p->thinnest_old = uncut;
}

static void
end_row(struct layout *l, size_t first)
{
	l->rows = grow(l->rows, l->nrows + 1, &l->row_capacity,
		       sizeof(*l->rows));
	l->rows[l->nrows++] = first;
	l->rows[l->nrows] = l->count;
}

/* Is there to be another row, though it is more than was asked for? */
static bool
is_near_kept(const struct pass *p)
{
	size_t rows = p->layout->nrows;

	return p->path_len > 0 &&
	       (p->has_kept ? rows <= p->kept_row + p->wish->rows_below
			    : rows == p->kept_row + 1);
}

/* Where each node is now. */
static void
note_places(struct layout *l, const struct calltree *tree)
{
	size_t count = calltree_count(tree);

	if (count > l->nplaces) {
		count += count / 2;
		l->places = xreallocarray(l->places, count,
					  sizeof(*l->places));
		memset(l->places + l->nplaces, 0,
		       (count - l->nplaces) * sizeof(*l->places));
		l->nplaces = count;
	}
	for (size_t i = 0; i < l->count; i++) {
		const struct box *box = &l->boxes[i];
		node_id node = box->node;

		for (uint32_t k = 0; k < box->links; k++) {
			l->places[node] = (struct layout_place_of){
				(uint32_t)i, l->round };
			node = calltree_parent(tree, node);
		}
	}
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
	layout_push(layout, (struct box){
		.node = wish->zoom->node, .head = wish->zoom->node, .links = 1,
		.kind = wish->zoom->is_bin ? BOX_BIN : BOX_FRAME,
		.right = wish->width, .parent = BOX_NONE,
		.was = p.is_fresh ? BOX_NONE : 0, .weight = layout->base });
	end_row(layout, 0);
	while ((layout->nrows < rows || is_near_kept(&p)) &&
	       first < layout->count) {
		end = layout->count;
		for (size_t i = first; i < end; i++)
			lay_below(&p, (uint32_t)i, layout->nrows - 1);
		first = end;
		if (layout->count > first)
			end_row(layout, first);
	}
	note_places(layout, wish->weights.tree);
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
	free(layout->chain);
	free(layout->places);
	memset(layout, 0, sizeof(*layout));
}

void
layout_remap(struct layout *layout, const node_id *map, size_t count)
{
	layout->round++;	/* until all is laid out again */
	for (size_t i = 0; i < layout->count; i++) {
		struct box *box = &layout->boxes[i];

		if (box->node < count)
			box->node = map[box->node];
		if (box->links && box->head < count)
			box->head = map[box->head];
	}
}

uint32_t
layout_frame(const struct layout *layout, node_id node)
{
	return node < layout->nplaces &&
	       layout->places[node].round == layout->round ?
	       layout->places[node].box : BOX_NONE;
}

uint32_t
layout_bin(const struct layout *layout, node_id node)
{
	uint32_t at = layout_frame(layout, node);
	const struct box *box;

	if (at == BOX_NONE)
		return BOX_NONE;
	box = &layout->boxes[at];
	for (uint32_t i = box->first; i < box->first + box->count; i++)
		if (layout->boxes[i].kind == BOX_BIN &&
		    layout->boxes[i].node == node)
			return i;
	return BOX_NONE;
}

size_t
layout_row(const struct layout *layout, uint32_t box)
{
	size_t low = 0, high = layout->nrows;

	while (low + 1 < high) {
		size_t middle = low + (high - low) / 2;

		if (layout->rows[middle] <= box)
			low = middle;
		else
			high = middle;
	}
	return low;
}
