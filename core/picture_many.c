/* SPDX-License-Identifier: MIT */
/*
 * picture_many.c - where many stacks end in the tree, all at once.
 *
 * The profile's stacks are a tree themselves. They are walked depth first, so
 * that the path at hand is that of the stack before up to where they part:
 * functions are looked up once for each stack and not for each of its frames.
 * What transforms make of two such paths mostly begins alike, too, and so far
 * no node is looked for.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/picture_private.h"

#define WORTH 16		/* one in so many stacks, or each by itself */

/* One step of the path made last, and its node. */
struct made {
	func_id func;
	node_id node;
};

struct many {
	struct picture *picture;
	struct source *source;
	size_t first;			/* of the leaves that have no node */
	uint32_t *head, *next;		/* by stack and by leaf: a leaf that
					   ends there, plus one */
	stack_id *down, *across;	/* by stack: first callee, and the
					   caller's next; 0: none */
	struct call_path plain;		/* of the stack at hand */
	size_t *ends;			/* by depth: steps of PLAIN so far */
	size_t depths;
	func_id row;			/* of what was made last */
	struct made *made;
	size_t nmade, made_capacity;
};

/* As they are, stacks are quick to walk one by one. */
static bool
are_plain(const struct many *many)
{
	return picture_is_plain(many->picture) &&
	       many->source == &many->picture->own;
}

/* Fits ending_fn. */
static void
note(void *ctx, func_id row, const struct cell *cell)
{
	struct many *many = ctx;
	struct leaf leaf = { .row = row, .stack = cell->stack,
			     .node = NODE_NONE };

	if (!work_goes_on(many->picture->work, are_plain(many) ? LEAF_STEPS :
			  1))
		return;
	if (are_plain(many))
		picture_walk(many->picture, many->source, row, cell->stack);
	else if (!picture_find_leaf(&many->source->leaves, row, cell->stack))
		picture_remember(&many->source->leaves, &leaf);
}

static void
note_own(void *ctx, const struct cell *cell)
{
	struct many *many = ctx;

	if (picture_passes(many->picture, cell))
		note(many, picture_row(many->picture, cell), cell);
}

/* The node of PATH, which begins like the one before as often as not. */
static node_id
make_path(struct many *many, const struct call_path *path)
{
	struct picture *picture = many->picture;
	node_id node = 0;
	bool is_cut = false;
	size_t i = 0;

	if (path->row != FUNC_NONE)
		node = calltree_child(picture->tree, 0, path->row);
	if (many->nmade && many->row == path->row)
		for (; i < path->count && i < many->nmade &&
		       many->made[i].func == path->steps[i].func; i++)
			node = many->made[i].node;
	many->row = path->row;
	for (many->nmade = i; i < path->count && !is_cut; i++) {
		func_id func = path->steps[i].func;

		node = picture_descend(picture, many->source, node, func,
				       &is_cut);
		if (is_cut)
			break;
		many->made = grow(many->made, many->nmade,
				  &many->made_capacity, sizeof(*many->made));
		many->made[many->nmade++] = (struct made){ func, node };
	}
	return node;
}

/* PLAIN is the path of LEAF's stack. */
static void
make_leaf(struct many *many, struct leaf *leaf)
{
	struct call_path *path = &many->picture->room->path;
	size_t count = many->plain.count;
	bool is_dropped;

	if (count > path->capacity)
		path->steps = grow(path->steps, count - 1, &path->capacity,
				   sizeof(*path->steps));
	if (count)
		memcpy(path->steps, many->plain.steps,
		       count * sizeof(*path->steps));
	path->count = count;
	path->row = leaf->row;
	leaf->touched = picture_transform(many->picture, path, &is_dropped);
	leaf->node = is_dropped ? NODE_NONE : make_path(many, path);
}

/* The same for one LEAF among many that are known. */
static void
make_alone(struct many *many, struct leaf *leaf)
{
	struct call_path *path = &many->picture->room->path;
	bool is_dropped;

	leaf->touched = picture_path(many->picture, many->source,
				     leaf->row, leaf->stack, path,
				     &is_dropped);
	leaf->node = is_dropped ? NODE_NONE : make_path(many, path);
}

