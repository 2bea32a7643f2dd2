/* SPDX-License-Identifier: MIT */
/*
 * picture_carry.c - from old nodes to new ones, when the tree was made anew.
 *
 * A stack ends in one node of the old tree and in one of the new. The nodes
 * above these are two paths of the same calls, with some taken out of one or
 * the other:
 *
 *	old	main  a  b  c
 *	new	main  a     c  d
 *
 * So both are walked side by side, and nodes of the same function are the
 * same call. What an old node was in several stacks may be several nodes now;
 * it goes on as the heaviest.
 *
 * Of very many stacks only some are walked: for each node that is not too thin
 * for any screen, the heaviest that goes through it. Thinner ones go on as
 * their callers.
 */
#include <stdlib.h>

#include "core/base.h"
#include "core/picture_private.h"

#define MANY 65536		/* stacks */
#define THIN 65536		/* of all weight is too thin */

/* Places in a path by function: the first that is not behind us, and on. */
struct chain {
	struct marks first;
	uint32_t *next;
	size_t capacity;
};

struct carry {
	const struct picture *picture;
	const struct old_tree *old;
	node_id *map;		/* NODE_NONE: not known yet */
	node_id *from, *to;	/* the two paths, outermost first */
	size_t nfrom, nto, from_capacity, to_capacity;
	struct chain same;	/* places in TO */
	struct chain kin;	/* the same by library */
};

/* The nodes from below the root to LEAF, or the other way round. */
static node_id *
path_to(const struct calltree *tree, node_id leaf, bool outermost_first,
	node_id *path, size_t *capacity, size_t *count)
{
	*count = calltree_depth(tree, leaf);
	while (*capacity < *count)
		path = grow(path, *capacity, capacity, sizeof(*path));
	for (size_t i = *count; i-- > 0;
	     leaf = calltree_parent(tree, leaf))
		path[outermost_first ? i : *count - 1 - i] = leaf;
	return path;
}

static func_id
func_of(const struct carry *carry, const struct calltree *tree, node_id node)
{
	return names_final(carry->picture->names, calltree_func(tree, node));
}

static void
chain_begin(struct chain *chain, size_t count)
{
	while (chain->capacity < count)
		chain->next = grow(chain->next, chain->capacity,
				   &chain->capacity, sizeof(*chain->next));
	marks_forget(&chain->first);
}

/* Place AT comes before all that were put there so far. */
static void
chain_put(struct chain *chain, func_id func, size_t at)
{
	chain->next[at] = marks_get(&chain->first, func);
	marks_set(&chain->first, func, (uint32_t)at);
}

/* The first place of FUNC from AT on, which never goes back; or MARK_NONE. */
static uint32_t
chain_find(struct chain *chain, func_id func, size_t at)
{
	uint32_t i = marks_get(&chain->first, func);

	while (i != MARK_NONE && i < at)
		i = chain->next[i];
	if (i != MARK_NONE)
		marks_set(&chain->first, func, i);
	return i;
}

static void
chain_fini(struct chain *chain)
{
	marks_fini(&chain->first);
	free(chain->next);
}

static void
index_new(struct carry *carry)
{
	struct names *names = carry->picture->names;

	chain_begin(&carry->same, carry->nto);
	chain_begin(&carry->kin, carry->nto);
	for (size_t i = carry->nto; i-- > 0;) {
		func_id func = func_of(carry, carry->picture->tree,
				       carry->to[i]);
		func_id library = names_library_of(names, func);

		chain_put(&carry->same, func, i);
		if (library != FUNC_NONE)
			chain_put(&carry->kin, library, i);
	}
}

/* FUNC, or what stands for all of its library, or one that FUNC stood for. */
static uint32_t
place_of(struct carry *carry, func_id func, size_t at)
{
	func_id library = names_library_of(carry->picture->names, func);
	uint32_t place = chain_find(&carry->same, func, at);

	if (place != MARK_NONE || library == FUNC_NONE)
		return place;
	if (library == func)
		return chain_find(&carry->kin, library, at);
	return chain_find(&carry->same, library, at);
}

static void
take(struct carry *carry, node_id old, node_id new)
{
	const struct calltree *tree = carry->picture->tree;
	node_id *known = &carry->map[old];

	if (*known == NODE_NONE ||
	    calltree_total(tree, new) > calltree_total(tree, *known))
		*known = new;
}

static void
walk_both(struct carry *carry, node_id old, node_id new)
{
	size_t at = 0;

	carry->from = path_to(carry->old->tree, old,
			      carry->old->is_outermost_first, carry->from,
			      &carry->from_capacity, &carry->nfrom);
	carry->to = path_to(carry->picture->tree, new,
			    is_outermost_first(carry->picture->filter.shape),
			    carry->to, &carry->to_capacity, &carry->nto);
	index_new(carry);
	for (size_t i = 0; i < carry->nfrom; i++) {
		uint32_t place = place_of(carry, func_of(
			carry, carry->old->tree, carry->from[i]), at);

		if (place == MARK_NONE)
			continue;
		take(carry, carry->from[i], carry->to[place]);
		at = (size_t)place + 1;
	}
}

