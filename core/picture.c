/* SPDX-License-Identifier: MIT */
/*
 * picture.c - feeds a call tree from the counts of a profile.
 */
#include "core/picture.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/picture_private.h"

static const struct filter everything = { .kind = KIND_CPU };

static void
note_removed(struct picture *picture, const struct leaf *leaf, uint64_t weight)
{
	uint32_t touched = leaf->touched & ~LEAF_ENDS;

	for (int i = 0; touched; i++, touched >>= 1) {
		struct removed *removed = &picture->removed[i];

		if (!(touched & 1))
			continue;
		if (touched == 1 && leaf->node == NODE_NONE)
			removed->dropped = add_saturating(removed->dropped,
							  weight);
		else
			removed->changed = add_saturating(removed->changed,
							  weight);
	}
}

/* Count CELL on its leaf alone; fits cell_fn. */
static void
feed(void *ctx, const struct cell *cell)
{
	struct picture *picture = ctx;
	const struct leaf *leaf;

	if (!picture_passes(picture, cell))
		return;
	leaf = picture_leaf(picture, cell);
	note_removed(picture, leaf, cell->weight);
	if (leaf->node != NODE_NONE)
		calltree_add_self(picture->tree, leaf->node, cell->weight);
}

/* Everything that the filter lets through, on this side. */
static void
sum_own(struct picture *picture)
{
	picture_begin_epoch(picture);
	picture->nnoted = 0;		/* the profile has them too */
	picture->nrows = 0;
	memset(picture->removed, 0, sizeof(picture->removed));
	calltree_zero(picture->tree);
	profile_each(picture->profile, picture->from_ns, UINT64_MAX, feed,
		     picture);
	calltree_sum(picture->tree);
	picture->functions->is_stale = true;
}

/* The same when there may be stacks to be walked first. */
static void
walk_and_sum_own(struct picture *picture)
{
	picture->from_ns = picture_wanted_from_ns(picture);
	if (!picture_is_plain(picture))
		picture_walk_own(picture);
	sum_own(picture);
}

void
picture_sum_walked(struct picture *picture)
{
	sum_own(picture);
	picture_sum_base(picture);
	picture_sum_recent(picture);
}

void
picture_sum_all(struct picture *picture)
{
	walk_and_sum_own(picture);
	picture_walk_base(picture);
	picture_sum_base(picture);
	picture_sum_recent(picture);
}

struct picture *
picture_open(struct profile *profile, struct names *names)
{
	struct picture *picture = xcalloc(1, sizeof(*picture));

	picture->profile = picture->own.profile = profile;
	picture->names = picture->own.names = names;
	picture->tree = calltree_new();
	picture->nodes_max = NODES_MAX;
	picture->functions = xcalloc(1, sizeof(*picture->functions));
	picture->room = xcalloc(1, sizeof(*picture->room));
	picture->generation = names_generation(names);
	picture->moves = names_moves(names);
	picture->renames = names_renames(names);
	picture_copy_filter(picture, &everything);
	return picture;
}

struct picture *
picture_new(struct profile *profile, struct names *names)
{
	struct picture *picture = picture_open(profile, names);

	walk_and_sum_own(picture);
	return picture;
}

void
picture_free(struct picture *picture)
{
	if (!picture)
		return;
	picture_free_filter(picture);
	picture_free_base(&picture->base);
	picture_free_lost(picture);
	picture_free_gains(picture);
	trend_free(picture->trend);
	picture_forget_leaves(&picture->own.leaves);
	calltree_free(picture->tree);
	free(picture->row_names);
	free(picture->noted);
	free(picture->functions->rows);
	free(picture->functions->index);
	free(picture->functions->recent);
	free(picture->news.rows);
	free(picture->functions);
	free(picture->room->stacks);
	free(picture->room->ends);
	free(picture->room->path.steps);
	marks_fini(&picture->room->marks);
	free(picture->room);
	free(picture);
}

void
picture_note(void *ctx, const struct cell *cell)
{
	struct picture *picture = ctx;

	picture->noted = grow(picture->noted, picture->nnoted,
			      &picture->noted_capacity, sizeof(*cell));
	picture->noted[picture->nnoted++] = *cell;
}

/* Where CELL, which is new, ends in the tree; or NODE_NONE. */
static node_id
end_of(struct picture *picture, const struct cell *cell)
{
	const struct leaf *leaf;

	if (!picture_wants(picture, cell))
		return NODE_NONE;
	leaf = picture_leaf(picture, cell);
	if (picture_passes(picture, cell))
		note_removed(picture, leaf, cell->weight);
	return leaf->node;
}

/*
 * Count CELL on NODE: on all that lead there, too, unless calltree_sum() comes
 * later.
 */
static void
take(struct picture *picture, node_id node, const struct cell *cell,
     bool is_summed)
{
	if (node == NODE_NONE || !picture_passes(picture, cell))
		return;
	if (is_summed) {
		calltree_add_self(picture->tree, node, cell->weight);
		return;
	}
	calltree_add_at(picture->tree, node, cell->weight);
	picture_add_news(picture, node, cell->weight);
}

