/* SPDX-License-Identifier: MIT */
/*
 * flame_map.c - the whole graph in one line, above what is zoomed to.
 *
 *	▀▀▀▀▀▀▀▀▀▀▀███████▀▀▀▀▀   ▀▀▀▀
 *
 * Full where the zoomed frame is, half where the graph is about as deep; blank
 * where it is not. Only where there is room to spare.
 */
#include "core/base.h"
#include "tui/change.h"
#include "tui/flame.h"

#define HEIGHT_FROM 24		/* of the view: a screen of 30 lines */
#define ROWS_MAX 16		/* deeper zooms are where their callers are */

int
flame_map_rows(const struct flame *flame, int height)
{
	const struct zoom *zoom = &flame->zooms.now;

	return height >= HEIGHT_FROM && (zoom->node != 0 || zoom->is_bin);
}

/* The caller of the zoomed frame, or itself, that is on the map. */
static node_id
marked(const struct flame *flame, const struct calltree *tree)
{
	node_id node = flame->zooms.now.node;

	while (calltree_depth(tree, node) >= ROWS_MAX)
		node = calltree_parent(tree, node);
	return node;
}

void
flame_map_layout(struct flame *flame, const struct scene *scene)
{
	const struct calltree *tree = picture_tree(scene->picture);
	struct zoom whole = { 0 };
	node_id node = marked(flame, tree);
	struct layout_wish wish = {
		.weights = picture_weights(scene->picture),
		.zoom = &whole, .keep = node, .width = flame->width,
		.rows = calltree_depth(tree, node) + 1,
		.is_other = flame->map_counts != change_counts(scene),
	};

	layout_update(&flame->map, &wish);
	flame->map_counts = change_counts(scene);
}

void
flame_map_draw(const struct flame *flame, const struct scene *scene,
	       struct canvas *canvas, struct rect area)
{
	const struct calltree *tree = picture_tree(scene->picture);
	const struct layout *map = &flame->map;
	bool is_ascii = canvas_is_ascii(canvas);
	node_id node = marked(flame, tree);
	size_t row = calltree_depth(tree, node);
	int right = area.x + area.width;

	canvas_fill(canvas, area, STYLE_MINIMAP, 0);
	if (row >= map->nrows)
		return;
	for (size_t i = map->rows[row]; i < map->rows[row + 1]; i++) {
		const struct box *box = &map->boxes[i];
		bool is_zoom = box->kind == BOX_FRAME && box->node == node;

		if (box->kind == BOX_SELF)
			continue;
		for (int x = area.x + box->left;
		     x < area.x + box->right && x < right; x++)
			canvas_text(canvas, x, area.y, 1,
				    is_zoom ? is_ascii ? "#" : "█"
					    : is_ascii ? "-" : "▀",
				    is_zoom ? STYLE_MINIMAP_ZOOM
					    : STYLE_MINIMAP, 0);
	}
}
