/* SPDX-License-Identifier: MIT */
/*
 * view_flame.c - the flame graph: what it shows and where its cursor is.
 */
#include <string.h>

#include "core/base.h"
#include "tui/change.h"
#include "tui/flame.h"

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

/*
 * What is left of callers is where stacks begin, which nothing is to be seen
 * of: a last row of that alone is none.
 */
int
flame_rows(const struct flame *flame)
{
	const struct layout *l = &flame->layout;
	size_t rows = l->nrows;

	if (!flame->has_callers_below || rows == 0)
		return (int)rows;
	for (size_t i = l->rows[rows - 1]; i < l->rows[rows]; i++)
		if (l->boxes[i].kind != BOX_SELF)
			return (int)rows;
	return (int)rows - 1;
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

static void
lay_out(struct flame *flame, const struct scene *scene)
{
	struct layout_wish wish = {
		.weights = picture_weights(scene->picture),
		.zoom = &flame->zooms.now,
		.chains = flame->chains.tree ? &flame->chains : NULL,
		.refolds = flame->wants_folds,
		.keep = flame->cursor.node,
		.keeps_bin = flame->cursor.is_bin,
		.marks = hits_marks(&flame->hits),
		.cut = picture_filter(scene->picture)->cut,
		.width = flame->width,
		/* one more row to go to, and one to know that there is more */
		.rows = (size_t)(flame->scroll + flame->height + 2),
		.rows_below = ROWS_BELOW,
		.is_held = scene_is_held(scene),
		.is_fresh = flame->wants_fresh,
		.is_other = flame->counts != change_counts(scene),
	};

	if (flame->height < flame->reach)
		wish.rows = (size_t)(flame->scroll + flame->reach + 2);
	layout_update(&flame->layout, &wish);
	flame->cut = wish.cut;
	flame->wants_fresh = flame->wants_folds = false;
	flame->counts = change_counts(scene);
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
	int rows = flame_crumb_rows(flame, tree) + flame_rows(flame);
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
	struct hits_walk walk = { .search = scene->search,
				  .weights = picture_weights(scene->picture),
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

/* Callers below what they call: what a node has left is no time of its own. */
static bool
has_callers_below(const struct scene *scene)
{
	enum shape shape = picture_filter(scene->picture)->shape;

	return shape == SHAPE_INVERTED || shape == SHAPE_ABOVE;
}

void
flame_settle(struct flame *flame, const struct scene *scene)
{
	const struct calltree *tree = picture_tree(scene->picture);

	flame->has_callers_below = has_callers_below(scene);
	fix_places(flame, tree);
	hits_update(&flame->hits, scene->search, scene->picture);
	flame_settle_chains(flame, scene);
	lay_out(flame, scene);
	if (flame->cursor.is_bin && flame_cursor_box(flame, tree) == BOX_NONE)
		flame->cursor.is_bin = false;
	scroll_to_cursor(flame, tree);
	settle_page(flame, tree);
	bin_list_settle(&flame->list, scene, flame->height,
			scene_is_held(scene));
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

/* All that is to be known of NODE. */
static void
focus_on(struct focus *focus, const struct flame *flame,
	 const struct scene *scene, node_id node)
{
	struct weights weights = picture_weights(scene->picture);
	struct weights wholes = picture_wholes(scene->picture);

	focus->node = node;
	focus->func = calltree_func(weights.tree, node);
	focus->self = weights_self(&weights, node);
	focus->total = weights_total(&weights, node);
	if (node != 0)
		focus->parent = weights_total(
			&wholes, calltree_parent(weights.tree, node));
	focus->both = change_both(scene, node, flame->zooms.now.node);
}

static void
focus_on_bin(struct focus *focus, const struct scene *scene,
	     const struct box *bin, bool is_marked)
{
	struct weights wholes = picture_wholes(scene->picture);

	focus->total = bin->weight;
	focus->hidden = bin->hidden;
	focus->parent = weights_total(&wholes, bin->node);
	if (bin->parent == BOX_NONE && is_marked)
		focus->is_marked = focus->has_no_self = true;
}

static void
focus_on_marked(struct focus *focus, const struct flame *flame,
		const struct scene *scene)
{
	struct weights wholes = picture_wholes(scene->picture);
	node_id parent;

	focus->hidden = flame_marked(flame, &focus->total, &parent);
	focus->parent = weights_total(&wholes, parent);
	focus->is_marked = focus->has_no_self = true;
}

/* What FOCUS is a part of, unless that is the whole picture or itself. */
static void
focus_in_zoom(struct focus *focus, const struct flame *flame,
	      const struct scene *scene)
{
	const struct zoom *zoom = &flame->zooms.now;
	struct weights wholes = picture_wholes(scene->picture);

	focus->is_zoomed = zoom->is_bin ||
			   (zoom->node != 0 && (focus->hidden ||
						focus->node != zoom->node));
	focus->view = zoom_weight(zoom, &wholes);
	focus->view_func = zoom->is_bin ? FUNC_NONE :
			   calltree_func(wholes.tree, zoom->node);
}

static struct focus
flame_focus(const void *state, const struct scene *scene)
{
	const struct flame *flame = state;
	const struct calltree *tree = picture_tree(scene->picture);
	struct weights wholes = picture_wholes(scene->picture);
	struct focus focus = { .node = flame->cursor.node,
			       .func = FUNC_NONE, .view_func = FUNC_NONE,
			       .has_no_self = flame->has_callers_below,
			       .top = flame_chosen_zoom(flame)->node,
			       .hit = flame->hit,
			       .notice = flame->notice };
	uint32_t box;

	if (focus.node >= calltree_count(tree) ||
	    focus.top >= calltree_count(tree)) {
		focus.node = focus.top = 0;
		return focus;
	}
	focus.view = weights_total(&wholes, 0);
	box = flame_cursor_box(flame, tree);
	if (flame->list.is_open && bin_list_node(&flame->list) <
					   calltree_count(tree)) {
		focus_on(&focus, flame, scene, bin_list_node(&flame->list));
		focus_in_zoom(&focus, flame, scene);
		return focus;
	}
	if (flame_marked(flame, &focus.total, &focus.node))
		focus_on_marked(&focus, flame, scene);
	else if (box != BOX_NONE && flame->layout.boxes[box].kind == BOX_BIN)
		focus_on_bin(&focus, scene, &flame->layout.boxes[box],
			     flame->zooms.now.is_marked);
	else
		focus_on(&focus, flame, scene, focus.node);
	if (box != BOX_NONE) {	/* a caller is no part of the view */
		focus_in_zoom(&focus, flame, scene);
		focus.links = flame->layout.boxes[box].links;
	}
	return focus;
}

static node_id
moved(node_id node, const node_id *map, size_t count)
{
	return node < count ? map[node] : node;
}

static void
flame_remap(void *state, const node_id *map, size_t count)
{
	struct flame *flame = state;
	struct flame kept = { .is_flipped = flame->is_flipped,
			      .width = flame->width, .height = flame->height };

	if (!map) {
		if (!flame->turn.is_on)
			flame_forget_turn(flame);
		kept.turn = flame->turn;
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
	flame->range.from.node = moved(flame->range.from.node, map, count);
	flame->range.to.node = moved(flame->range.to.node, map, count);
	node_set_remap(&flame->open, map, count);
	flame->turn.made = moved(flame->turn.made, map, count);
	flame->cursor.node = moved(flame->cursor.node, map, count);
	flame->deepest.node = moved(flame->deepest.node, map, count);
}

static const struct hint flame_hints[] = {
	{ ACTION_ZOOM, ACTION_NONE, "zoom" },
	{ ACTION_BACK, ACTION_NONE, "back" },
	{ ACTION_NONE, ACTION_NONE, NULL },
};

const struct view_ops view_flame = {
	.name = "flame",
	.digit = '1',
	.has_widths = true,
	.hints = flame_hints,
	.state_size = sizeof(struct flame),
	.layout = flame_layout,
	.draw = flame_draw,
	.act = flame_act,
	.click = flame_click,
	.drag = flame_drag,
	.focus = flame_focus,
	.show = flame_show,
	.go = flame_go,
	.before_turn = flame_before_turn,
	.after_turn = flame_after_turn,
	.remap = flame_remap,
};