/*
 * A few are added on their way to the root, many in one pass at the end. Each
 * step is done for all before the next: in a large tree most of it is to wait
 * for memory, and what is alike waits together.
 */
static void
take_noted(struct picture *picture)
{
	size_t count = picture->nnoted;
	bool are_many = count > calltree_count(picture->tree) / 16;
	node_id *ends = xreallocarray(picture->room->ends, count,
				      sizeof(*ends));

	picture->room->ends = ends;
	for (size_t i = 0; i < count; i++)
		ends[i] = end_of(picture, &picture->noted[i]);
	for (size_t i = 0; i < count; i++)
		take(picture, ends[i], &picture->noted[i], are_many);
	for (size_t i = 0; i < count; i++)
		if (ends[i] != NODE_NONE)
			picture_gain(picture, ends[i], &picture->noted[i],
				     !are_many && picture_passes(
					picture, &picture->noted[i]));
	picture_spread_gains(picture);
	if (are_many) {
		calltree_sum(picture->tree);
		picture_begin_epoch(picture);
		picture->functions->is_stale = true;
	}
	picture->nnoted = 0;
}

/* The window moved on. */
static void
sum_window(struct picture *picture)
{
	for (size_t i = 0; picture->trend && i < picture->nnoted; i++) {
		const struct cell *cell = &picture->noted[i];
		node_id node = picture_node_of(picture, cell);

		if (node != NODE_NONE)
			picture_gain(picture, node, cell, false);
	}
	picture_spread_gains(picture);
	walk_and_sum_own(picture);
}

/* Every stack walks anew, in the tree as it is. */
static node_id *
walk_anew(struct picture *picture)
{
	struct old_tree old = picture_part(picture, false);
	node_id *map;

	picture_sum_all(picture);
	map = picture_carry(picture, &old);
	picture_free_old(picture, &old);
	return map;
}

/* Do names that came change more than the names of nodes? */
static bool
has_outdated_paths(struct picture *picture)
{
	uint64_t moves = names_moves(picture->names);
	uint64_t renames = names_renames(picture->names);
	bool are_new = renames != picture->renames ||
		       names_generation(picture->names) != picture->generation;
	bool is_outdated = moves != picture->moves;

	for (size_t i = 0; are_new && picture->transformers &&
			   i <= picture->filter.ntransforms; i++)
		is_outdated |= transformer_is_outdated(
			&picture->transformers[i], picture->names);
	if (renames != picture->renames)
		picture_begin_epoch(picture);
	picture->moves = moves;
	picture->renames = renames;
	return is_outdated;
}

/* Nodes that have become the same path by MAP2, after MAP (may be NULL). */
static node_id *
then(node_id *map, node_id *map2, size_t count)
{
	for (size_t i = 0; map && map2 && i < count; i++)
		map[i] = map2[map[i]];
	if (map)
		free(map2);
	return map ? map : map2;
}

static void
move_leaves(struct leaves *leaves, const node_id *map)
{
	for (size_t i = 0; i < leaves->count; i++)
		if (leaves->rows[i].node != NODE_NONE)
			leaves->rows[i].node = map[leaves->rows[i].node];
}

static node_id *
take_names(struct picture *picture)
{
	size_t count = calltree_count(picture->tree);
	node_id *map = calltree_renamed(picture->tree, picture->names);

	if (map) {
		move_leaves(&picture->own.leaves, map);
		move_leaves(&picture->base.other.leaves, map);
		picture_move_base(picture, map, count);
	}
	picture->functions->is_stale = true;
	picture_sum_recent(picture);
	picture_begin_epoch(picture);
	return map;
}

node_id *
picture_update(struct picture *picture, size_t *count)
{
	uint64_t generation = names_generation(picture->names);
	node_id *map = NULL;

	*count = calltree_count(picture->tree);
	if (has_outdated_paths(picture))
		map = walk_anew(picture);
	else if (picture_is_renamed(picture))
		picture_sum_all(picture);
	else if (picture->from_ns != picture_wanted_from_ns(picture))
		sum_window(picture);
	take_noted(picture);
	if (generation != picture->generation) {
		if (!map)
			*count = calltree_count(picture->tree);
		map = then(map, take_names(picture), *count);
	}
	picture->generation = generation;
	picture_rematch_base(picture);
	picture_update_spread(picture);
	picture_update_lost(picture);
	return map;
}

const struct calltree *
picture_tree(const struct picture *picture)
{
	return picture->tree;
}

uint64_t
picture_total(const struct picture *picture)
{
	return calltree_total(picture->tree, 0);
}

struct removed
picture_removed(const struct picture *picture, size_t i)
{
	return i > picture->filter.ntransforms ? (struct removed){ 0, 0 } :
	       picture->removed[i == picture->filter.ntransforms
					? TRANSFORMS_MAX : i];
}

uint64_t
picture_from_ns(const struct picture *picture)
{
	return picture->from_ns;
}
