/* SPDX-License-Identifier: MIT */
/*
 * flame_keys.c - the flame view's cursor and zoom moves.
 *
 * Moves go by the tree where they can and by boxes where they must, so that a
 * whole page down works although only what is near the screen is laid out.
 */
#include <string.h>

#include "core/base.h"
#include "tui/flame.h"

static const struct calltree *
tree_of(const struct scene *scene)
{
	return picture_tree(scene->picture);
}

void
flame_put(struct flame *flame, const struct calltree *tree, struct place place)
{
	flame->cursor = place;
	if (flame->deepest.node == place.node ||
	    flame_towards(tree, place.node, flame->deepest.node) != NODE_NONE)
		return;
	flame->deepest = place;
}

static bool
go_up(struct flame *flame, const struct weights *weights)
{
	const struct calltree *tree = weights->tree;
	struct place place = { .node = flame->cursor.node };
	uint32_t box = layout_frame(&flame->layout, place.node);

	if (!flame->cursor.is_bin && place.node == 0)
		return false;
	if (!flame->cursor.is_bin && box != BOX_NONE)
		place.node = flame->layout.boxes[box].head;
	if (flame->cursor.is_bin)
		flame->deepest = flame->cursor;
	else
		place.node = calltree_parent(tree, place.node);
	flame_put(flame, tree, place);
	return true;
}

/* Would WEIGHT have a box, were there room for its row? */
static bool
has_its_own_box(const struct flame *flame, uint64_t weight)
{
	uint64_t base = flame->layout.base;

	return (unsigned __int128)weight * (unsigned)flame->width >= base &&
	       weight >= weights_uncut(base, flame->cut) && weight > 0;
}

/* The child that the cursor goes down to; NODE_NONE: none has a box. */
static node_id
heaviest(const struct flame *flame, const struct weights *weights,
	 node_id node)
{
	const struct calltree *tree = weights->tree;
	const struct zoom *zoom = &flame->zooms.now;
	node_id best = NODE_NONE;

	for (node_id child = calltree_first(tree, node); child != NODE_NONE;
	     child = calltree_next(tree, child)) {
		if (node == zoom->node && !zoom_shows(zoom, child))
			continue;
		if (best == NODE_NONE || weights_total(weights, child) >
						 weights_total(weights, best))
			best = child;
	}
	if (best == NODE_NONE ||
	    has_its_own_box(flame, weights_total(weights, best)) ||
	    layout_frame(&flame->layout, best) != BOX_NONE)
		return best;
	return NODE_NONE;
}

/* Down from the cursor: the way it came, else the heaviest, else the bin. */
static bool
go_down(struct flame *flame, const struct weights *weights)
{
	const struct calltree *tree = weights->tree;
	const struct zoom *zoom = &flame->zooms.now;
	struct place to = { .node = flame->cursor.node };
	node_id child = flame_towards(tree, to.node, zoom->node);

	if (flame->cursor.is_bin)
		return false;
	if (child == NODE_NONE) {
		child = flame_towards(tree, to.node, flame->deepest.node);
		if (child != NODE_NONE && to.node == zoom->node &&
		    !zoom_shows(zoom, child))
			child = NODE_NONE;
		if (child == NODE_NONE && !(flame->deepest.is_bin &&
					    flame->deepest.node == to.node))
			child = heaviest(flame, weights, to.node);
	}
	if (child != NODE_NONE) {
		flame_put(flame, tree, (struct place){
			.node = flame_row_end(flame, child) });
		return true;
	}
	to.is_bin = true;
	if (layout_bin(&flame->layout, to.node) == BOX_NONE)
		return false;
	flame_put(flame, tree, to);
	flame->deepest = to;
	return true;
}

