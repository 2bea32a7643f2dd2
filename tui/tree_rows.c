/* SPDX-License-Identifier: MIT */
/*
 * tree_rows.c - which rows the call tree view has, and their order.
 *
 * Siblings stay where they were until one is clearly bigger than the one
 * above it; what is new comes behind them, the biggest first. Where there is
 * but one way to go, down to the next fork or own time, it is one row.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/chain.h"
#include "tui/change.h"
#include "tui/shares.h"
#include "tui/tree.h"

struct tree_child {
	node_id node;
	uint64_t total;
	uint32_t was;		/* UINT32_MAX: it had no row */
};

/* By node, for as many as there are now. */
static void
make_room(struct tree *tree, size_t nodes)
{
	if (nodes <= tree->nodes)
		return;
	tree->open = grow(tree->open, nodes - 1, &tree->open_capacity, 1);
	tree->was = grow(tree->was, nodes - 1, &tree->was_capacity,
			 sizeof(*tree->was));
	memset(tree->open + tree->nodes, 0, nodes - tree->nodes);
	memset(tree->was + tree->nodes, 0,
	       (nodes - tree->nodes) * sizeof(*tree->was));
	tree->nodes = nodes;
}

static int
compare_children(const void *a, const void *b)
{
	const struct tree_child *x = a, *y = b;

	if (x->was != y->was)
		return x->was < y->was ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Is NODE above the cursor, or under it? What has no sample is shown then. */
static bool
holds_cursor(const struct calltree *calls, node_id node, node_id cursor)
{
	if (cursor >= calltree_count(calls))
		return false;
	while (cursor != NODE_NONE && cursor > node)
		cursor = calltree_parent(calls, cursor);
	return cursor == node;
}

static bool
may_pass(const struct tree_child *c)
{
	uint64_t above = c[-1].total;

	return c->total > above && c->total - above > above / 4;
}

static void
order(struct tree *tree, size_t count, bool is_held)
{
	struct tree_child *c = tree->children, moved;

	if (count > 1)
		qsort(c, count, sizeof(*c), compare_children);
	for (size_t i = 1; i < count; i++) {
		for (size_t j = i; j > 0 && may_pass(&c[j]); j--) {
			if (is_held) {
				tree->is_waiting = true;
				return;
			}
			moved = c[j];
			c[j] = c[j - 1];
			c[j - 1] = moved;
		}
	}
}

/* Has it something to show, although it weighs nothing? */
static bool
is_compared(const struct picture *picture, node_id node)
{
	struct totals both = picture_both_totals(picture, node);

	return picture_drawn(picture) != DRAWN_LOST && (both.now || both.base);
}

/* The children of NODE that have something to show, in their order. */
static size_t
collect(struct tree *tree, const struct picture *picture, node_id node,
	uint64_t least, bool is_held)
{
	const struct calltree *calls = picture_tree(picture);
	struct weights weights = picture_weights(picture);
	size_t n = 0;

	for (node_id child = calltree_first(calls, node); child != NODE_NONE;
	     child = calltree_next(calls, child)) {
		struct tree_child c = { child, weights_total(&weights, child),
					UINT32_MAX };

		if ((c.total < least ||
		     (c.total == 0 && !is_compared(picture, child))) &&
		    !holds_cursor(calls, child, tree->cursor))
			continue;
		if (tree->was[child] && !tree->wants_fresh)
			c.was = tree->was[child] - 1;
		tree->children = grow(tree->children, n, &tree->child_capacity,
				      sizeof(*tree->children));
		tree->children[n++] = c;
	}
	order(tree, n, is_held);
	return n;
}

/* The child that NODE's samples are all in; NODE_NONE: there is none. */
static node_id
only_child(const struct picture *picture, node_id node)
{
	return picture_baseline(picture) ? NODE_NONE :
	       chain_only_child(picture_tree(picture), node);
}

node_id
tree_chain_first(const struct picture *picture, node_id node)
{
	const struct calltree *calls = picture_tree(picture);

	for (;;) {
		node_id parent = calltree_parent(calls, node);

		if (parent == NODE_NONE || only_child(picture, parent) != node)
			return node;
		node = parent;
	}
}

node_id
tree_chain_last(const struct picture *picture, node_id node)
{
	node_id next;

	while ((next = only_child(picture, node)) != NODE_NONE)
		node = next;
	return node;
}

/* The row of NODE, with the chain that begins there unless it is unfolded. */
static node_id
put_row(struct tree *tree, const struct picture *picture, node_id node,
	uint32_t level, bool is_folded)
{
	struct weights weights = picture_weights(picture);
	struct tree_row row = { .first = node, .links = 1, .level = level };
	node_id next;

	if (tree->open[node] & TREE_UNFOLDED)
		is_folded = false;
	while (is_folded && (next = only_child(picture, node)) != NODE_NONE) {
		node = next;
		row.links++;
	}
	row.node = node;
	row.total = weights_total(&weights, node);
	row.is_open = tree->open[node] & TREE_OPEN;
	tree->rows = grow(tree->rows, tree->count, &tree->capacity,
			  sizeof(*tree->rows));
	tree->rows[tree->count++] = row;
	return node;
}

/* A node that waits for its row. */
struct waiting {
	node_id node;
	uint32_t level;
	bool is_unfolded;	/* so was the chain it is in, at its start */
};

/*
 * CHILD in the list. The chain of its caller may go on with it: as deep as
 * stacks are, nothing is to be looked for upwards.
 */
static struct waiting
waiting_below(const struct tree *tree, const struct waiting *caller,
	      node_id only, node_id child)
{
	return (struct waiting){
		child, caller->level + 1,
		child == only ? caller->is_unfolded :
				tree->open[child] & TREE_UNFOLDED,
	};
}

/*
 * Rows in the order they stand. Those that wait, with all below them, lie
 * reversed behind those that are settled.
 */
static void
walk(struct tree *tree, const struct picture *picture, uint64_t least,
     bool is_held)
{
	struct waiting *waiting = NULL;
	size_t capacity = 0, n = 1;

	waiting = grow(waiting, 0, &capacity, sizeof(*waiting));
	waiting[0] = (struct waiting){ 0, 0, tree->open[0] & TREE_UNFOLDED };
	while (n > 0) {
		struct waiting at = waiting[--n];
		node_id node = put_row(tree, picture, at.node, at.level,
				       !at.is_unfolded);
		node_id only;
		size_t count;

		if (!(tree->open[node] & TREE_OPEN))
			continue;
		count = collect(tree, picture, node, least, is_held);
		only = only_child(picture, node);
		for (size_t i = count; i-- > 0; ) {
			waiting = grow(waiting, n, &capacity,
				       sizeof(*waiting));
			waiting[n++] = waiting_below(
				tree, &at, only, tree->children[i].node);
		}
	}
	free(waiting);
}

void
tree_list(struct tree *tree, const struct scene *scene)
{
	const struct calltree *calls = picture_tree(scene->picture);
	bool is_held = scene_is_held(scene);
	size_t had = tree->count;

	make_room(tree, calltree_count(calls));
	tree->count = 0;
	tree->is_waiting = false;
	/* rows are written where the old ones were, which only WAS tells of */
	for (size_t i = 0; i < had; i++)
		if (tree->rows[i].first < tree->nodes)
			tree->was[tree->rows[i].first] = (uint32_t)i + 1;
	is_held &= !tree->wants_fresh &&
		   tree->counts == change_counts(scene);
	walk(tree, scene->picture, picture_filter(scene->picture)->cut ?
	     shares_uncut(scene) : 0, is_held);
	tree->wants_fresh = false;
	tree->counts = change_counts(scene);
}

void
tree_move_nodes(struct tree *tree, const node_id *map, size_t count)
{
	uint8_t *open = tree->open;
	size_t had = tree->nodes < count ? tree->nodes : count, most = 0;

	for (size_t i = 0; i < had; i++)
		if (map[i] != NODE_NONE && map[i] > most)
			most = map[i];
	free(tree->was);
	tree->open = NULL;
	tree->was = NULL;
	tree->nodes = tree->open_capacity = tree->was_capacity = 0;
	make_room(tree, most + 1);
	for (size_t i = 0; i < had; i++)
		if (open[i] && map[i] < tree->nodes)
			tree->open[map[i]] |= open[i];
	free(open);
	for (size_t i = 0; i < tree->count; i++)
		if (tree->rows[i].first < count)
			tree->rows[i].first = map[tree->rows[i].first];
	if (tree->cursor < count)
		tree->cursor = map[tree->cursor];
}
