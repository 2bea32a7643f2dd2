/* SPDX-License-Identifier: MIT */
/*
 * picture_leaves.c - where a stack ends in the tree.
 *
 * The node that a stack ends in is remembered, so a stack that was seen costs
 * one look-up. While stacks are shown as they are, the nodes of all its
 * callers' stacks are remembered too, and a new stack walks only as far as it
 * differs; else its whole path is made.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/match.h"
#include "core/picture_private.h"

static bool
is_same(const void *owner, uint32_t id, const void *key)
{
	const struct leaf *leaf = &((const struct leaves *)owner)->rows[id];
	const struct leaf *wanted = key;

	return leaf->stack == wanted->stack && leaf->row == wanted->row;
}

struct leaf *
picture_find_leaf(const struct leaves *leaves, func_id row, stack_id stack)
{
	struct leaf key = { .row = row, .stack = stack };
	uint32_t id;

	if (row == FUNC_NONE)
		return stack < leaves->nstacks && leaves->by_stack[stack] ?
		       &leaves->rows[leaves->by_stack[stack] - 1] : NULL;
	id = lookup_find(&leaves->lookup, hash_words(row, stack), is_same,
			 leaves, &key);
	return id == LOOKUP_NONE ? NULL : &leaves->rows[id];
}

/* Room for STACK in the list by stack. */
static void
reach(struct leaves *leaves, stack_id stack)
{
	size_t old = leaves->nstacks;

	if (stack < old)
		return;
	leaves->nstacks = (size_t)stack + stack / 2 + 64;
	leaves->by_stack = xreallocarray(leaves->by_stack, leaves->nstacks,
					 sizeof(*leaves->by_stack));
	memset(leaves->by_stack + old, 0,
	       (leaves->nstacks - old) * sizeof(*leaves->by_stack));
}

struct leaf *
picture_remember(struct leaves *leaves, const struct leaf *leaf)
{
	leaves->rows = grow(leaves->rows, leaves->count, &leaves->capacity,
			    sizeof(*leaf));
	if (leaf->row == FUNC_NONE) {
		reach(leaves, leaf->stack);
		leaves->by_stack[leaf->stack] = (uint32_t)leaves->count + 1;
	} else {
		lookup_add(&leaves->lookup, hash_words(leaf->row, leaf->stack),
			   (uint32_t)leaves->count);
	}
	leaves->rows[leaves->count] = *leaf;
	return &leaves->rows[leaves->count++];
}

void
picture_forget_leaves(struct leaves *leaves)
{
	lookup_fini(&leaves->lookup);
	free(leaves->by_stack);
	free(leaves->rows);
	*leaves = (struct leaves){ 0 };
}

void
picture_forget_leaves_from(struct leaves *leaves, size_t first)
{
	for (size_t i = first; i < leaves->count; i++) {
		const struct leaf *leaf = &leaves->rows[i];

		if (leaf->row == FUNC_NONE)
			leaves->by_stack[leaf->stack] = 0;
		else
			lookup_remove(&leaves->lookup, hash_words(
				leaf->row, leaf->stack), (uint32_t)i);
	}
	leaves->count = first;
}

/* The node of STACK below the node ABOVE of its caller's stack. */
static node_id
step(struct picture *picture, node_id above, stack_id stack)
{
	frame_id frame = profile_get_stack(picture->profile, stack)->frame;
	const struct frame_place *inlined;
	node_id node;
	size_t n;

	if (picture_hides(picture, profile_get_frame(picture->profile,
						     frame)->kind))
		return above;
	node = calltree_child(picture->tree, above,
			      names_of(picture->names, frame));
	inlined = picture_inlined(picture, picture->names, frame, &n);
	for (size_t i = 0; i < n; i++)
		node = calltree_child(picture->tree, node, inlined[i].func);
	return node;
}

static struct leaf *
walk_plainly(struct picture *picture, func_id row, stack_id stack)
{
	struct leaf new = { .row = row, .stack = stack }, *leaf = NULL;
	struct leaves *leaves = &picture->own.leaves;
	struct room *room = picture->room;
	size_t steps = 0;

	for (; stack; stack = profile_get_stack(picture->profile,
						stack)->parent) {
		leaf = picture_find_leaf(leaves, row, stack);
		if (leaf)
			break;
		room->stacks = grow(room->stacks, steps, &room->capacity,
				    sizeof(stack));
		room->stacks[steps++] = stack;
	}
	new.node = leaf ? leaf->node : row == FUNC_NONE ? 0 :
		   calltree_child(picture->tree, 0, row);
	if (!steps)
		return picture_remember(leaves, &new);
	while (steps--) {
		new.stack = room->stacks[steps];
		new.node = step(picture, new.node, new.stack);
		leaf = picture_remember(leaves, &new);
	}
	return leaf;
}