/* To the next frame or bin of the row, whoever's child it is. */
static void
go_sideways(struct flame *flame, const struct calltree *tree, int step)
{
	const struct layout *l = &flame->layout;
	uint32_t box = flame_cursor_box(flame, tree), row = 0;
	node_id top = flame->zooms.now.node, child;

	if (box == BOX_NONE) {
		child = flame_towards(tree, flame->cursor.node, top);
		if (step < 0 && flame->cursor.node != 0)
			child = calltree_parent(tree, flame->cursor.node);
		if (child != NODE_NONE &&
		    flame_callers(flame, tree) > CRUMB_ROWS)
			flame->cursor.node = child;
		return;
	}
	while (l->rows[row + 1] <= box)
		row++;
	for (size_t i = (size_t)box + (size_t)step;
	     i < l->rows[row + 1] && i + 1 > l->rows[row];
	     i += (size_t)step) {
		if (l->boxes[i].kind == BOX_SELF)
			continue;
		flame->cursor.node = l->boxes[i].node;
		flame->cursor.is_bin = l->boxes[i].kind == BOX_BIN;
		flame->deepest = flame->cursor;
		return;
	}
}

static void
go_top(struct flame *flame, const struct calltree *tree)
{
	node_id top = flame->zooms.now.node;

	/* once more: to the outermost caller */
	if (flame->cursor.node == top && !flame->cursor.is_bin)
		top = 0;
	flame_put(flame, tree, (struct place){ .node = top });
}

static void
zoom_into(struct flame *flame, struct zoom zoom)
{
	zoom_to(&flame->zooms, zoom, flame->cursor);
	flame->range.is_on = false;
	flame->cursor = (struct place){ .node = zoom.node };
	flame->deepest.is_bin = flame->zoom_is_search = false;
	flame->wants_fresh = true;
}

/* Zoom to what is marked or under the cursor, or open the bin as a list. */
static void
zoom_in(struct flame *flame, const struct calltree *tree)
{
	const struct zoom *now = &flame->zooms.now;
	struct zoom zoom = { .node = flame->cursor.node }, marked;
	uint32_t box = flame_cursor_box(flame, tree);

	if (flame_zoom_of_marked(flame, &marked)) {
		zoom_into(flame, marked);
		return;
	}
	if (flame->cursor.is_bin ? box == BOX_NONE
				 : zoom.node == now->node && !now->is_bin)
		return;
	if (flame->cursor.is_bin)
		bin_list_open(&flame->list, flame_zoom_of_bin(flame, box));
	else
		zoom_into(flame, zoom);
}

/* What is on the list fills the width: a frame, or all of them. */
static void
zoom_from_list(struct flame *flame)
{
	struct zoom zoom = { .node = bin_list_node(&flame->list) };

	if (zoom.node == NODE_NONE)
		zoom = bin_list_take(&flame->list);
	else
		bin_list_close(&flame->list);
	zoom_into(flame, zoom);
}

/* False: ACTION is none of the list's, and may be the graph's. */
static bool
act_in_list(struct flame *flame, enum action action)
{
	switch (action) {
	case ACTION_ZOOM:
	case ACTION_RIGHT:
		zoom_from_list(flame);
		return true;
	case ACTION_BACK:
	case ACTION_PEEL:
	case ACTION_LEFT:
		bin_list_close(&flame->list);
		return true;
	case ACTION_RESET:
	case ACTION_NEXT:
	case ACTION_PREVIOUS:
		bin_list_close(&flame->list);
		return false;
	default:
		return bin_list_move(&flame->list, action);
	}
}

bool
flame_zoom_out(struct flame *flame)
{
	struct place cursor;

	if (!zoom_back(&flame->zooms, &cursor))
		return false;
	flame->cursor = cursor;
	flame->zoom_is_search = false;
	flame->wants_fresh = true;
	return true;
}

/* Go on while GO does, at most COUNT times. */
static void
repeat(struct flame *flame, const struct weights *weights,
       bool (*move)(struct flame *, const struct weights *), int count)
{
	for (int i = 0; i < count && move(flame, weights); i++)
		;
}

static void
go_bottom(struct flame *flame, const struct weights *weights)
{
	const struct calltree *tree = weights->tree;
	struct place way = flame->deepest;
	node_id child = flame_towards(tree, flame->cursor.node, way.node);

	/* at once: asking for the way at each step of it would take long */
	if (child != NODE_NONE &&
	    flame_towards(tree, flame->zooms.now.node, way.node) != NODE_NONE &&
	    zoom_shows(&flame->zooms.now, child))
		flame_put(flame, tree, way);
	repeat(flame, weights, go_down, INT32_MAX);
}

