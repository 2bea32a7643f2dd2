/* SPDX-License-Identifier: MIT */
/*
 * picture.c - feeds a call tree from the counts of a profile.
 *
 * The node that a stack ends in is remembered, for the stack and for all its
 * callers' stacks. So a stack that was seen costs one look-up, and a new one
 * walks only as far as it differs.
 */
#include "core/picture.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/picture_private.h"

static bool
is_same(const void *owner, uint32_t id, const void *key)
{
	const struct leaf *leaf =
		&((const struct picture *)owner)->leaves[id];
	const struct leaf *wanted = key;

	return leaf->stack == wanted->stack && leaf->row == wanted->row;
}

node_id
picture_find_leaf(const struct picture *picture, func_id row, stack_id stack)
{
	struct leaf key = { .row = row, .stack = stack };
	uint32_t id = lookup_find(&picture->lookup, hash_words(row, stack),
				  is_same, picture, &key);

	return id == LOOKUP_NONE ? NODE_NONE : picture->leaves[id].node;
}

static void
remember_leaf(struct picture *picture, struct leaf leaf)
{
	picture->leaves = grow(picture->leaves, picture->nleaves,
			       &picture->leaves_capacity, sizeof(leaf));
	lookup_add(&picture->lookup, hash_words(leaf.row, leaf.stack),
		   (uint32_t)picture->nleaves);
	picture->leaves[picture->nleaves++] = leaf;
}

static void
forget_leaves(struct picture *picture)
{
	lookup_fini(&picture->lookup);
	picture->nleaves = 0;
}

const struct frame_place *
picture_inlined(const struct picture *picture, frame_id frame, size_t *n)
{
	const struct frame_place *places;

	places = names_places(picture->names, frame, n);
	if (!*n || picture->filter.hide_inlined) {
		*n = 0;
		return NULL;
	}
	--*n;
	return places + 1;
}

static bool
is_hidden(const struct filter *filter, enum frame_kind kind)
{
	return (filter->hide_kernel && kind == FRAME_KERNEL) ||
	       (filter->hide_inlined && kind == FRAME_INLINED);
}

/* The node of STACK below the node ABOVE of its caller's stack. */
static node_id
step(struct picture *picture, node_id above, const struct stack *stack)
{
	const struct frame *frame =
		profile_get_frame(picture->profile, stack->frame);
	const struct frame_place *inlined;
	node_id node;
	size_t n;

	if (is_hidden(&picture->filter, frame->kind))
		return above;
	node = calltree_child(picture->tree, above,
			      names_of(picture->names, stack->frame));
	inlined = picture_inlined(picture, stack->frame, &n);
	for (size_t i = 0; i < n; i++)
		node = calltree_child(picture->tree, node, inlined[i].func);
	return node;
}

static node_id
leaf_of(struct picture *picture, func_id row, stack_id stack)
{
	node_id node = picture_find_leaf(picture, row, stack);
	size_t steps = 0;

	while (node == NODE_NONE && stack) {
		picture->path = grow(picture->path, steps,
				     &picture->path_capacity, sizeof(stack));
		picture->path[steps++] = stack;
		stack = profile_get_stack(picture->profile, stack)->parent;
		node = picture_find_leaf(picture, row, stack);
	}
	if (node == NODE_NONE)
		node = row == FUNC_NONE ? 0 :
		       calltree_child(picture->tree, 0, row);
	while (steps--) {
		stack = picture->path[steps];
		node = step(picture, node,
			    profile_get_stack(picture->profile, stack));
		remember_leaf(picture, (struct leaf){ row, stack, node });
	}
	return node;
}

/* The function that THREAD's stacks hang below, or FUNC_NONE. */
static func_id
row_of(struct picture *picture, thread_id thread)
{
	string_id name = profile_get_thread(picture->profile, thread)->name;

	if (!picture->filter.thread_rows || !thread)
		return FUNC_NONE;
	while (picture->nrows <= thread) {
		picture->row_names = grow(picture->row_names, picture->nrows,
					  &picture->rows_capacity,
					  sizeof(*picture->row_names));
		picture->row_names[picture->nrows++] = 0;
	}
	picture->row_names[thread] = name;
	return names_thread(picture->names, name);
}

