/* SPDX-License-Identifier: MIT */
/*
 * flame_chains.c - opening and folding chains of calls.
 */
#include "core/base.h"
#include "tui/flame.h"

void
flame_settle_chains(struct flame *flame, const struct scene *scene)
{
	bool had = flame->chains.tree != NULL;

	flame->chains = (struct chain_rule){ .names = scene->names,
					     .open = &flame->open,
					     .depth = flame->unfolded };
	/* what has changed may be anywhere: each call has a row of its own */
	if (!scene->has_no_chains && !picture_baseline(scene->picture))
		flame->chains.tree = picture_tree(scene->picture);
	if (!had && flame->chains.tree)
		flame->wants_folds = true;
}

node_id
flame_row_end(const struct flame *flame, node_id node)
{
	uint32_t box = layout_frame(&flame->layout, node), links;

	if (box != BOX_NONE)
		return flame->layout.boxes[box].node;
	return flame->chains.tree ? chain_end(&flame->chains, node, &links) :
	       node;
}

/* All from HEAD on to LAST, which needs no mark. */
static void
open_all(struct flame *flame, const struct calltree *tree, node_id head,
	 node_id last)
{
	while (last != head && last != 0) {
		last = calltree_parent(tree, last);
		node_set_add(&flame->open, last);
	}
}

void
flame_open_chain(struct flame *flame, const struct calltree *tree,
		 node_id node)
{
	uint32_t at = layout_frame(&flame->layout, node), links;
	struct chain_rule closed = flame->chains;
	node_id head, last;

	if (!closed.tree)
		return;
	if (at != BOX_NONE && flame->layout.boxes[at].node != node)
		open_all(flame, tree, flame->layout.boxes[at].head,
			 flame->layout.boxes[at].node);
	closed.open = NULL;
	head = chain_head(&closed, node);
	last = chain_end(&closed, head, &links);
	if (links > 1 && last != node)
		open_all(flame, tree, head, last);
}

void
flame_unfold(struct flame *flame, const struct calltree *tree)
{
	uint32_t at = flame_cursor_box(flame, tree);
	const struct box *box;

	if (at == BOX_NONE || flame->layout.boxes[at].links < 2) {
		flame->notice = "no chain of calls is folded here";
		return;
	}
	box = &flame->layout.boxes[at];
	open_all(flame, tree, box->head, box->node);
	flame->deepest = flame->cursor;
	flame->cursor.node = box->head;
}

void
flame_fold(struct flame *flame, const struct calltree *tree)
{
	struct chain_rule closed = flame->chains;
	node_id head, last, node;
	uint32_t links;

	closed.open = NULL;
	if (!closed.tree) {
		flame->notice = "chains of calls are not folded now";
		return;
	}
	head = chain_head(&closed, flame->cursor.node);
	last = node = chain_end(&closed, head, &links);
	if (links < 2 || flame->cursor.is_bin) {
		flame->notice = "this is no chain of calls";
		return;
	}
	for (; node != head; node = calltree_parent(tree, node))
		node_set_remove(&flame->open, node);
	node_set_remove(&flame->open, head);
	flame->wants_folds = true;
	flame->cursor.node = last;
	flame->deepest = flame->cursor;
}
