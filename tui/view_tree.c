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
#include "tui/change.h"
#include "tui/tree.h"

static const struct calltree *
tree_of(const struct scene *scene)
{
	return picture_tree(scene->picture);
}

static struct weights
weights_in(const struct scene *scene)
{
	return picture_weights(scene->picture);
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
				   .weights = weights_in(scene),
				   .layout = none, .zoom = whole };
}

/* Make everything agree with SCENE; the cursor keeps its line. */
static void
settle(struct tree *tree, const struct scene *scene)
{
	struct weights weights = weights_in(scene);
	struct zoom whole = { 0 };
	struct layout none = { 0 };
	struct hits_walk walk = walk_of(scene, &none, &whole);
	size_t line = tree->row - tree->scroll;

	hits_update(&tree->hits, scene->search, scene->picture);
	tree_list(tree, scene);
	if (!tree->is_begun) {
		tree_begin(tree, &weights);
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

/* As in trees of files: open it, and once more to go there. */
static void
go_in(struct tree *tree, const struct weights *weights)
{
	if (tree_heaviest(weights, tree->cursor) == NODE_NONE)
		return;
	if (is_open(tree))
		move_by(tree, 1);
	else
		tree_open_row(tree, weights->tree, true);
}

static void
go_out(struct tree *tree, const struct calltree *calls)
{
	if (is_open(tree))
		tree_open_row(tree, calls, false);
	else if (tree->cursor != 0)
		tree->cursor = calltree_parent(calls,
					       tree->rows[tree->row].first);
}

static void
toggle(struct tree *tree, const struct weights *weights)
{
	if (tree_heaviest(weights, tree->cursor) == NODE_NONE)
		tree->notice = "nothing is called from here";
	else
		tree_open_row(tree, weights->tree, !is_open(tree));
}

static void
go_to_node(struct tree *tree, const struct picture *picture, node_id node)
{
	tree_open_above(tree, picture_tree(picture), node);
	if (tree_chain_last(picture, node) != node)
		tree_unfold(tree, picture, node, true);
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
reset(struct tree *tree, const struct weights *weights)
{
	memset(tree->open, 0, tree->nodes);
	tree->cursor = 0;
	tree->is_begun = false;
	tree_begin(tree, weights);
}

/* False: ACTION is none of ours. */
static bool
carry_out(struct tree *tree, const struct scene *scene, enum action action)
{
	struct weights weights = weights_in(scene);
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
		go_in(tree, &weights);
		return true;
	case ACTION_LEFT:
		go_out(tree, weights.tree);
		return true;
	case ACTION_ZOOM:
		toggle(tree, &weights);
		return true;
	case ACTION_EXPAND:
		tree_open_below(tree, scene->picture);
		return true;
	case ACTION_COLLAPSE:
		tree_close_below(tree, scene->picture);
		return true;
	case ACTION_RESET:
		reset(tree, &weights);
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
	struct weights weights = weights_in(scene);
	struct weights wholes = picture_wholes(scene->picture);
	struct focus focus = { .node = tree->cursor, .func = FUNC_NONE,
			       .view_func = FUNC_NONE,
			       .hit = tree->hit, .notice = tree->notice };

	if (focus.node >= calltree_count(calls)) {
		focus.node = 0;
		return focus;
	}
	focus.func = calltree_func(calls, focus.node);
	focus.self = weights_self(&weights, focus.node);
	focus.total = weights_total(&weights, focus.node);
	focus.both = change_both(scene, focus.node, 0);
	if (focus.node != 0)
		focus.parent = weights_total(
			&wholes, calltree_parent(calls, focus.node));
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
	struct weights weights = weights_in(scene);
	node_id node = weights_heaviest(&weights, func);

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

static const struct hint tree_hints[] = {
	{ ACTION_ZOOM, ACTION_NONE, "open" },
	{ ACTION_EXPAND, ACTION_NONE, "all below" },
	{ ACTION_COLLAPSE, ACTION_NONE, "close" },
	{ ACTION_NONE, ACTION_NONE, NULL },
};

const struct view_ops view_tree = {
	.name = "call tree",
	.digit = '6',
	.hints = tree_hints,
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