static node_id
leaf_for(struct picture *picture, const struct cell *cell)
{
	return leaf_of(picture, row_of(picture, cell->thread), cell->stack);
}

static bool
is_renamed(const struct picture *picture)
{
	const struct thread *thread;

	for (size_t i = 0; i < picture->nrows; i++) {
		thread = profile_get_thread(picture->profile, (thread_id)i);
		if (picture->row_names[i] &&
		    picture->row_names[i] != thread->name)
			return true;
	}
	return false;
}

bool
picture_passes(const struct picture *picture, const struct cell *cell)
{
	return cell->kind == picture->filter.kind &&
	       (!picture->filter.nthreads ||
		(cell->thread < picture->nthreads &&
		 picture->lets_through[cell->thread]));
}

/* Count CELL on its leaf alone; fits cell_fn. */
static void
feed(void *ctx, const struct cell *cell)
{
	struct picture *picture = ctx;

	if (picture_passes(picture, cell))
		calltree_add_self(picture->tree, leaf_for(picture, cell),
				  cell->weight);
}

static void
sum_anew(struct picture *picture)
{
	picture->nnoted = 0;		/* the profile has them too */
	picture->nrows = 0;
	calltree_zero(picture->tree);
	profile_each(picture->profile, 0, UINT64_MAX, feed, picture);
	calltree_sum(picture->tree);
	picture->functions->is_stale = true;
}

struct picture *
picture_new(struct profile *profile, struct names *names)
{
	struct picture *picture = xcalloc(1, sizeof(*picture));

	picture->profile = profile;
	picture->names = names;
	picture->tree = calltree_new();
	picture->functions = xcalloc(1, sizeof(*picture->functions));
	picture->generation = names_generation(names);
	picture->moves = names_moves(names);
	sum_anew(picture);
	return picture;
}

void
picture_free(struct picture *picture)
{
	if (!picture)
		return;
	calltree_free(picture->tree);
	lookup_fini(&picture->lookup);
	free(picture->leaves);
	free(picture->path);
	free(picture->row_names);
	free(picture->noted);
	free(picture->threads);
	free(picture->lets_through);
	free(picture->functions->rows);
	free(picture->functions);
	free(picture);
}

static void
copy_filter(struct picture *picture, const struct filter *filter)
{
	size_t n = filter->nthreads;
	thread_id *threads = xcalloc(n, sizeof(*threads));

	if (n)
		memcpy(threads, filter->threads, n * sizeof(*threads));
	free(picture->threads);
	free(picture->lets_through);
	picture->threads = threads;
	picture->filter = *filter;
	picture->filter.threads = threads;
	picture->nthreads = profile_threads(picture->profile);
	picture->lets_through = xcalloc(picture->nthreads, 1);
	for (size_t i = 0; i < n; i++)
		if (threads[i] < picture->nthreads)
			picture->lets_through[threads[i]] = true;
}

bool
picture_set_filter(struct picture *picture, const struct filter *filter)
{
	bool is_same_shape =
		filter->hide_kernel == picture->filter.hide_kernel &&
		filter->hide_inlined == picture->filter.hide_inlined &&
		filter->thread_rows == picture->filter.thread_rows;

	copy_filter(picture, filter);
	if (!is_same_shape) {
		forget_leaves(picture);
		calltree_free(picture->tree);
		picture->tree = calltree_new();
	}
	sum_anew(picture);
	return is_same_shape;
}

const struct filter *
picture_filter(const struct picture *picture)
{
	return &picture->filter;
}

void
picture_note(void *ctx, const struct cell *cell)
{
	struct picture *picture = ctx;

	picture->noted = grow(picture->noted, picture->nnoted,
			      &picture->noted_capacity, sizeof(*cell));
	picture->noted[picture->nnoted++] = *cell;
}

/* A few are added on their way to the root, many in one pass at the end. */
static void
take_noted(struct picture *picture)
{
	bool are_many = picture->nnoted >
			calltree_count(picture->tree) / 16;

	for (size_t i = 0; i < picture->nnoted; i++) {
		const struct cell *cell = &picture->noted[i];

		if (are_many)
			feed(picture, cell);
		else if (picture_passes(picture, cell))
			calltree_add_at(picture->tree, leaf_for(picture, cell),
					cell->weight);
	}
	if (are_many)
		calltree_sum(picture->tree);
	picture->functions->is_stale |= picture->nnoted > 0;
	picture->nnoted = 0;
}

