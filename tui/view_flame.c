/* SPDX-License-Identifier: MIT */
/*
 * view_flame.c - the flame graph: what it shows and where its cursor is.
 */
#include <string.h>

#include "core/base.h"
#include "tui/flame.h"

/* Order waits so long after a key: nobody likes a list that moves away. */
#define HOLD_NS 1000000000ull

/* Laid out below the cursor's: how far down it may come to be on the screen. */
#define ROWS_BELOW 6

int
flame_callers(const struct flame *flame, const struct calltree *tree)
{
	return (int)calltree_depth(tree, flame->zooms.now.node);
}

int
flame_crumb_rows(const struct flame *flame, const struct calltree *tree)
{
	int callers = flame_callers(flame, tree);

	return callers > CRUMB_ROWS ? 1 : callers;
}

int
flame_first_row(const struct flame *flame)
{
	return flame->zooms.count ? 0 : flame->skip;
}

node_id
flame_towards(const struct calltree *tree, node_id node, node_id below)
{
	uint32_t depth = calltree_depth(tree, node);

	if (calltree_depth(tree, below) <= depth)
		return NODE_NONE;
	while (calltree_depth(tree, below) > depth + 1)
		below = calltree_parent(tree, below);
	return calltree_parent(tree, below) == node ? below : NODE_NONE;
}

const struct zoom *
flame_chosen_zoom(const struct flame *flame)
{
	if (flame->zoom_is_search && flame->zooms.count > 0)
		return &flame->zooms.steps[flame->zooms.count - 1].zoom;
	return &flame->zooms.now;
}

uint32_t
flame_cursor_box(const struct flame *flame, const struct calltree *tree)
{
	if (calltree_depth(tree, flame->cursor.node) <
	    calltree_depth(tree, flame->zooms.now.node))
		return BOX_NONE;
	return flame->cursor.is_bin
		       ? layout_bin(&flame->layout, flame->cursor.node)
		       : layout_frame(&flame->layout, flame->cursor.node);
}

bool
flame_reaches(const struct flame *flame, const struct calltree *tree,
	      node_id node)
{
	const struct zoom *zoom = &flame->zooms.now;
	node_id child;

	if (node == zoom->node ||
	    flame_towards(tree, node, zoom->node) != NODE_NONE)
		return true;
	child = flame_towards(tree, zoom->node, node);
	return child != NODE_NONE && zoom_shows(zoom, child);
}

/* No place may be left that the tree or the zoom does not have. */
static void
fix_places(struct flame *flame, const struct calltree *tree)
{
	struct zoom *zoom = &flame->zooms.now;
	size_t count = calltree_count(tree);

	if (zoom->node >= count)
		zoom_reset(&flame->zooms);
	if (flame->deepest.node >= count)
		flame->deepest = (struct place){ 0 };
	if (flame->cursor.node >= count ||
	    !flame_reaches(flame, tree, flame->cursor.node))
		flame->cursor = (struct place){ .node = zoom->node };
	if (flame_towards(tree, flame->cursor.node, zoom->node) != NODE_NONE)
		flame->cursor.is_bin = false;
}

/* The cursor's row, counted from the first crumb. */
static int
cursor_row(const struct flame *flame, const struct calltree *tree)
{
	int callers = flame_callers(flame, tree);
	int row = (int)calltree_depth(tree, flame->cursor.node) - callers;
	uint32_t box = flame_cursor_box(flame, tree);

	if (row < 0)
		return callers > CRUMB_ROWS ? 0 : callers + row;
	if (box != BOX_NONE)
		row = (int)layout_row(&flame->layout, box);
	return flame_crumb_rows(flame, tree) + row;
}

/* Has a key been pressed just now? */
static bool
is_held(const struct scene *scene)
{
	return scene->key_ns && scene->key_ns <= scene->now_ns &&
	       scene->now_ns - scene->key_ns < HOLD_NS;
}

static void
lay_out(struct flame *flame, const struct scene *scene)
{
	const struct calltree *tree = picture_tree(scene->picture);
	struct layout_wish wish = {
		.tree = tree,
		.zoom = &flame->zooms.now,
		.chains = flame->chains.tree ? &flame->chains : NULL,
		.refolds = flame->wants_folds,
		.keep = flame->cursor.node,
		.keeps_bin = flame->cursor.is_bin,
		.marks = hits_marks(&flame->hits),
		.width = flame->width,
		/* one more row to go to, and one to know that there is more */
		.rows = (size_t)(flame->scroll + flame->height + 2),
		.rows_below = ROWS_BELOW,
		.is_held = is_held(scene),
		.is_fresh = flame->wants_fresh,
	};

	if (flame->height < flame->reach)
		wish.rows = (size_t)(flame->scroll + flame->reach + 2);
	layout_update(&flame->layout, &wish);
	flame->wants_fresh = flame->wants_folds = false;
}

/* The cursor in sight, with a row to spare on either side if there is one. */
static void
scroll_to_cursor(struct flame *flame, const struct calltree *tree)
{
	int page = flame->height > 1 ? flame->height - 1 : 1;
	int spare = page > 4, row = cursor_row(flame, tree);

	if (flame->scroll < row + spare + 1 - page)
		flame->scroll = row + spare + 1 - page;
	if (flame->scroll > row - spare)
		flame->scroll = row - spare;
	if (flame->scroll < flame_first_row(flame))
		flame->scroll = flame_first_row(flame);
}

