/* SPDX-License-Identifier: MIT */
/*
 * layout_chain.c - chains of calls that share a box.
 */
#include "core/base.h"
#include "tui/layout_private.h"

/*
 * The nodes of OLD, the last first, into LAYOUT->chain. 0: it was no chain, or
 * is none any more since nodes moved.
 */
static size_t
list_old(struct pass *p, const struct box *old)
{
	struct layout *l = p->layout;
	node_id node = old->node;
	size_t n = 0;

	if (old->links < 2)
		return 0;
	while (n < old->links && node != NODE_NONE) {
		l->chain = grow(l->chain, n, &l->chain_capacity,
				sizeof(*l->chain));
		l->chain[n++] = node;
		if (node == old->head)
			return n;
		node = calltree_parent(p->wish->weights.tree, node);
	}
	return 0;
}

uint32_t
layout_find_old(struct pass *p, uint32_t parent, node_id child)
{
	const struct layout *l = p->layout;
	const struct box *old;
	size_t n;

	if (parent == BOX_NONE)
		return BOX_NONE;
	old = &l->old[parent];
	for (uint32_t i = old->first; i < old->first + old->count; i++)
		if (l->old[i].head == child && l->old[i].kind == BOX_FRAME)
			return i;
	n = list_old(p, old);
	for (size_t i = 0; i + 1 < n; i++)
		if (l->chain[i] == child)
			return parent;
	return BOX_NONE;
}

/* Would one see that what is in NEXT is less than what is in CHILD? */
static bool
is_same_size(const struct pass *p, const struct layout_child *child,
	     node_id next)
{
	uint64_t total = weights_total(&p->wish->weights, next);

	return child->weight >= total &&
	       layout_exact(p, child->weight - total) < CELL / 2;
}

/* Does the way to the frame to keep leave the chain after NODE? */
static bool
is_fork(const struct pass *p, node_id node, node_id next)
{
	const struct calltree *tree = p->wish->weights.tree;
	size_t depth = calltree_depth(tree, node) -
		       calltree_depth(tree, p->wish->zoom->node);

	return node == p->wish->keep ||
	       (depth + 1 < p->path_len && p->layout->path[depth] == node &&
		p->layout->path[depth + 1] != next);
}

/* As far as CHILD had a box with those after it. */
static void
keep_fold(struct pass *p, struct layout_child *child)
{
	const struct chain_rule *rule = p->wish->chains;
	size_t i = list_old(p, &p->layout->old[child->was]);

	while (i > 0 && p->layout->chain[i - 1] != child->node)
		i--;
	for (; i > 1; i--) {
		node_id next = p->layout->chain[i - 2];

		if (!chain_may_join(rule, child->last, next) ||
		    !is_same_size(p, child, next) ||
		    is_fork(p, child->last, next))
			break;
		child->last = next;
		child->links++;
	}
}

/* The frame to keep is always the last of a chain. */
static void
make_fold(struct pass *p, struct layout_child *child)
{
	const struct chain_rule *rule = p->wish->chains;
	struct layout_child new = *child;
	node_id next;

	while ((next = chain_next(rule, new.last)) != NODE_NONE &&
	       !is_fork(p, new.last, next)) {
		new.was = layout_find_old(p, new.was, next);
		new.last = next;
		new.links++;
	}
	if (new.links >= CHAIN_MIN)
		*child = new;
}

void
layout_fold(struct pass *p, struct layout_child *child)
{
	if (!p->wish->chains || child->weight == 0)
		return;
	if (child->was == BOX_NONE || p->wish->refolds)
		make_fold(p, child);
	else
		keep_fold(p, child);
}
