/* SPDX-License-Identifier: MIT */
/*
 * chain.c - calls that go but one way, as one frame or row.
 */
#include "tui/chain.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* Where NODE is in SET, or would be. */
static size_t
place_of(const struct node_set *set, node_id node)
{
	size_t low = 0, high = set->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->nodes[middle] < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
node_set_has(const struct node_set *set, node_id node)
{
	size_t at = place_of(set, node);

	return at < set->count && set->nodes[at] == node;
}

void
node_set_add(struct node_set *set, node_id node)
{
	size_t at = place_of(set, node);

	if (at < set->count && set->nodes[at] == node)
		return;
	set->nodes = grow(set->nodes, set->count, &set->capacity,
			  sizeof(node));
	memmove(&set->nodes[at + 1], &set->nodes[at],
		(set->count - at) * sizeof(node));
	set->nodes[at] = node;
	set->count++;
}

void
node_set_remove(struct node_set *set, node_id node)
{
	size_t at = place_of(set, node);

	if (at == set->count || set->nodes[at] != node)
		return;
	set->count--;
	memmove(&set->nodes[at], &set->nodes[at + 1],
		(set->count - at) * sizeof(node));
}

void
node_set_remap(struct node_set *set, const node_id *map, size_t count)
{
	struct node_set old = *set;

	*set = (struct node_set){ 0 };
	for (size_t i = 0; i < old.count; i++)
		if (old.nodes[i] < count && map[old.nodes[i]] != NODE_NONE)
			node_set_add(set, map[old.nodes[i]]);
	node_set_fini(&old);
}

void
node_set_fini(struct node_set *set)
{
	free(set->nodes);
	*set = (struct node_set){ 0 };
}

node_id
chain_only_child(const struct calltree *tree, node_id node)
{
	uint64_t total = calltree_total(tree, node);
	node_id child = calltree_first(tree, node);

	if (node == 0 || total == 0 || calltree_self(tree, node))
		return NODE_NONE;
	while (child != NODE_NONE && calltree_total(tree, child) == 0)
		child = calltree_next(tree, child);
	return child != NODE_NONE && calltree_total(tree, child) == total ?
	       child : NODE_NONE;
}

static enum frame_kind
kind_of(const struct chain_rule *rule, node_id node)
{
	func_id func = calltree_func(rule->tree, node);

	return func == FUNC_NONE ? FRAME_CODE :
	       names_get(rule->names, func)->kind;
}

/* One colour for both, at least as for kernel and threads. */
static bool
are_alike(const struct chain_rule *rule, node_id node, node_id next)
{
	enum frame_kind a, b;

	if (!rule->names)
		return true;
	a = kind_of(rule, node);
	b = kind_of(rule, next);
	return (a == FRAME_KERNEL) == (b == FRAME_KERNEL) &&
	       a != FRAME_THREAD && b != FRAME_THREAD;
}

bool
chain_may_join(const struct chain_rule *rule, node_id node, node_id next)
{
	return calltree_depth(rule->tree, node) > rule->depth &&
	       !(rule->open && node_set_has(rule->open, node)) &&
	       are_alike(rule, node, next);
}

node_id
chain_next(const struct chain_rule *rule, node_id node)
{
	node_id next = chain_only_child(rule->tree, node);

	return next != NODE_NONE && chain_may_join(rule, node, next) ?
	       next : NODE_NONE;
}

node_id
chain_end(const struct chain_rule *rule, node_id node, uint32_t *links)
{
	node_id end = node, next;

	*links = 1;
	while ((next = chain_next(rule, end)) != NODE_NONE) {
		end = next;
		++*links;
	}
	if (*links >= CHAIN_MIN)
		return end;
	*links = 1;
	return node;
}

node_id
chain_head(const struct chain_rule *rule, node_id node)
{
	struct chain_rule closed = *rule;

	closed.open = NULL;
	for (;;) {
		node_id parent = calltree_parent(rule->tree, node);

		if (parent == NODE_NONE ||
		    chain_next(&closed, parent) != node)
			return node;
		node = parent;
	}
}