/* PLAIN becomes the path of STACK, whose caller's it was. */
static void
enter(struct many *many, stack_id stack)
{
	struct profile *profile = many->source->profile;
	const struct stack *row = profile_get_stack(profile, stack);
	size_t depth = row->depth;

	many->ends = grow(many->ends, depth, &many->depths,
			  sizeof(*many->ends));
	many->plain.count = depth ? many->ends[depth - 1] : 0;
	if (stack)
		picture_push_frame(many->picture, many->source, &many->plain,
				   row->frame);
	many->ends[depth] = many->plain.count;
	for (uint32_t i = many->head[stack]; i; i = many->next[i - 1])
		if (work_goes_on(many->picture->work, LEAF_STEPS))
			make_leaf(many, &many->source->leaves.rows[
				many->first + i - 1]);
}

/* The next stack depth first; 0: there is none. */
static stack_id
walk_on(const struct many *many, stack_id stack)
{
	stack_id next = many->down[stack];

	while (!next && stack) {
		next = many->across[stack];
		stack = profile_get_stack(many->source->profile,
					  stack)->parent;
	}
	return next;
}

static void
index_stacks(struct many *many, size_t stacks)
{
	const struct leaves *leaves = &many->source->leaves;
	size_t count = leaves->count - many->first;

	many->head = xcalloc(stacks, sizeof(*many->head));
	many->next = xcalloc(count, sizeof(*many->next));
	many->down = xcalloc(stacks, sizeof(*many->down));
	many->across = xcalloc(stacks, sizeof(*many->across));
	for (size_t i = stacks; i-- > 1;) {
		stack_id parent = profile_get_stack(many->source->profile,
						    (stack_id)i)->parent;

		many->across[i] = many->down[parent];
		many->down[parent] = (stack_id)i;
	}
	for (size_t i = count; i-- > 0;) {
		stack_id stack = leaves->rows[many->first + i].stack;

		many->next[i] = many->head[stack];
		many->head[stack] = (uint32_t)i + 1;
	}
}

static void
walk_all(struct many *many, size_t stacks)
{
	stack_id stack = 0;

	index_stacks(many, stacks);
	do {
		enter(many, stack);
		stack = walk_on(many, stack);
	} while (stack && !work_is_stopped(many->picture->work));
	free(many->head);
	free(many->next);
	free(many->down);
	free(many->across);
	free(many->plain.steps);
	free(many->ends);
}

/* Those that have been noted. */
static void
make_all(struct many *many)
{
	struct leaves *leaves = &many->source->leaves;
	struct work *work = many->picture->work;
	size_t stacks = profile_stacks(many->source->profile);
	size_t i = many->first;

	if ((leaves->count - i) * WORTH >= stacks)
		walk_all(many, stacks);
	else
		while (i < leaves->count && work_goes_on(work, LEAF_STEPS))
			make_alone(many, &leaves->rows[i++]);
	free(many->made);
}

static bool
end(struct many *many)
{
	if (!are_plain(many) && !work_is_stopped(many->picture->work))
		make_all(many);
	if (!work_is_stopped(many->picture->work))
		return true;
	if (!are_plain(many))	/* none of them is known */
		picture_forget_leaves_from(&many->source->leaves, many->first);
	return false;
}

bool
picture_walk_own(struct picture *picture)
{
	struct many many = { .picture = picture, .source = &picture->own,
			     .first = picture->own.leaves.count };

	profile_each(picture->profile, picture->from_ns, UINT64_MAX, note_own,
		     &many);
	return end(&many);
}

bool
picture_walk_base(struct picture *picture)
{
	struct source *source = picture_base_source(picture);
	struct many many = { .picture = picture, .source = source,
			     .first = source->leaves.count };

	if (!picture->base.baseline)
		return true;
	picture_each_base(picture, note, &many);
	return end(&many);
}
