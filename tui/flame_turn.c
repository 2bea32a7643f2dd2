/* SPDX-License-Identifier: MIT */
/*
 * flame_turn.c - what is left of a zoom when the graph is inverted.
 *
 * The other way round a call stands in many places, or in none. A function that
 * was executed has one there, on top, and that is zoomed to; what only calls
 * others has not. The way back leads to where it came from, unless somebody has
 * zoomed to something else meanwhile.
 */
#include <stdlib.h>

#include "core/base.h"
#include "tui/flame.h"

/* The functions on the way from the root to NODE. */
static struct flame_path
path_to(const struct calltree *tree, node_id node)
{
	struct flame_path path = { .depth = calltree_depth(tree, node) };

	path.funcs = xcalloc(path.depth + 1, sizeof(*path.funcs));
	for (size_t i = path.depth; i-- > 0;
	     node = calltree_parent(tree, node))
		path.funcs[i] = calltree_func(tree, node);
	return path;
}

/* As far as PATH goes in this tree. */
static node_id
follow(const struct scene *scene, const struct flame_path *path)
{
	const struct calltree *tree = picture_tree(scene->picture);
	node_id node = 0;

	for (size_t i = 0; i < path->depth; i++) {
		func_id func = names_final(scene->names, path->funcs[i]);
		node_id child = calltree_first(tree, node);

		while (child != NODE_NONE && calltree_func(tree, child) != func)
			child = calltree_next(tree, child);
		if (child == NODE_NONE)
			break;
		node = child;
	}
	return node;
}

/* FUNC's heaviest node; of those DEPTH deep, unless that is 0. */
static node_id
place_of(const struct weights *weights, func_id func, uint32_t depth)
{
	size_t count = calltree_count(weights->tree);
	node_id best = 0;

	for (node_id i = 1; func != FUNC_NONE && i < count; i++)
		if (calltree_func(weights->tree, i) == func &&
		    (!depth || calltree_depth(weights->tree, i) == depth) &&
		    weights_total(weights, i) > (best ?
			    weights_total(weights, best) : 0))
			best = i;
	return best;
}

static bool
is_as_turned(const struct flame *flame)
{
	const struct flame_turn *turn = &flame->turn;
	const struct zoom *zoom = flame_chosen_zoom(flame);
	size_t steps = flame->zooms.count - flame->zoom_is_search;

	return turn->back.funcs && zoom->node == turn->made && !zoom->is_bin &&
	       steps == (turn->made != 0);
}

void
flame_forget_turn(struct flame *flame)
{
	free(flame->turn.here.funcs);
	free(flame->turn.back.funcs);
	flame->turn = (struct flame_turn){ 0 };
}

void
flame_before_turn(void *state, const struct scene *scene)
{
	struct flame *flame = state;
	struct flame_turn *turn = &flame->turn;
	const struct calltree *tree = picture_tree(scene->picture);
	node_id cursor = flame->cursor.node;
	node_id zoom = flame_chosen_zoom(flame)->node;
	size_t count = calltree_count(tree);

	if (!is_as_turned(flame))
		flame_forget_turn(flame);
	turn->here = path_to(tree, zoom < count ? zoom : 0);
	turn->cursor = cursor < count ? calltree_func(tree, cursor) : FUNC_NONE;
	turn->is_on = true;
}

/* Where the zoom is now; 0: nowhere. */
static node_id
turned_zoom(const struct flame_turn *turn, const struct scene *scene)
{
	const struct filter *filter = picture_filter(scene->picture);
	struct weights weights = picture_weights(scene->picture);
	uint32_t top = filter->shape == SHAPE_INVERTED ?
		       1 + filter->thread_rows : 0;
	size_t depth = turn->here.depth;

	if (turn->back.funcs)
		return follow(scene, &turn->back);
	return !depth ? 0 : place_of(&weights, names_final(scene->names,
					turn->here.funcs[depth - 1]), top);
}

static void
turn_to(struct flame *flame, const struct scene *scene)
{
	struct flame_turn *turn = &flame->turn;
	struct weights weights = picture_weights(scene->picture);
	node_id zoom = turned_zoom(turn, scene), at;
	func_id func = turn->cursor;

	free(turn->back.funcs);
	turn->back = turn->here;
	turn->here = (struct flame_path){ 0 };
	turn->made = zoom;
	turn->is_on = false;
	if (zoom) {
		zoom_to(&flame->zooms, (struct zoom){ .node = zoom },
			(struct place){ 0 });
		flame->cursor = flame->deepest = (struct place){ .node = zoom };
	}
	flame->wants_fresh = true;
	if (func == FUNC_NONE)
		return;
	func = names_final(scene->names, func);
	at = place_of(&weights, func, 0);
	if (!zoom)
		flame_show(flame, scene, func);
	else if (at && flame_reaches(flame, weights.tree, at))
		flame_go(flame, scene, at);
}

void
flame_after_turn(void *state, const struct scene *scene)
{
	struct flame *flame = state;
	struct flame_turn *turn = &flame->turn;

	if (scene) {
		turn_to(flame, scene);
		return;
	}
	free(turn->here.funcs);
	turn->here = (struct flame_path){ 0 };
	turn->is_on = false;
}
