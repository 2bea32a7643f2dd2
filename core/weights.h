/* SPDX-License-Identifier: MIT */
/*
 * weights.h - what the nodes of a call tree weigh, whoever counted.
 *
 * The tree has counts of its own. Others, of a baseline for example, stand
 * beside it, by node; whoever draws the tree need not know which they are.
 */
#ifndef CORE_WEIGHTS_H
#define CORE_WEIGHTS_H

#include "core/calltree.h"

/* A value; what it points to is borrowed. */
struct weights {
	const struct calltree *tree;
	const uint64_t *self, *total;	/* by node; NULL: the tree's own */
	size_t count;			/* nodes from here on have none */
};

/* TREE's own. */
static inline struct weights
weights_of(const struct calltree *tree)
{
	return (struct weights){ .tree = tree };
}

/* As calltree_total() and calltree_self(). */
static inline uint64_t
weights_total(const struct weights *weights, node_id node)
{
	if (!weights->total)
		return calltree_total(weights->tree, node);
	return node < weights->count ? weights->total[node] : 0;
}

static inline uint64_t
weights_self(const struct weights *weights, node_id node)
{
	if (!weights->self)
		return calltree_self(weights->tree, node);
	return node < weights->count ? weights->self[node] : 0;
}

/* The least weight that is CUT thousandths of ALL; without a cut it is 0. */
static inline uint64_t
weights_uncut(uint64_t all, unsigned cut)
{
	return (uint64_t)(((unsigned __int128)all * cut + 999) / 1000);
}

/* FUNC's node with the most weight, or NODE_NONE; looks at all nodes. */
node_id weights_heaviest(const struct weights *weights, func_id func);

/* How many nodes with a weight FUNC has; looks at all nodes. */
unsigned weights_places(const struct weights *weights, func_id func);

#endif