/* Now that the rows are known: what of them is shown. */
static void
settle_page(struct flame *flame, const struct calltree *tree)
{
	int rows = flame_crumb_rows(flame, tree) + (int)flame->layout.nrows;
	int first = flame_first_row(flame);
	bool is_whole = rows - first <= flame->height;

	if (is_whole)
		flame->scroll = first;
	flame->page = is_whole || flame->height < 2 ? flame->height
						    : flame->height - 1;
	if (flame->scroll > first && flame->scroll > rows - flame->page)
		flame->scroll = rows - flame->page;
	flame->has_more = rows > flame->scroll + flame->page;
}

/* The so manieth hit in what the user chose to look at; 0: it is none. */
static unsigned
rank_of_cursor(struct flame *flame, const struct scene *scene)
{
	const struct calltree *tree = picture_tree(scene->picture);
	struct layout none = { 0 };
	node_id node = flame->cursor.node;
	struct hits_walk walk = { .search = scene->search, .tree = tree,
				  .layout = &flame->layout,
				  .zoom = flame_chosen_zoom(flame) };

	/* boxes count their rows from the zoom they were made for */
	if (flame->zoom_is_search)
		walk.layout = &none;
	if (flame->cursor.is_bin ||
	    (node != walk.zoom->node &&
	     flame_towards(tree, walk.zoom->node, node) == NODE_NONE))
		return 0;
	return hits_rank(&flame->hits, &walk, node);
}

void
flame_settle(struct flame *flame, const struct scene *scene)
{
	const struct calltree *tree = picture_tree(scene->picture);

	fix_places(flame, tree);
	hits_update(&flame->hits, scene->search, scene->picture);
	flame_settle_chains(flame, scene);
	lay_out(flame, scene);
	if (flame->cursor.is_bin && flame_cursor_box(flame, tree) == BOX_NONE)
		flame->cursor.is_bin = false;
	scroll_to_cursor(flame, tree);
	settle_page(flame, tree);
	bin_list_settle(&flame->list, scene, flame->height, is_held(scene));
	flame->hit = rank_of_cursor(flame, scene);
}

static void
flame_layout(void *state, const struct scene *scene, int width, int height)
{
	struct flame *flame = state;

	flame->width = width > 0 ? width : 0;
	flame->map_rows = flame_map_rows(flame, height);
	flame->height = height > 0 ? height - flame->map_rows : 0;
	flame_settle(flame, scene);
	if (flame->map_rows)
		flame_map_layout(flame, scene);
}

/* Callers below what they call: what a node has left is no time of its own. */
static bool
has_callers_below(const struct scene *scene)
{
	enum shape shape = picture_filter(scene->picture)->shape;

	return shape == SHAPE_INVERTED || shape == SHAPE_ABOVE;
}

/* A frame of the list of a bin. */
static struct focus
listed(struct focus focus, const struct calltree *tree, node_id node)
{
	focus.node = node;
	focus.func = calltree_func(tree, node);
	focus.self = calltree_self(tree, node);
	focus.total = calltree_total(tree, node);
	return focus;
}

static struct focus
flame_focus(const void *state, const struct scene *scene)
{
	const struct flame *flame = state;
	const struct calltree *tree = picture_tree(scene->picture);
	struct focus focus = { .node = flame->cursor.node,
			       .func = FUNC_NONE,
			       .has_no_self = has_callers_below(scene),
			       .top = flame_chosen_zoom(flame)->node,
			       .hit = flame->hit,
			       .notice = flame->notice };
	uint32_t box;

	if (focus.node >= calltree_count(tree) ||
	    focus.top >= calltree_count(tree)) {
		focus.node = focus.top = 0;
		return focus;
	}
	box = flame_cursor_box(flame, tree);
	focus.base = zoom_weight(&flame->zooms.now, tree);
	if (flame->list.is_open && bin_list_node(&flame->list) <
					   calltree_count(tree))
		return listed(focus, tree, bin_list_node(&flame->list));
	if (box == BOX_NONE)	/* a caller is no part of the view */
		focus.base = calltree_total(tree, 0);
	if (box != BOX_NONE && flame->layout.boxes[box].kind == BOX_BIN) {
		focus.total = flame->layout.boxes[box].weight;
		focus.hidden = flame->layout.boxes[box].hidden;
		return focus;
	}
	if (box != BOX_NONE)
		focus.links = flame->layout.boxes[box].links;
	focus.func = calltree_func(tree, focus.node);
	focus.self = calltree_self(tree, focus.node);
	focus.total = calltree_total(tree, focus.node);
	return focus;
}

static void
flame_remap(void *state, const node_id *map, size_t count)
{
	struct flame *flame = state;
	struct flame kept = { .is_flipped = flame->is_flipped,
			      .width = flame->width, .height = flame->height };

	if (!map) {
		layout_fini(&flame->layout);
		layout_fini(&flame->map);
		zoom_reset(&flame->zooms);
		hits_fini(&flame->hits);
		bin_list_close(&flame->list);
		node_set_fini(&flame->open);
		*flame = kept;
		return;
	}
	layout_remap(&flame->layout, map, count);
	layout_remap(&flame->map, map, count);
	zoom_remap(&flame->zooms, map, count);
	bin_list_remap(&flame->list, map, count);
	node_set_remap(&flame->open, map, count);
	if (flame->cursor.node < count)
		flame->cursor.node = map[flame->cursor.node];
	if (flame->deepest.node < count)
		flame->deepest.node = map[flame->deepest.node];
}

const struct view_ops view_flame = {
	.name = "flame",
	.digit = '1',
	.has_widths = true,
	.state_size = sizeof(struct flame),
	.layout = flame_layout,
	.draw = flame_draw,
	.act = flame_act,
	.click = flame_click,
	.focus = flame_focus,
	.show = flame_show,
	.go = flame_go,
	.remap = flame_remap,
};