static node_id *
identity_map(size_t count)
{
	node_id *map = xcalloc(count, sizeof(*map));

	for (size_t i = 0; i < count; i++)
		map[i] = (node_id)i;
	return map;
}

/*
 * Stacks end elsewhere now than the COUNT leaves in OLD say. A node that got
 * nothing any more goes on as the one that has most of what it had.
 */
static node_id *
map_of_moved(const struct picture *picture, const struct leaf *old,
	     size_t count)
{
	const struct calltree *tree = picture->tree;
	node_id *map = identity_map(calltree_count(tree));

	for (size_t i = 0; i < count; i++) {
		node_id was = old[i].node, is;

		if (calltree_total(tree, was))
			continue;
		is = picture_find_leaf(picture, old[i].row, old[i].stack);
		if (is != NODE_NONE &&
		    calltree_total(tree, is) > calltree_total(tree, map[was]))
			map[was] = is;
	}
	return map;
}

/* Functions moved: every stack walks anew. */
static node_id *
take_moves(struct picture *picture)
{
	struct leaf *old = picture->leaves;
	size_t count = picture->nleaves;
	node_id *map;

	picture->leaves = NULL;
	picture->leaves_capacity = 0;
	forget_leaves(picture);
	sum_anew(picture);
	map = map_of_moved(picture, old, count);
	free(old);
	return map;
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

node_id *
picture_update(struct picture *picture, size_t *count)
{
	uint64_t generation = names_generation(picture->names);
	uint64_t moves = names_moves(picture->names);
	node_id *map = NULL, *renamed;

	*count = calltree_count(picture->tree);
	if (moves != picture->moves)
		map = take_moves(picture);
	else if (is_renamed(picture))
		sum_anew(picture);
	picture->moves = moves;
	take_noted(picture);
	if (generation == picture->generation)
		return map;
	picture->generation = generation;
	picture->functions->is_stale = true;
	if (!map)
		*count = calltree_count(picture->tree);
	renamed = calltree_renamed(picture->tree, picture->names);
	for (size_t i = 0; renamed && i < picture->nleaves; i++)
		picture->leaves[i].node = renamed[picture->leaves[i].node];
	return then(map, renamed, *count);
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

/* A function on the way from the root to the node that is looked at. */
struct visit {
	uint32_t row_plus_one;
	uint32_t on_path;	/* how often */
};

static void
enter(const struct picture *picture, struct visit *visits, node_id node)
{
	struct functions *functions = picture->functions;
	func_id func = calltree_func(picture->tree, node);
	struct visit *visit = &visits[func];
	uint64_t total = calltree_total(picture->tree, node);
	struct function_row *row;

	if (!visit->row_plus_one && total) {
		functions->rows = grow(functions->rows, functions->count,
				       &functions->capacity, sizeof(*row));
		functions->rows[functions->count++] =
			(struct function_row){ .func = func };
		visit->row_plus_one = (uint32_t)functions->count;
	}
	if (total) {
		row = &functions->rows[visit->row_plus_one - 1];
		row->self = add_saturating(row->self,
			calltree_self(picture->tree, node));
		if (!visit->on_path)
			row->total = add_saturating(row->total, total);
	}
	visit->on_path++;
}

/* The next node depth first, leaving those that NODE was the last of. */
static node_id
walk_on(const struct calltree *tree, struct visit *visits, node_id node)
{
	node_id next = calltree_first(tree, node);

	while (next == NODE_NONE && node) {
		visits[calltree_func(tree, node)].on_path--;
		next = calltree_next(tree, node);
		node = calltree_parent(tree, node);
	}
	return next;
}

const struct function_row *
picture_functions(const struct picture *picture, size_t *count)
{
	struct functions *functions = picture->functions;
	struct visit *visits;

	if (functions->is_stale) {
		visits = xcalloc(names_count(picture->names), sizeof(*visits));
		functions->count = 0;
		for (node_id node = walk_on(picture->tree, visits, 0);
		     node != NODE_NONE;
		     node = walk_on(picture->tree, visits, node))
			enter(picture, visits, node);
		free(visits);
		functions->is_stale = false;
	}
	*count = functions->count;
	return functions->rows;
}
