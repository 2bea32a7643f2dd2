/* SPDX-License-Identifier: MIT */
/*
 * flame_mouse.c - which frame of the flame view a click means.
 */
#include "tui/flame.h"

/* A caller of the zoomed frame: of one line for all, the innermost. */
static struct place
caller_at(const struct flame *flame, const struct calltree *tree, int row)
{
	int callers = flame_callers(flame, tree);
	uint32_t depth = callers > CRUMB_ROWS ? (uint32_t)callers - 1
					      : (uint32_t)row;
	node_id node = flame->zooms.now.node;

	while (calltree_depth(tree, node) > depth)
		node = calltree_parent(tree, node);
	return (struct place){ .node = node };
}

/* False: there is nothing at (X, ROW). Own time is its frame. */
static bool
place_at(const struct flame *flame, const struct calltree *tree, int x,
	 int row, struct place *out)
{
	const struct layout *l = &flame->layout;
	int crumbs = flame_crumb_rows(flame, tree);

	if (row < crumbs) {
		*out = caller_at(flame, tree, row);
		return true;
	}
	row -= crumbs;
	if ((size_t)row >= l->nrows)
		return false;
	for (size_t i = l->rows[row]; i < l->rows[row + 1]; i++) {
		const struct box *box = &l->boxes[i];

		if (x < box->left || x >= box->right)
			continue;
		*out = (struct place){ .node = box->node,
				       .is_bin = box->kind == BOX_BIN &&
						 row > 0 };
		return true;
	}
	return false;
}

/* True: on the row where the cursor was. */
static bool
click_list(struct bin_list *list, int y)
{
	size_t before = list->row;

	return bin_list_click(list, y) && list->row == before;
}

bool
flame_click(void *state, const struct scene *scene, int x, int y)
{
	struct flame *flame = state;
	const struct calltree *tree = picture_tree(scene->picture);
	struct place before = flame->cursor, to;

	flame->notice = NULL;
	flame_settle(flame, scene);
	y -= flame->map_rows;
	if (flame->list.is_open)
		return click_list(&flame->list, y);
	if (flame->is_flipped)
		y = flame->height - 1 - y;
	if (y < 0 || y >= flame->page ||
	    !place_at(flame, tree, x, y + flame->scroll, &to))
		return false;
	flame->cursor = flame->deepest = to;
	flame_settle(flame, scene);
	return to.node == before.node && to.is_bin == before.is_bin;
}
