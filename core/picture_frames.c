/* SPDX-License-Identifier: MIT */
/*
 * picture_frames.c - which frames of the profile nodes of the tree stand for.
 *
 * While stacks are shown as they are, a leaf knows the stack that ends in its
 * node; the stack's last frame is what the node shows, or the innermost of
 * what was inlined there: then the nodes above it, as many as were inlined,
 * are the same frame too. Else the paths of stacks are made again.
 */
#include <stdlib.h>

#include "core/base.h"
#include "core/picture_private.h"

static void
each_plainly(const struct picture *picture, uint64_t min, frame_fn fn,
	     void *ctx)
{
	for (size_t i = 0; i < picture->own.leaves.count; i++) {
		const struct leaf *leaf = &picture->own.leaves.rows[i];

		if (leaf->stack &&
		    calltree_total(picture->tree, leaf->node) >= min)
			fn(ctx, profile_get_stack(picture->profile,
						  leaf->stack)->frame);
	}
}

/* The frames of functions of that weight, wherever they are. */
static void
each_by_function(const struct picture *picture, uint64_t min, frame_fn fn,
		 void *ctx)
{
	size_t count;
	const struct function_row *rows = picture_functions(picture, &count);
	struct marks *marks = &picture->room->marks;

	marks_forget(marks);
	for (size_t i = 0; i < count; i++)
		if (rows[i].total >= min)
			marks_set(marks, rows[i].func, 1);
	for (size_t i = 0; i < profile_frames(picture->profile); i++) {
		func_id func = names_of(picture->names, (frame_id)i);
		func_id library = names_library_of(picture->names, func);

		if (marks_get(marks, func) != MARK_NONE ||
		    (library != FUNC_NONE &&
		     marks_get(marks, library) != MARK_NONE))
			fn(ctx, (frame_id)i);
	}
}

void
picture_each_seen(const struct picture *picture, uint64_t min, frame_fn fn,
		  void *ctx)
{
	if (picture_is_plain(picture))
		each_plainly(picture, min, fn, ctx);
	else
		each_by_function(picture, min, fn, ctx);
}

/* --- the hottest frame, while stacks are shown as they are */

struct stack_weights {
	const struct picture *picture;
	uint64_t *by_stack;
	size_t count;
};

static void
add_weight(void *ctx, const struct cell *cell)
{
	struct stack_weights *weights = ctx;

	if (cell->stack < weights->count &&
	    picture_passes(weights->picture, cell))
		weights->by_stack[cell->stack] = add_saturating(
			weights->by_stack[cell->stack], cell->weight);
}

/* With what they call; a caller's stack always has the smaller id. */
static uint64_t *
weigh_stacks(const struct picture *picture)
{
	struct stack_weights weights = { picture, NULL,
					 profile_stacks(picture->profile) };

	weights.by_stack = xcalloc(weights.count, sizeof(uint64_t));
	profile_each(picture->profile, picture->from_ns, UINT64_MAX,
		     add_weight, &weights);
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

	picture_inlined(picture, picture->names, frame, &n);
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

static bool
find_plainly(const struct picture *picture, node_id node, func_id func,
	     frame_id *frame, size_t *level)
{
	uint64_t *weights, best = 0;
	size_t at;

	weights = weigh_stacks(picture);
	for (size_t i = 0; i < picture->own.leaves.count; i++) {
		const struct leaf *leaf = &picture->own.leaves.rows[i];

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

/* --- the same by the paths of stacks */

/* What is looked for, and the weight of each frame that is it. */
struct frame_search {
	const struct picture *picture;
	bool *is_below;		/* by node; NULL: look for FUNC */
	size_t depth;		/* of the node */
	func_id func;
	uint64_t *weights;	/* by frame */
	uint32_t *levels;
};

static void
find_in_path(struct frame_search *search, const struct call_path *path,
	     uint64_t weight)
{
	size_t row = path->row != FUNC_NONE, i = 0;

	if (search->is_below)
		i = search->depth - 1 - row;
	else
		while (i < path->count &&
		       path->steps[i].func != search->func)
			i++;
	if (i >= path->count)		/* a thread's row, too */
		return;
	search->weights[path->steps[i].frame] = add_saturating(
		search->weights[path->steps[i].frame], weight);
	search->levels[path->steps[i].frame] = path->steps[i].level;
}

static void
search_cell(void *ctx, const struct cell *cell)
{
	struct frame_search *search = ctx;
	const struct picture *picture = search->picture;
	const struct leaf *leaf;
	bool is_dropped;

	if (!picture_passes(picture, cell))
		return;
	leaf = picture_known_leaf(picture, cell);
	if (!leaf || leaf->node == NODE_NONE ||
	    (search->is_below && !search->is_below[leaf->node]))
		return;
	picture_path(picture, &picture->own, leaf->row, leaf->stack,
		     &picture->room->path, &is_dropped);
	find_in_path(search, &picture->room->path, cell->weight);
}

static bool *
nodes_below(const struct calltree *tree, node_id node)
{
	size_t count = calltree_count(tree);
	bool *is_below = xcalloc(count, sizeof(*is_below));

	is_below[node] = true;
	for (size_t i = (size_t)node + 1; i < count; i++)
		is_below[i] = is_below[calltree_parent(tree, (node_id)i)];
	return is_below;
}

static bool
find_by_path(const struct picture *picture, node_id node, func_id func,
	     frame_id *frame, size_t *level)
{
	size_t frames = profile_frames(picture->profile), best = 0;
	struct frame_search search = { .picture = picture, .func = func };
	bool is_found;

	if (node != NODE_NONE) {
		search.is_below = nodes_below(picture->tree, node);
		search.depth = calltree_depth(picture->tree, node);
	}
	search.weights = xcalloc(frames, sizeof(*search.weights));
	search.levels = xcalloc(frames, sizeof(*search.levels));
	profile_each(picture->profile, picture->from_ns, UINT64_MAX,
		     search_cell, &search);
	for (size_t i = 0; i < frames; i++)
		if (search.weights[i] > search.weights[best])
			best = i;
	*frame = (frame_id)best;
	*level = search.levels[best];
	is_found = search.weights[best] > 0;
	free(search.is_below);
	free(search.weights);
	free(search.levels);
	return is_found;
}

bool
picture_hottest(const struct picture *picture, node_id node, func_id func,
		frame_id *frame, size_t *level)
{
	if (!node || (node == NODE_NONE && func == FUNC_NONE))
		return false;
	if (picture_is_plain(picture))
		return find_plainly(picture, node, func, frame, level);
	return find_by_path(picture, node, func, frame, level);
}