/* Of several functions that share the name, the one that was called there. */
static node_id
child_of(struct picture *picture, const struct source *source, node_id node,
	 func_id func)
{
	node_id child;

	if (!source->match || calltree_find(picture->tree, node, func) !=
			      NODE_NONE)
		return calltree_child(picture->tree, node, func);
	for (func_id other = match_first(source->match, func);
	     other != FUNC_NONE; other = match_next(source->match, other)) {
		child = calltree_find(picture->tree, node, other);
		if (child != NODE_NONE)
			return child;
	}
	return calltree_child(picture->tree, node, func);
}

/*
 * Turned round, a stack shares little with others, so there may be many times
 * more nodes than stacks. Where there is no room for more, a stack goes as far
 * as there are nodes, and then to a note.
 */
node_id
picture_descend(struct picture *picture, const struct source *source,
		node_id node, func_id func, bool *is_cut)
{
	node_id child;

	if (calltree_count(picture->tree) < picture->nodes_max)
		return child_of(picture, source, node, func);
	child = calltree_find(picture->tree, node, func);
	if (child != NODE_NONE)
		return child;
	*is_cut = true;
	return calltree_child(picture->tree, node, names_plain(
		picture->names, FRAME_NOTE, "[too many calls]"));
}

static struct leaf *
walk_path(struct picture *picture, struct source *source, func_id row,
	  stack_id stack)
{
	struct leaf leaf = { .row = row, .stack = stack };
	struct call_path *path = &picture->room->path;
	bool is_dropped, is_cut = false;

	leaf.touched = picture_path(picture, source, row, stack, path,
				    &is_dropped);
	leaf.node = is_dropped ? NODE_NONE : 0;
	if (!is_dropped && path->row != FUNC_NONE)
		leaf.node = calltree_child(picture->tree, 0, path->row);
	for (size_t i = 0; !is_dropped && !is_cut && i < path->count; i++)
		leaf.node = picture_descend(picture, source, leaf.node,
					    path->steps[i].func, &is_cut);
	return picture_remember(&source->leaves, &leaf);
}

struct leaf *
picture_walk(struct picture *picture, struct source *source, func_id row,
	     stack_id stack)
{
	struct leaf *leaf = picture_find_leaf(&source->leaves, row, stack);

	if (!leaf)
		leaf = picture_is_plain(picture) && source == &picture->own
			       ? walk_plainly(picture, row, stack)
			       : walk_path(picture, source, row, stack);
	leaf->touched |= LEAF_ENDS;
	return leaf;
}

/* The function that THREAD's stacks hang below, or FUNC_NONE. */
static func_id
row_of(const struct picture *picture, thread_id thread)
{
	if (!picture->filter.thread_rows || !thread)
		return FUNC_NONE;
	return names_thread(picture->names, profile_get_thread(
		picture->profile, thread)->name);
}

static void
note_row_name(struct picture *picture, thread_id thread)
{
	while (picture->nrows <= thread) {
		picture->row_names = grow(picture->row_names, picture->nrows,
					  &picture->rows_capacity,
					  sizeof(*picture->row_names));
		picture->row_names[picture->nrows++] = 0;
	}
	picture->row_names[thread] =
		profile_get_thread(picture->profile, thread)->name;
}

bool
picture_is_renamed(const struct picture *picture)
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

func_id
picture_row(struct picture *picture, const struct cell *cell)
{
	func_id row = row_of(picture, cell->thread);

	if (row != FUNC_NONE)
		note_row_name(picture, cell->thread);
	return row;
}

const struct leaf *
picture_leaf(struct picture *picture, const struct cell *cell)
{
	return picture_walk(picture, &picture->own,
			    picture_row(picture, cell), cell->stack);
}

node_id
picture_node_of(struct picture *picture, const struct cell *cell)
{
	return picture_wants(picture, cell) ?
	       picture_leaf(picture, cell)->node : NODE_NONE;
}

const struct leaf *
picture_known_leaf(const struct picture *picture, const struct cell *cell)
{
	return picture_find_leaf(&picture->own.leaves,
				 row_of(picture, cell->thread), cell->stack);
}
