/* SPDX-License-Identifier: MIT */
/*
 * picture_base.c - what a picture is compared with, node by node.
 *
 * The baseline's stacks are walked like the profile's own. A baseline does
 * not change, so it is summed only when the tree or the filter does.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/baseline.h"
#include "core/match.h"
#include "core/picture_private.h"

/* One pass over the baseline. */
struct pass {
	struct picture *picture;
	bool *lets_through;	/* threads of another profile */
	size_t nthreads;
	ending_fn *fn;
	void *ctx;
};

static bool
is_other(const struct base *base)
{
	return base->other.match != NULL;
}

static void
reach(struct picture *picture)
{
	size_t count = calltree_count(picture->tree), old;
	struct base *base = &picture->base;

	old = base->count;
	if (old >= count)
		return;
	base->count = count + count / 2;
	base->self = xreallocarray(base->self, base->count,
				   sizeof(*base->self));
	base->total = xreallocarray(base->total, base->count,
				    sizeof(*base->total));
	memset(base->self + old, 0, (base->count - old) *
				    sizeof(*base->self));
	memset(base->total + old, 0, (base->count - old) *
				     sizeof(*base->total));
}

static void
add_self(struct picture *picture, node_id node, uint64_t weight)
{
	uint64_t *self;

	if (node >= picture->base.count)
		reach(picture);
	self = &picture->base.self[node];
	*self = add_saturating(*self, weight);
}

static void
sum_totals(struct picture *picture)
{
	const struct calltree *tree = picture->tree;
	struct base *base = &picture->base;

	reach(picture);
	memcpy(base->total, base->self, base->count * sizeof(*base->total));
	for (size_t i = calltree_count(tree); i-- > 1;) {
		uint64_t *above = &base->total[calltree_parent(tree,
							       (node_id)i)];

		*above = add_saturating(*above, base->total[i]);
	}
}

struct source *
picture_base_source(struct picture *picture)
{
	struct base *base = &picture->base;

	return is_other(base) ? &base->other : &picture->own;
}

/* Count CELL where its stack ends, if it is in the tree; fits ending_fn. */
static void
add_at_end(void *ctx, func_id row, const struct cell *cell)
{
	struct picture *picture = ctx;
	struct base *base = &picture->base;
	const struct leaf *leaf = picture_walk(picture, picture_base_source(
		picture), row, cell->stack);
	uint64_t weight = cell->weight;

	if (leaf->node != NODE_NONE)
		add_self(picture, leaf->node, weight);
	else if (leaf->touched & LEAF_PIVOT)
		base->no_pivot = add_saturating(base->no_pivot, weight);
}

static const char *
thread_name(const struct profile *profile, thread_id thread)
{
	return profile_text(profile, profile_get_thread(profile,
							thread)->name);
}

static bool
is_chosen(const struct picture *picture, const char *name)
{
	const struct filter *filter = &picture->filter;

	for (size_t i = 0; i < filter->nthreads; i++)
		if (strcmp(thread_name(picture->profile, filter->threads[i]),
			   name) == 0)
			return true;
	return !filter->nthreads;
}

static void
choose_threads(struct pass *pass)
{
	const struct profile *profile = pass->picture->base.other.profile;

	pass->nthreads = profile_threads(profile);
	pass->lets_through = xcalloc(pass->nthreads,
				     sizeof(*pass->lets_through));
	for (size_t i = 0; i < pass->nthreads; i++)
		pass->lets_through[i] = is_chosen(pass->picture, thread_name(
			profile, (thread_id)i));
}

static func_id
other_row(const struct picture *picture, thread_id thread)
{
	const char *name = thread_name(picture->base.other.profile, thread);

	if (!picture->filter.thread_rows || !thread)
		return FUNC_NONE;
	return names_plain(picture->names, FRAME_THREAD,
			   *name ? name : "[unnamed]");
}

static void
feed_other(void *ctx, const struct cell *cell)
{
	struct pass *pass = ctx;
	struct picture *picture = pass->picture;

	if (cell->kind != picture->filter.kind ||
	    cell->thread >= pass->nthreads ||
	    !pass->lets_through[cell->thread])
		return;
	pass->fn(pass->ctx, other_row(picture, cell->thread), cell);
}

static void
feed_own(void *ctx, const struct cell *cell)
{
	struct pass *pass = ctx;

	if (picture_wants(pass->picture, cell))
		pass->fn(pass->ctx, picture_row(pass->picture, cell), cell);
}

void
picture_each_base(struct picture *picture, ending_fn *fn, void *ctx)
{
	struct base *base = &picture->base;
	struct pass pass = { .picture = picture, .fn = fn, .ctx = ctx };

	if (is_other(base))
		choose_threads(&pass);
	if (base->baseline)
		baseline_each(base->baseline, is_other(base) ? feed_other :
			      feed_own, &pass);
	free(pass.lets_through);
}

void
picture_sum_base(struct picture *picture)
{
	struct base *base = &picture->base;

	if (!base->baseline)
		return;
	base->no_pivot = 0;
	if (base->count)
		memset(base->self, 0, base->count * sizeof(*base->self));
	picture_each_base(picture, add_at_end, picture);
	sum_totals(picture);
	picture->functions->is_stale = true;
	picture_begin_epoch(picture);
	picture_sum_lost(picture);
}

void
picture_move_base(struct picture *picture, const node_id *map, size_t count)
{
	struct base *base = &picture->base;
	uint64_t *old = base->self;

	if (!base->baseline)
		return;
	if (count > base->count)
		count = base->count;
	base->self = xcalloc(base->count, sizeof(*base->self));
	for (size_t i = 0; i < count; i++)
		base->self[map[i]] = add_saturating(base->self[map[i]],
						    old[i]);
	free(old);
	sum_totals(picture);
}

void
picture_rematch_base(struct picture *picture)
{
	struct base *base = &picture->base;

	if (!base->baseline || !is_other(base) ||
	    !match_update(base->other.match))
		return;
	picture_forget_leaves(&base->other.leaves);
	picture_walk_base(picture);
	picture_sum_base(picture);
}

void
picture_free_base(struct base *base)
{
	picture_free_spread(base);
	match_free(base->other.match);
	picture_forget_leaves(&base->other.leaves);
	free(base->self);
	free(base->total);
	*base = (struct base){ 0 };
}

struct base
picture_new_base(const struct picture *picture,
		 const struct baseline *baseline)
{
	struct base base = { .baseline = baseline };

	if (!baseline || !baseline_profile(baseline))
		return base;
	base.other.profile = baseline_profile(baseline);
	base.other.names = baseline_names(baseline);
	base.other.match = match_new(picture->names, base.other.names);
	return base;
}

const struct baseline *
picture_baseline(const struct picture *picture)
{
	return picture->base.baseline;
}

uint64_t
picture_base_total(const struct picture *picture, node_id node)
{
	return node < picture->base.count ? picture->base.total[node] : 0;
}

uint64_t
picture_base_self(const struct picture *picture, node_id node)
{
	return node < picture->base.count ? picture->base.self[node] : 0;
}
