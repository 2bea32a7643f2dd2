/* SPDX-License-Identifier: MIT */
/*
 * picture_frames.c - which frames of the profile nodes of the tree stand for.
 *
 * A leaf knows the stack that ends in its node; the stack's last frame is what
 * the node shows, or the innermost of what was inlined there: then the nodes
 * above it, as many as were inlined, are the same frame too.
 */
#include <stdlib.h>

#include "core/base.h"
#include "core/picture_private.h"

void
picture_each_seen(const struct picture *picture, uint64_t min, frame_fn fn,
		  void *ctx)
{
	for (size_t i = 0; i < picture->nleaves; i++) {
		const struct leaf *leaf = &picture->leaves[i];

		if (leaf->stack &&
		    calltree_total(picture->tree, leaf->node) >= min)
			fn(ctx, profile_get_stack(picture->profile,
						  leaf->stack)->frame);
	}
}

struct weights {
	const struct picture *picture;
	uint64_t *by_stack;
	size_t count;
};

static void
add_weight(void *ctx, const struct cell *cell)
{
	struct weights *weights = ctx;

	if (cell->stack < weights->count &&
	    picture_passes(weights->picture, cell))
		weights->by_stack[cell->stack] = add_saturating(
			weights->by_stack[cell->stack], cell->weight);
}

/* With what they call; a caller's stack always has the smaller id. */
static uint64_t *
weigh_stacks(const struct picture *picture)
{
	struct weights weights = { picture, NULL,
				   profile_stacks(picture->profile) };

	weights.by_stack = xcalloc(weights.count, sizeof(uint64_t));
	profile_each(picture->profile, 0, UINT64_MAX, add_weight, &weights);
	for (size_t i = weights.count; i-- > 1;) {
		stack_id above = profile_get_stack(picture->profile,
						   (stack_id)i)->parent;

		weights.by_stack[above] = add_saturating(
			weights.by_stack[above], weights.by_stack[i]);
	}
	return weights.by_stack;
}

/* Does LEAF show NODE, or FUNC? At *LEVEL then. */
static bool
shows(const struct picture *picture, const struct leaf *leaf, node_id node,
      func_id func, size_t *level)
{
	frame_id frame = profile_get_stack(picture->profile,
					   leaf->stack)->frame;
	node_id at = leaf->node;
	size_t n;

	picture_inlined(picture, frame, &n);
	for (size_t i = n + 1; i-- > 0 && at;
	     at = calltree_parent(picture->tree, at)) {
		*level = i;
		if (node == NODE_NONE
			    ? calltree_func(picture->tree, at) == func
			    : at == node)
			return true;
	}
	return false;
}

bool
picture_hottest(const struct picture *picture, node_id node, func_id func,
		frame_id *frame, size_t *level)
{
	uint64_t *weights, best = 0;
	size_t at;

	if (!node || (node == NODE_NONE && func == FUNC_NONE))
		return false;
	weights = weigh_stacks(picture);
	for (size_t i = 0; i < picture->nleaves; i++) {
		const struct leaf *leaf = &picture->leaves[i];

		if (!leaf->stack || weights[leaf->stack] <= best ||
		    !shows(picture, leaf, node, func, &at))
			continue;
		best = weights[leaf->stack];
		*level = at;
		*frame = profile_get_stack(picture->profile,
					   leaf->stack)->frame;
	}
	free(weights);
	return best > 0;
}
