/* SPDX-License-Identifier: MIT */
/*
 * tree_open.c - which nodes of the call tree view are open.
 */
#include "tui/tree.h"

/* What is opened at once is at least so much of what is under the cursor. */
#define WORTH 100

node_id
tree_heaviest(const struct weights *weights, node_id node)
{
	const struct calltree *calls = weights->tree;
	node_id best = NODE_NONE;
	uint64_t most = 0;

	for (node_id child = calltree_first(calls, node); child != NODE_NONE;
	     child = calltree_next(calls, child))
		if (weights_total(weights, child) > most) {
			best = child;
			most = weights_total(weights, child);
		}
	return best;
}

static void
set_open(struct tree *tree, node_id node, bool is_open)
{
	if (node >= tree->nodes)
		return;
	if (is_open)
		tree->open[node] |= TREE_OPEN;
	else
		tree->open[node] &= (uint8_t)~TREE_OPEN;
}

void
tree_unfold(struct tree *tree, const struct picture *picture, node_id node,
	    bool is_unfolded)
{
	node_id first = tree_chain_first(picture, node), last;

	if (first >= tree->nodes)
		return;
	tree->open[first] &= (uint8_t)~TREE_UNFOLDED;
	if (!is_unfolded)
		return;
	tree->open[first] |= TREE_UNFOLDED;
	last = tree_chain_last(picture, node);
	for (node = last; node != first;
	     node = calltree_parent(picture_tree(picture), node))
		set_open(tree, calltree_parent(picture_tree(picture), node),
			 true);
}

void
tree_begin(struct tree *tree, const struct weights *weights)
{
	uint64_t all = weights_total(weights, 0);

	if (tree->is_begun || all == 0)
		return;
	for (node_id node = 0; node != NODE_NONE &&
			       weights_total(weights, node) > all / 2;
	     node = tree_heaviest(weights, node))
		set_open(tree, node, true);
	tree->is_begun = true;
}

void
tree_open_above(struct tree *tree, const struct calltree *calls, node_id node)
{
	while (node != 0) {
		node = calltree_parent(calls, node);
		set_open(tree, node, true);
	}
}

/* All of a chain, so that it stays open when it becomes two ways. */
void
tree_open_row(struct tree *tree, const struct calltree *calls, bool is_to_open)
{
	const struct tree_row *row = &tree->rows[tree->row];
	node_id node = row->node;

	set_open(tree, node, is_to_open);
	for (uint32_t i = 1; i < row->links; i++) {
		node = calltree_parent(calls, node);
		set_open(tree, node, is_to_open);
	}
}

/* The next node after NODE below TOP, depth first; its own, if GOES_IN. */
static node_id
next_below(const struct calltree *calls, node_id node, node_id top,
	   bool goes_in)
{
	node_id next = goes_in ? calltree_first(calls, node) : NODE_NONE;

	while (next == NODE_NONE && node != top) {
		next = calltree_next(calls, node);
		node = calltree_parent(calls, node);
	}
	return next;
}

void
tree_open_below(struct tree *tree, const struct picture *picture)
{
	const struct calltree *calls = picture_tree(picture);
	struct weights weights = picture_weights(picture);
	node_id top = tree->cursor;
	uint64_t least = weights_total(&weights, top) / WORTH;
	bool is_worth;

	if (tree->rows[tree->row].links > 1) {
		tree_unfold(tree, picture, top, true);
		return;
	}
	for (node_id node = top; node != NODE_NONE;
	     node = next_below(calls, node, top, is_worth)) {
		is_worth = weights_total(&weights, node) > least;
		if (is_worth)
			set_open(tree, node, true);
	}
}

void
tree_close_below(struct tree *tree, const struct picture *picture)
{
	const struct calltree *calls = picture_tree(picture);
	node_id top = tree->cursor;
	bool was_open;

	for (node_id node = top; node != NODE_NONE;
	     node = next_below(calls, node, top, was_open)) {
		was_open = node < tree->nodes && tree->open[node];
		if (was_open)
			tree->open[node] = 0;
	}
	tree_unfold(tree, picture, top, false);
}
