/* SPDX-License-Identifier: MIT */
/*
 * picture_functions.c - sums by function.
 *
 * Made in one walk over the tree when somebody asks for them, and kept up to
 * date from then on while weight comes in by single stacks.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/picture_private.h"

static bool
is_row(const struct picture *picture, node_id node)
{
	return picture->filter.thread_rows && node &&
	       !calltree_parent(picture->tree, node) &&
	       names_get(picture->names, calltree_func(picture->tree,
						       node))->kind ==
		       FRAME_THREAD;
}

/*
 * Of the stacks through NODE, SELF end there: which of SELF and TOTAL is the
 * weight of those whose innermost frame it is? Where trees begin with
 * innermost frames these are right below the root or a row.
 */
static uint64_t
innermost(const struct picture *picture, node_id node, uint64_t self,
	  uint64_t total)
{
	node_id parent = calltree_parent(picture->tree, node);

	if (is_outermost_first(picture->filter.shape) || is_row(picture, node))
		return self;
	return !parent || is_row(picture, parent) ? total : 0;
}

static struct function_row *
row_for(struct functions *functions, func_id func)
{
	size_t old = functions->nindex;

	if (func >= old) {
		functions->nindex = (size_t)func + func / 2 + 64;
		functions->index = xreallocarray(functions->index,
						 functions->nindex,
						 sizeof(*functions->index));
		memset(functions->index + old, 0, (functions->nindex - old) *
						  sizeof(*functions->index));
	}
	if (!functions->index[func]) {
		functions->rows = grow(functions->rows, functions->count,
				       &functions->capacity,
				       sizeof(*functions->rows));
		functions->rows[functions->count++] =
			(struct function_row){ .func = func };
		functions->index[func] = (uint32_t)functions->count;
	}
	return &functions->rows[functions->index[func] - 1];
}

static void
add_lost(const struct picture *picture, struct function_row *row, node_id node,
	 bool is_outermost)
{
	const struct weights weights = picture_weights(picture);
	uint64_t total = weights_total(&weights, node);

	row->lost_self = add_saturating(row->lost_self, innermost(
		picture, node, weights_self(&weights, node), total));
	if (is_outermost)
		row->lost_total = add_saturating(row->lost_total, total);
}

/* ON_PATH: how often each function is on the way from the root to NODE. */
static void
enter(const struct picture *picture, uint32_t *on_path, node_id node)
{
	func_id func = calltree_func(picture->tree, node);
	struct totals total = picture_both_totals(picture, node);
	struct totals self = picture_both_selfs(picture, node);
	struct function_row *row = NULL;

	if (total.now || total.base) {
		row = row_for(picture->functions, func);
		row->self = add_saturating(row->self, innermost(
			picture, node, self.now, total.now));
		row->base_self = add_saturating(row->base_self, innermost(
			picture, node, self.base, total.base));
	}
	if (row && picture->drawn == DRAWN_LOST)
		add_lost(picture, row, node, !on_path[func]);
	if (!on_path[func]++ && row) {
		row->total = add_saturating(row->total, total.now);
		row->base_total = add_saturating(row->base_total, total.base);
	}
}

/* The next node depth first, leaving those that NODE was the last of. */
static node_id
walk_on(const struct calltree *tree, uint32_t *on_path, node_id node)
{
	node_id next = calltree_first(tree, node);

	while (next == NODE_NONE && node) {
		on_path[calltree_func(tree, node)]--;
		next = calltree_next(tree, node);
		node = calltree_parent(tree, node);
	}
	return next;
}

static void
sum(const struct picture *picture)
{
	struct functions *functions = picture->functions;
	uint32_t *on_path = xcalloc(names_count(picture->names),
				    sizeof(*on_path));

	functions->count = functions->nrecent = 0;
	functions->recent_until = 0;
	if (functions->index)
		memset(functions->index, 0,
		       functions->nindex * sizeof(*functions->index));
	for (node_id node = walk_on(picture->tree, on_path, 0);
	     node != NODE_NONE; node = walk_on(picture->tree, on_path, node))
		enter(picture, on_path, node);
	free(on_path);
	functions->is_stale = false;
}

/* 0 for an empty stack. */
node_id
picture_innermost(const struct picture *picture, node_id leaf)
{
	node_id node = leaf, parent;

	if (is_outermost_first(picture->filter.shape))
		return leaf;
	while (node && !is_row(picture, node)) {
		parent = calltree_parent(picture->tree, node);
		if (!parent || is_row(picture, parent))
			return node;
		node = parent;
	}
	return node;
}

void
picture_add_function(struct picture *picture, func_id func,
		     struct moment weight)
{
	struct functions *functions = picture->functions;
	size_t count = functions->count;
	struct function_row *row;

	if (functions->is_stale)
		return;
	row = row_for(functions, func);
	if (functions->count > count)	/* it may have some already */
		functions->recent_until = 0;
	if (picture->is_swapped) {
		row->base_self = add_saturating(row->base_self, weight.self);
		row->base_total = add_saturating(row->base_total,
						 weight.total);
	} else {
		row->self = add_saturating(row->self, weight.self);
		row->total = add_saturating(row->total, weight.total);
	}
}

static void
add_moment(void *ctx, func_id func, struct moment weight)
{
	struct functions *functions = ctx;
	struct function_row *row;
	uint32_t index;

	if (func >= functions->nindex || !functions->index[func])
		return;
	index = functions->index[func] - 1;
	row = &functions->rows[index];
	if (!row->recent_total) {
		functions->recent = grow(functions->recent, functions->nrecent,
					 &functions->recent_capacity,
					 sizeof(index));
		functions->recent[functions->nrecent++] = index;
	}
	row->recent_self = add_saturating(row->recent_self, weight.self);
	row->recent_total = add_saturating(row->recent_total, weight.total);
}

/* Rows without recent sums are not looked at: most have none. */
static void
sum_recent(const struct picture *picture)
{
	struct functions *functions = picture->functions;

	for (size_t i = 0; i < functions->nrecent; i++) {
		struct function_row *row =
			&functions->rows[functions->recent[i]];

		row->recent_self = row->recent_total = 0;
	}
	functions->nrecent = 0;
	picture_each_recent(picture, add_moment, functions);
	functions->recent_until = picture_newest_second(picture) + 1;
}

void
picture_add_moment(const struct picture *picture, func_id func,
		   struct moment weight)
{
	struct functions *functions = picture->functions;

	if (!functions->is_stale &&
	    functions->recent_until == picture_newest_second(picture) + 1)
		add_moment(functions, func, weight);
}

const struct function_row *
picture_functions(const struct picture *picture, size_t *count)
{
	if (picture->functions->is_stale)
		sum(picture);
	if (picture->trend && picture->functions->recent_until !=
			      picture_newest_second(picture) + 1)
		sum_recent(picture);
	*count = picture->functions->count;
	return picture->functions->rows;
}

const struct function_row *
picture_function(const struct picture *picture, func_id func)
{
	const struct functions *functions = picture->functions;
	size_t count;

	picture_functions(picture, &count);
	if (func >= functions->nindex || !functions->index[func])
		return NULL;
	return &functions->rows[functions->index[func] - 1];
}