static void
reset(struct flame *flame)
{
	zoom_reset(&flame->zooms);
	node_set_fini(&flame->open);
	flame->zoom_is_search = false;
	flame->wants_fresh = true;
}

/* Moves of the cursor; false: ACTION is none. */
static bool
act_on_cursor(struct flame *flame, const struct scene *scene,
	      enum action action)
{
	const struct calltree *tree = tree_of(scene);
	struct weights weights = picture_weights(scene->picture);
	int page = flame->page > 1 ? flame->page - 1 : 1;

	switch (action) {
	case ACTION_UP:
		go_up(flame, &weights);
		return true;
	case ACTION_DOWN:
		go_down(flame, &weights);
		return true;
	case ACTION_LEFT:
		go_sideways(flame, tree, -1);
		return true;
	case ACTION_RIGHT:
		go_sideways(flame, tree, 1);
		return true;
	case ACTION_PAGE_UP:
		repeat(flame, &weights, go_up, page);
		return true;
	case ACTION_PAGE_DOWN:
		repeat(flame, &weights, go_down, page);
		return true;
	case ACTION_TOP:
		go_top(flame, tree);
		return true;
	case ACTION_BOTTOM:
		go_bottom(flame, &weights);
		return true;
	case ACTION_NEXT:
	case ACTION_PREVIOUS:
		flame_go_to_hit(flame, scene, action == ACTION_PREVIOUS);
		return true;
	default:
		return false;
	}
}

/* What is shown, and how; false: ACTION is none of ours. */
static bool
act_on_graph(struct flame *flame, const struct calltree *tree,
	     enum action action)
{
	switch (action) {
	case ACTION_ZOOM:
		zoom_in(flame, tree);
		return true;
	case ACTION_MARK_LEFT:
	case ACTION_MARK_RIGHT:
		flame_mark(flame, tree, action == ACTION_MARK_LEFT ? -1 : 1);
		return true;
	case ACTION_BACK:
		if (!flame_zoom_out(flame))
			flame->notice = "no zoom to undo";
		return true;
	case ACTION_PEEL:
		return flame_zoom_out(flame);
	case ACTION_RESET:
		reset(flame);
		return true;
	case ACTION_RELAYOUT:
		flame->wants_fresh = true;
		return true;
	case ACTION_EXPAND:
		flame_unfold(flame, tree);
		return true;
	case ACTION_COLLAPSE:
		flame_fold(flame, tree);
		return true;
	case ACTION_FLIP:
		flame->is_flipped = !flame->is_flipped;
		return true;
	default:
		return false;
	}
}

/* "Up" is up on the screen, where the root may be at the bottom. */
static enum action
turned(enum action action)
{
	switch (action) {
	case ACTION_UP:
		return ACTION_DOWN;
	case ACTION_DOWN:
		return ACTION_UP;
	case ACTION_PAGE_UP:
		return ACTION_PAGE_DOWN;
	case ACTION_PAGE_DOWN:
		return ACTION_PAGE_UP;
	case ACTION_TOP:
		return ACTION_BOTTOM;
	case ACTION_BOTTOM:
		return ACTION_TOP;
	default:
		return action;
	}
}

bool
flame_act(void *state, const struct scene *scene, enum action action)
{
	struct flame *flame = state;
	bool was_marked = flame->range.is_on, is_ours;

	flame->notice = NULL;
	if (action != ACTION_ZOOM && action != ACTION_MARK_LEFT &&
	    action != ACTION_MARK_RIGHT)
		flame->range.is_on = false;
	if (action == ACTION_PEEL && was_marked)
		return true;
	/* places and boxes may be from before the last merge of nodes */
	flame_settle(flame, scene);
	is_ours = flame->list.is_open && act_in_list(flame, action);
	if (!is_ours)
		is_ours = act_on_cursor(flame, scene, flame->is_flipped ?
					turned(action) : action) ||
			  act_on_graph(flame, tree_of(scene), action);
	if (is_ours)
		flame_settle(flame, scene);
	return is_ours;
}
