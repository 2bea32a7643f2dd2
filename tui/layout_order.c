/* SPDX-License-Identifier: MIT */
/*
 * layout_order.c - which children get a box, and in which order.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/layout_private.h"

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
	const struct weights *weights = &p->wish->weights;
	const struct calltree *tree = weights->tree;
	struct layout *l = p->layout;
	size_t depth = calltree_depth(tree, parent->node) + 1 -
		       calltree_depth(tree, p->wish->zoom->node);
	node_id kept = depth < p->path_len ? l->path[depth] : NODE_NONE;

	p->count = p->hidden = 0;
	p->hidden_weight = 0;
	p->has_hidden_hit = false;
	for (node_id node = calltree_first(tree, parent->node);
	     node != NODE_NONE; node = calltree_next(tree, node)) {
		struct layout_child c = {
			.node = node, .last = node, .links = 1,
			.weight = weights_total(weights, node),
			.was = BOX_NONE, .is_kept = node == kept,
		};

		if (row == 0 && !zoom_shows(p->wish->zoom, node))
			continue;
		if ((c.weight > 0 && c.weight >= p->thinnest_old) || c.is_kept)
			c.was = layout_find_old(p, parent->was, node);
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

bool
layout_needs_bin(const struct pass *p)
{
	return p->hidden > 0 &&
	       (layout_exact(p, p->hidden_weight) >= CELL / 2 ||
		(p->count == 0 && p->self == 0) || p->keeps_bin);
}

/*
 * Each has a cell, and so has the bin. Edges that lag behind may leave too
 * few: the thinnest give way.
 */
static void
make_room(struct pass *p, size_t cells)
{
	struct layout_child *c = p->layout->children;

	if (p->count + layout_needs_bin(p) <= cells)
		return;
	qsort(c, p->count, sizeof(*c), compare_sizes);
	while (p->count > 0 && p->count + layout_needs_bin(p) > cells &&
	       !c[p->count - 1].is_kept) {
		p->count--;
		hide(p, c[p->count].node, c[p->count].weight);
	}
}

bool
layout_hide_thinnest(struct pass *p)
{
	struct layout_child *c = p->layout->children, thinnest;
	size_t at = p->count;

	for (size_t i = 0; i < p->count; i++)
		if (!c[i].is_kept &&
		    (at == p->count || c[i].weight <= c[at].weight))
			at = i;
	if (at == p->count)
		return false;
	thinnest = c[at];
	p->count--;
	memmove(&c[at], &c[at + 1], (p->count - at) * sizeof(*c));
	hide(p, thinnest.node, thinnest.weight);
	return true;
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
	       layout_exact(p, c->weight - left) > CELL * 3 / 2;
}

static void
order(struct pass *p)
{
	struct layout_child *c = p->layout->children, moved;

	if (p->count > 1)
		qsort(c, p->count, sizeof(*c), compare_children);
	for (size_t i = 1; i < p->count; i++) {
		for (size_t j = i; j > 0 && may_pass(p, &c[j]); j--) {
			if (p->wish->is_held && !p->wish->is_other) {
				p->layout->is_waiting = true;
				return;
			}
			moved = c[j];
			c[j] = c[j - 1];
			c[j - 1] = moved;
		}
	}
}

void
layout_list(struct pass *p, const struct box *parent, size_t row)
{
	collect(p, parent, row);
	make_room(p, (size_t)(parent->right - parent->left));
	for (size_t i = 0; i < p->count; i++)
		layout_fold(p, &p->layout->children[i]);
	order(p);
}
