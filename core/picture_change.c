/* SPDX-License-Identifier: MIT */
/*
 * picture_change.c - from one choice of what is shown to another.
 *
 * What takes long is to walk the stacks, so that comes first, beside what there
 * is: until all are walked the old counts, and the old tree if there is to be
 * another, stay as they are, and it can be stopped. Nodes that came into a
 * tree that stays have no weight.
 */
#include <stdlib.h>

#include "core/base.h"
#include "core/baseline.h"
#include "core/picture_private.h"

struct picture_change {
	struct picture *picture;
	struct picture was;	/* what of it is new owns the old */
	bool has_new_tree, has_new_leaves, has_new_base;
	enum drawn drawn;
};

static void
replace(struct picture_change *change, const struct picture_choice *choice)
{
	struct picture *picture = change->picture;

	picture_copy_filter(picture, choice->filter);
	if (change->has_new_leaves)
		picture->own.leaves = picture->base.other.leaves =
			(struct leaves){ 0 };
	if (change->has_new_base)
		picture->base = picture_new_base(picture, choice->baseline);
	if (change->has_new_tree)
		picture->tree = calltree_new();
	picture->from_ns = picture_wanted_from_ns(picture);
}

/* No more than these: what is filtered out, or seen twice, takes fewer. */
static size_t
steps_of(const struct picture_change *change)
{
	const struct picture *picture = change->picture;
	const struct base *base = &picture->base;
	size_t noted = profile_cells(picture->profile), made = 0;

	if (change->has_new_leaves)
		made = noted;
	if (base->baseline)
		noted += baseline_cells(base->baseline);
	if (base->baseline && (change->has_new_leaves || change->has_new_base))
		made += baseline_cells(base->baseline);
	return noted + made * LEAF_STEPS;
}

struct picture_change *
picture_begin(struct picture *picture, const struct picture_choice *choice,
	      struct work *work)
{
	const struct filter *old = &picture->filter, *new = choice->filter;
	struct picture_change *change = xcalloc(1, sizeof(*change));
	bool is_walked;

	change->picture = picture;
	change->was = *picture;
	change->has_new_tree = !picture_is_same_shape(old, new);
	change->has_new_leaves = change->has_new_tree ||
				 !picture_has_same_transforms(old, new);
	change->has_new_base = choice->baseline != picture->base.baseline;
	change->drawn = choice->baseline ? choice->drawn : DRAWN_NOW;
	replace(change, choice);
	work_begin(work, steps_of(change));
	picture->work = work;
	is_walked = picture_walk_own(picture) && picture_walk_base(picture);
	picture->work = NULL;
	if (is_walked)
		return change;
	picture_cancel(change);
	return NULL;
}

void
picture_cancel(struct picture_change *change)
{
	struct picture *picture = change->picture;
	const struct picture *was = &change->was;

	picture_put_filter_back(picture, was);
	picture->nrows = was->nrows;
	if (change->has_new_leaves) {
		picture_forget_leaves(&picture->own.leaves);
		picture->own.leaves = was->own.leaves;
	}
	if (change->has_new_base) {
		picture_free_base(&picture->base);
		picture->base = was->base;
	} else if (change->has_new_leaves) {
		picture_forget_leaves(&picture->base.other.leaves);
		picture->base.other.leaves = was->base.other.leaves;
	}
	if (change->has_new_tree) {
		calltree_free(picture->tree);
		picture->tree = was->tree;
	}
	free(change);
}

/* Where old nodes are now; stacks of two baselines have nothing in common. */
static node_id *
carry(const struct picture_change *change)
{
	const struct picture *was = &change->was;
	struct old_tree old = {
		.tree = was->tree, .leaves = was->own.leaves,
		.is_outermost_first = is_outermost_first(was->filter.shape),
	};

	if (!change->has_new_base)
		old.other = was->base.other.leaves;
	return change->has_new_tree ? picture_carry(change->picture, &old) :
				      NULL;
}

static void
free_old(struct picture_change *change)
{
	struct picture *was = &change->was;

	if (change->has_new_leaves) {
		picture_forget_leaves(&was->own.leaves);
		picture_forget_leaves(&was->base.other.leaves);
	}
	if (change->has_new_base)
		picture_free_base(&was->base);
	if (change->has_new_tree)
		calltree_free(was->tree);
	picture_free_filter(was);
	free(change);
}

node_id *
picture_finish(struct picture_change *change, size_t *count)
{
	struct picture *picture = change->picture;
	bool is_other_kind = change->was.filter.kind != picture->filter.kind;
	node_id *map;

	if (count)
		*count = calltree_count(change->was.tree);
	if (picture->drawn != change->drawn)
		picture_free_lost(picture);
	picture->drawn = change->drawn;
	picture->is_swapped &= picture->base.baseline != NULL;
	picture_sum_walked(picture);
	if (is_other_kind)
		picture_free_spread(&picture->base);
	if (is_other_kind || change->has_new_base)
		picture_update_spread(picture);
	map = carry(change);
	free_old(change);
	return map;
}

node_id *
picture_set_filter(struct picture *picture, const struct filter *filter,
		   size_t *count)
{
	struct picture_choice choice = { filter, picture->base.baseline,
					 picture->drawn };

	return picture_finish(picture_begin(picture, &choice, NULL), count);
}

void
picture_set_baseline(struct picture *picture, const struct baseline *baseline)
{
	struct picture_choice choice = { &picture->filter, baseline,
					 picture->drawn };

	if (baseline != picture->base.baseline)
		free(picture_finish(picture_begin(picture, &choice, NULL),
				    NULL));
}