/* Does LEAF, an old one, end in the tree that there is now? */
static bool
goes_on(const struct leaves *new, const struct leaf *leaf)
{
	const struct leaf *other = picture_find_leaf(new, leaf->row,
						     leaf->stack);

	if (leaf->node == NODE_NONE || !(leaf->touched & LEAF_ENDS))
		return false;
	if (!other)
		other = picture_find_leaf(new, FUNC_NONE, leaf->stack);
	return !other || other->node != NODE_NONE;
}

/* By node of OLD: the leaf that has most of its weight, plus one; or 0. */
static uint32_t *
heaviest_leaves(const struct calltree *tree, const struct leaves *old,
		const struct leaves *new)
{
	uint32_t *best = xcalloc(calltree_count(tree), sizeof(*best));
	uint64_t mine, above;

	for (size_t i = 0; i < old->count; i++)
		if (goes_on(new, &old->rows[i]))
			best[old->rows[i].node] = (uint32_t)i + 1;
	for (size_t i = calltree_count(tree); i-- > 1;) {
		uint32_t *at = &best[calltree_parent(tree, (node_id)i)];

		if (!best[i])
			continue;
		mine = calltree_self(tree, old->rows[best[i] - 1].node);
		above = *at ? calltree_self(tree, old->rows[*at - 1].node) : 0;
		if (!*at || mine > above)
			*at = best[i];
	}
	return best;
}

/* By leaf: is it to be walked? NULL: all are. */
static bool *
choose(const struct carry *carry, const struct leaves *old,
       const struct leaves *new)
{
	const struct calltree *tree = carry->old->tree;
	uint64_t least = calltree_total(tree, 0) / THIN;
	uint32_t *best;
	bool *chosen;

	if (old->count < MANY || tree == carry->picture->tree)
		return NULL;
	best = heaviest_leaves(tree, old, new);
	chosen = xcalloc(old->count, sizeof(*chosen));
	for (size_t i = 1; i < calltree_count(tree); i++)
		if (best[i] && calltree_total(tree, (node_id)i) > least)
			chosen[best[i] - 1] = true;
	free(best);
	return chosen;
}

/* The rows of threads may be in one tree and not in the other. */
static void
walk_leaves(struct carry *carry, const struct leaves *old,
	    const struct leaves *new)
{
	const struct leaf *leaf, *other;
	bool *chosen = choose(carry, old, new);

	for (size_t i = 0; i < old->count; i++) {
		leaf = &old->rows[i];
		if (leaf->node == NODE_NONE || !(leaf->touched & LEAF_ENDS) ||
		    (chosen && !chosen[i]))
			continue;
		other = picture_find_leaf(new, leaf->row, leaf->stack);
		if (!other)
			other = picture_find_leaf(new, FUNC_NONE, leaf->stack);
		if (other && other->node != NODE_NONE)
			walk_both(carry, leaf->node, other->node);
	}
	for (size_t i = 0; i < new->count; i++) {
		leaf = &new->rows[i];
		if (leaf->node == NODE_NONE || leaf->row == FUNC_NONE ||
		    !(leaf->touched & LEAF_ENDS))
			continue;
		other = picture_find_leaf(old, FUNC_NONE, leaf->stack);
		if (other && other->node != NODE_NONE &&
		    (!chosen || chosen[other - old->rows]))
			walk_both(carry, other->node, leaf->node);
	}
	free(chosen);
}

/* Into one tree: only what is empty now, and was not met, goes elsewhere. */
static void
settle(struct carry *carry)
{
	const struct calltree *tree = carry->old->tree;
	bool is_same = tree == carry->picture->tree;

	carry->map[0] = 0;
	for (size_t i = 1; i < calltree_count(tree); i++) {
		node_id node = (node_id)i, *to = &carry->map[i];

		if (is_same && (*to == NODE_NONE ||
				calltree_total(tree, node) ||
				picture_base_total(carry->picture, node)))
			*to = node;
		else if (*to == NODE_NONE)
			*to = carry->map[calltree_parent(tree, node)];
	}
}

node_id *
picture_carry(const struct picture *picture, const struct old_tree *old)
{
	struct carry carry = { .picture = picture, .old = old };
	size_t count = calltree_count(old->tree);

	carry.map = xcalloc(count, sizeof(*carry.map));
	for (size_t i = 0; i < count; i++)
		carry.map[i] = NODE_NONE;
	walk_leaves(&carry, &old->leaves, &picture->own.leaves);
	walk_leaves(&carry, &old->other, &picture->base.other.leaves);
	settle(&carry);
	chain_fini(&carry.same);
	chain_fini(&carry.kin);
	free(carry.from);
	free(carry.to);
	return carry.map;
}

struct old_tree
picture_part(struct picture *picture, bool is_other)
{
	struct old_tree old = {
		.tree = picture->tree,
		.leaves = picture->own.leaves,
		.other = picture->base.other.leaves,
		.is_outermost_first =
			is_outermost_first(picture->filter.shape),
	};

	picture->own.leaves = (struct leaves){ 0 };
	picture->base.other.leaves = (struct leaves){ 0 };
	if (is_other)
		picture->tree = calltree_new();
	return old;
}

void
picture_free_old(const struct picture *picture, struct old_tree *old)
{
	if (old->tree != picture->tree)
		calltree_free(old->tree);
	picture_forget_leaves(&old->leaves);
	picture_forget_leaves(&old->other);
}
