/* SPDX-License-Identifier: MIT */
/*
 * view_tree.c - the call tree as rows that open and close.
 *
 *	  TOTAL             SELF  CALL TREE                     MODULE
 *	100.0 % ██████████   0.0 %  ▾ all
 *	 81.5 % ████████▏    0.0 %    ▾ main
 *	 78.0 % ███████▊     4.0 %      ▸ serve                 server
 *
 * The cursor stays on its node, and the node on its line of the screen, while
 * rows above come, go and change places.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/tree.h"

/* What is opened at once is at least so much of what is under the cursor. */
#define WORTH 100

static const struct calltree *
tree_of(const struct scene *scene)
{
	return picture_tree(scene->picture);
}

/* The child with the most samples; NODE_NONE: none has any. */
static node_id
heaviest(const struct calltree *calls, node_id node)
{
	node_id best = NODE_NONE;
	uint64_t most = 0;

	for (node_id child = calltree_first(calls, node); child != NODE_NONE;
	     child = calltree_next(calls, child))
		if (calltree_total(calls, child) > most) {
			best = child;
			most = calltree_total(calls, child);
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

/* The chain that NODE is in as one row, or as a row for each. */
static void
set_unfolded(struct tree *tree, const struct picture *picture, node_id node,
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

/* At first: all that most samples have in common. */
static void
begin(struct tree *tree, const struct calltree *calls)
{
	uint64_t all = calltree_total(calls, 0);

	if (tree->is_begun || all == 0)
		return;
	for (node_id node = 0; node != NODE_NONE &&
			       calltree_total(calls, node) > all / 2;
	     node = heaviest(calls, node))
		set_open(tree, node, true);
	tree->is_begun = true;
}

static void
open_above(struct tree *tree, const struct calltree *calls, node_id node)
{
	while (node != 0) {
		node = calltree_parent(calls, node);
		set_open(tree, node, true);
	}
}

/* The row of the cursor, or of the nearest caller that has one. */
static void
find_row(struct tree *tree, const struct picture *picture)
{
	const struct calltree *calls = picture_tree(picture);
	node_id first;

	if (tree->cursor >= calltree_count(calls))
		tree->cursor = 0;
	first = tree_chain_first(picture, tree->cursor);
	if (!(tree->open[first] & TREE_UNFOLDED))
		tree->cursor = tree_chain_last(picture, tree->cursor);
	for (;;) {
		for (size_t i = 0; i < tree->count; i++)
			if (tree->rows[i].node == tree->cursor) {
				tree->row = i;
				return;
			}
		if (tree->cursor == 0)
			break;
		tree->cursor = calltree_parent(calls, tree->cursor);
		if (tree->cursor == NODE_NONE)
			tree->cursor = 0;
	}
	tree->row = 0;
}

/* In sight, and no rows missing below that there are above. */
static void
fix_scroll(struct tree *tree)
{
	size_t page = tree->page ? tree->page : 1;

	if (tree->scroll > tree->row)
		tree->scroll = tree->row;
	if (tree->scroll + page <= tree->row)
		tree->scroll = tree->row + 1 - page;
	if (tree->scroll + page > tree->count)
		tree->scroll = tree->count > page ? tree->count - page : 0;
}

/* Searches go by the tree alone: there are no boxes here. */
static struct hits_walk
walk_of(const struct scene *scene, const struct layout *none,
	const struct zoom *whole)
{
	return (struct hits_walk){ .search = scene->search,
				   .tree = tree_of(scene), .layout = none,
				   .zoom = whole };
}

/* Make everything agree with SCENE; the cursor keeps its line. */
static void
settle(struct tree *tree, const struct scene *scene)
{
	const struct calltree *calls = tree_of(scene);
	struct zoom whole = { 0 };
	struct layout none = { 0 };
	struct hits_walk walk = walk_of(scene, &none, &whole);
	size_t line = tree->row - tree->scroll;

	hits_update(&tree->hits, scene->search, scene->picture);
	tree_list(tree, scene);
	if (!tree->is_begun) {
		begin(tree, calls);
		tree_list(tree, scene);
	}
	find_row(tree, scene->picture);
	tree->scroll = tree->row > line ? tree->row - line : 0;
	fix_scroll(tree);
	tree->hit = hits_rank(&tree->hits, &walk, tree->cursor);
}

static void
tree_layout(void *state, const struct scene *scene, int width, int height)
{
	struct tree *tree = state;

	tree->width = width;
	tree->page = height > 1 ? (size_t)height - 1 : 0;
	settle(tree, scene);
}

static void
go_to_row(struct tree *tree, size_t row)
{
	if (tree->count == 0)
		return;
	tree->row = row < tree->count ? row : tree->count - 1;
	tree->cursor = tree->rows[tree->row].node;
	fix_scroll(tree);
}

static void
move_by(struct tree *tree, long step)
{
	long row = (long)tree->row + step;

	go_to_row(tree, row > 0 ? (size_t)row : 0);
}

static bool
is_open(const struct tree *tree)
{
	return tree->cursor < tree->nodes &&
	       (tree->open[tree->cursor] & TREE_OPEN);
}

/* All of a chain, so that it stays open when it becomes two ways. */
static void
open_row(struct tree *tree, const struct calltree *calls, bool is_to_open)
{
	const struct tree_row *row = &tree->rows[tree->row];
	node_id node = row->node;

	set_open(tree, node, is_to_open);
	for (uint32_t i = 1; i < row->links; i++) {
		node = calltree_parent(calls, node);
		set_open(tree, node, is_to_open);
	}
}

/* As in trees of files: open it, and once more to go there. */
static void
go_in(struct tree *tree, const struct calltree *calls)
{
	if (heaviest(calls, tree->cursor) == NODE_NONE)
		return;
	if (is_open(tree))
		move_by(tree, 1);
	else
		open_row(tree, calls, true);
}

static void
go_out(struct tree *tree, const struct calltree *calls)
{
	if (is_open(tree))
		open_row(tree, calls, false);
	else if (tree->cursor != 0)
		tree->cursor = calltree_parent(calls,
					       tree->rows[tree->row].first);
}

static void
toggle(struct tree *tree, const struct calltree *calls)
{
	if (heaviest(calls, tree->cursor) == NODE_NONE)
		tree->notice = "nothing is called from here";
	else
		open_row(tree, calls, !is_open(tree));
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

/* Unfold a chain; else open what is worth it, and look into nothing else. */
static void
open_below(struct tree *tree, const struct picture *picture)
{
	const struct calltree *calls = picture_tree(picture);
	node_id top = tree->cursor;
	uint64_t least = calltree_total(calls, top) / WORTH;
	bool is_worth;

	if (tree->rows[tree->row].links > 1) {
		set_unfolded(tree, picture, top, true);
		return;
	}
	for (node_id node = top; node != NODE_NONE;
	     node = next_below(calls, node, top, is_worth)) {
		is_worth = calltree_total(calls, node) > least;
		if (is_worth)
			set_open(tree, node, true);
	}
}

static void
close_below(struct tree *tree, const struct picture *picture)
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
	set_unfolded(tree, picture, top, false);
}

static void
go_to_node(struct tree *tree, const struct picture *picture, node_id node)
{
	open_above(tree, picture_tree(picture), node);
	if (tree_chain_last(picture, node) != node)
		set_unfolded(tree, picture, node, true);
	tree->cursor = node;
}

static void
go_to_hit(struct tree *tree, const struct scene *scene, bool is_back)
{
	struct zoom whole = { 0 };
	struct layout none = { 0 };
	struct hits_walk walk = walk_of(scene, &none, &whole);
	bool wrapped = false;
	node_id hit = hits_next(&tree->hits, &walk, tree->cursor, is_back,
				&wrapped);

	if (!search_is_on(scene->search))
		tree->notice = "nothing is searched for";
	else if (hit == NODE_NONE)
		tree->notice = "no hit in this picture";
	else if (wrapped)
		tree->notice = is_back ? "search goes on at the bottom"
				       : "search goes on at the top";
	if (hit != NODE_NONE)
		go_to_node(tree, scene->picture, hit);
}

/* Open and closed as at the start. */
static void
reset(struct tree *tree, const struct calltree *calls)
{
	memset(tree->open, 0, tree->nodes);
	tree->cursor = 0;
	tree->is_begun = false;
	begin(tree, calls);
}

/* False: ACTION is none of ours. */
static bool
carry_out(struct tree *tree, const struct scene *scene, enum action action)
{
	const struct calltree *calls = tree_of(scene);
	long page = tree->page > 1 ? (long)tree->page - 1 : 1;

	switch (action) {
	case ACTION_UP:
		move_by(tree, -1);
		return true;
	case ACTION_DOWN:
		move_by(tree, 1);
		return true;
	case ACTION_PAGE_UP:
		move_by(tree, -page);
		return true;
	case ACTION_PAGE_DOWN:
		move_by(tree, page);
		return true;
	case ACTION_TOP:
		go_to_row(tree, 0);
		return true;
	case ACTION_BOTTOM:
		go_to_row(tree, SIZE_MAX);
		return true;
	case ACTION_RIGHT:
		go_in(tree, calls);
		return true;
	case ACTION_LEFT:
		go_out(tree, calls);
		return true;
	case ACTION_ZOOM:
		toggle(tree, calls);
		return true;
	case ACTION_EXPAND:
		open_below(tree, scene->picture);
		return true;
	case ACTION_COLLAPSE:
		close_below(tree, scene->picture);
		return true;
	case ACTION_RESET:
		reset(tree, calls);
		return true;
	case ACTION_RELAYOUT:
		tree->wants_fresh = true;
		return true;
	case ACTION_NEXT:
	case ACTION_PREVIOUS:
		go_to_hit(tree, scene, action == ACTION_PREVIOUS);
		return true;
	default:
		return false;
	}
}

static bool
tree_act(void *state, const struct scene *scene, enum action action)
{
	struct tree *tree = state;
	bool is_ours;

	tree->notice = NULL;
	settle(tree, scene);
	is_ours = carry_out(tree, scene, action);
	if (is_ours)
		settle(tree, scene);
	return is_ours;
}

static bool
tree_click(void *state, const struct scene *scene, int x, int y)
{
	struct tree *tree = state;
	size_t row, before;

	(void)x;
	tree->notice = NULL;
	settle(tree, scene);
	row = tree->scroll + (size_t)y - 1;
	before = tree->row;
	if (y == 0 || row >= tree->count)
		return false;
	go_to_row(tree, row);
	return row == before;
}

static struct focus
tree_focus(const void *state, const struct scene *scene)
{
	const struct tree *tree = state;
	const struct calltree *calls = tree_of(scene);
	struct focus focus = { .node = tree->cursor, .func = FUNC_NONE,
			       .base = picture_total(scene->picture),
			       .hit = tree->hit, .notice = tree->notice };

	if (focus.node >= calltree_count(calls)) {
		focus.node = 0;
		return focus;
	}
	focus.func = calltree_func(calls, focus.node);
	focus.self = calltree_self(calls, focus.node);
	focus.total = calltree_total(calls, focus.node);
	return focus;
}

static void
tree_go(void *state, const struct scene *scene, node_id node)
{
	struct tree *tree = state;

	settle(tree, scene);
	if (node >= calltree_count(tree_of(scene)))
		return;
	go_to_node(tree, scene->picture, node);
	settle(tree, scene);
}

static void
tree_show(void *state, const struct scene *scene, func_id func)
{
	node_id node = calltree_heaviest(tree_of(scene), func);

	if (node != NODE_NONE)
		tree_go(state, scene, node);
}

static void
tree_remap(void *state, const node_id *map, size_t count)
{
	struct tree *tree = state;

	if (map) {
		tree_move_nodes(tree, map, count);
		return;
	}
	hits_fini(&tree->hits);
	free(tree->rows);
	free(tree->open);
	free(tree->was);
	free(tree->children);
	memset(tree, 0, sizeof(*tree));
}

const struct view_ops view_tree = {
	.name = "call tree",
	.digit = '6',
	.state_size = sizeof(struct tree),
	.layout = tree_layout,
	.draw = tree_draw,
	.act = tree_act,
	.click = tree_click,
	.focus = tree_focus,
	.show = tree_show,
	.go = tree_go,
	.remap = tree_remap,
};
