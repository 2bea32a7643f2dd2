/* SPDX-License-Identifier: MIT */
/*
 * flame_reveal.c - the flame view's cursor goes where it is sent: to a hit of
 * the search, or to what another view was about.
 */
#include "tui/flame.h"

/* A hit is shown at least so wide: the shortest label. */
#define HIT_CELLS 3

/* Is NODE in the picture of the zoom, and wide enough to be read? */
static bool
is_readable(const struct flame *flame, const struct weights *weights,
	    node_id node)
{
	const struct zoom *zoom = &flame->zooms.now;
	node_id child = flame_towards(weights->tree, zoom->node, node);

	if (node == zoom->node)
		return !zoom->is_bin;
	return child != NODE_NONE && zoom_shows(zoom, child) &&
	       (unsigned __int128)weights_total(weights, node) *
			       (unsigned)flame->width >=
		       (unsigned __int128)zoom_weight(zoom, weights) *
			       HIT_CELLS;
}

/*
 * Put the cursor on NODE and zoom just so far that it can be read. A zoom
 * made for the hit before is undone, so that going through hits leaves one
 * step of history and not a hundred.
 */
static void
reveal(struct flame *flame, const struct weights *weights, node_id node)
{
	const struct calltree *tree = weights->tree;
	struct place from = flame->cursor;
	struct zoom zoom = { .node = node };
	node_id top;

	if (flame->zoom_is_search && !is_readable(flame, weights, node)) {
		flame_zoom_out(flame);
		from = flame->cursor;
	}
	if (!is_readable(flame, weights, node)) {
		top = flame->zooms.now.node;
		if (flame_towards(tree, top, node) == NODE_NONE)
			top = 0;
		while (zoom.node != top &&
		       (unsigned __int128)weights_total(weights, node) *
				       (unsigned)flame->width >=
			       (unsigned __int128)weights_total(
				       weights,
				       calltree_parent(tree, zoom.node)) *
				       HIT_CELLS)
			zoom.node = calltree_parent(tree, zoom.node);
		zoom_to(&flame->zooms, zoom, from);
		flame->zoom_is_search = true;
		flame->wants_fresh = true;
	}
	flame_open_chain(flame, tree, node);
	flame->cursor = (struct place){ .node = node };
	flame->deepest = flame->cursor;
}

void
flame_go_to_hit(struct flame *flame, const struct scene *scene, bool is_back)
{
	const struct calltree *tree = picture_tree(scene->picture);
	struct weights weights = picture_weights(scene->picture);
	struct hits_walk walk = { .search = scene->search, .weights = weights,
				  .layout = &flame->layout,
				  .zoom = flame_chosen_zoom(flame) };
	struct layout none = { 0 };
	node_id from = flame->cursor.node, hit;
	bool wrapped;

	/* boxes count their rows from the zoom they were made for */
	if (flame->zoom_is_search)
		walk.layout = &none;
	if (flame_towards(tree, walk.zoom->node, from) == NODE_NONE)
		from = walk.zoom->node;
	hit = hits_next(&flame->hits, &walk, from, is_back, &wrapped);
	if (!search_is_on(scene->search))
		flame->notice = "nothing is searched for";
	else if (hit == NODE_NONE)
		flame->notice = walk.zoom->node || walk.zoom->is_bin
					? "no hit inside the zoom"
					: "no hit in this picture";
	else if (wrapped)
		flame->notice = is_back ? "search goes on at the bottom"
					: "search goes on at the top";
	if (hit != NODE_NONE)
		reveal(flame, &weights, hit);
}

/* NODE where it is, if the zoom shows it; else the zoom gives way. */
void
flame_go(void *state, const struct scene *scene, node_id node)
{
	struct flame *flame = state;
	const struct calltree *tree = picture_tree(scene->picture);
	struct weights weights = picture_weights(scene->picture);

	if (node >= calltree_count(tree))
		return;
	bin_list_close(&flame->list);
	flame_settle(flame, scene);
	if (flame_reaches(flame, tree, node)) {
		flame_open_chain(flame, tree, node);
		flame_put(flame, tree, (struct place){ .node = node });
	} else {
		reveal(flame, &weights, node);
	}
	flame_settle(flame, scene);
}

void
flame_show(void *state, const struct scene *scene, func_id func)
{
	struct flame *flame = state;
	struct weights weights = picture_weights(scene->picture);
	node_id best = weights_heaviest(&weights, func);

	if (best == NODE_NONE)
		return;
	bin_list_close(&flame->list);
	flame_settle(flame, scene);
	reveal(flame, &weights, best);
	flame_settle(flame, scene);
}
