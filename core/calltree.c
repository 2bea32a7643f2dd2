/* SPDX-License-Identifier: MIT */
/*
 * calltree.c - nodes in one array, found by (parent, function).
 *
 * A parent is always older than its children: its index is smaller. So one
 * pass from the end sums all totals, and one from the start renames all.
 */
#include "core/calltree.h"

#include <stdlib.h>

#include "core/base.h"
#include "core/lookup.h"

struct node {
	node_id parent, first, last, next;
	func_id func;
	uint32_t depth;
	uint64_t self, total;
};

struct calltree {
	struct node *nodes;
	size_t count, capacity;
	struct lookup lookup;
};

static node_id
push_node(struct calltree *tree, node_id parent, func_id func)
{
	node_id id = (node_id)tree->count;

	tree->nodes = grow(tree->nodes, tree->count, &tree->capacity,
			   sizeof(*tree->nodes));
	tree->nodes[tree->count++] = (struct node){
		.parent = parent, .func = func,
		.first = NODE_NONE, .last = NODE_NONE, .next = NODE_NONE,
	};
	return id;
}

struct calltree *
calltree_new(void)
{
	struct calltree *tree = xcalloc(1, sizeof(*tree));

	push_node(tree, NODE_NONE, FUNC_NONE);
	return tree;
}

void
calltree_free(struct calltree *tree)
{
	if (!tree)
		return;
	lookup_fini(&tree->lookup);
	free(tree->nodes);
	free(tree);
}

struct child_key {
	node_id parent;
	func_id func;
};

static bool
is_same(const void *owner, uint32_t id, const void *key)
{
	const struct node *node = &((const struct calltree *)owner)->nodes[id];
	const struct child_key *wanted = key;

	return node->parent == wanted->parent && node->func == wanted->func;
}

node_id
calltree_find(const struct calltree *tree, node_id parent, func_id func)
{
	struct child_key key = { parent, func };

	return lookup_find(&tree->lookup, hash_words(parent, func), is_same,
			   tree, &key);
}

node_id
calltree_child(struct calltree *tree, node_id parent, func_id func)
{
	node_id id = calltree_find(tree, parent, func);
	struct node *above;

	if (id != NODE_NONE)
		return id;
	id = push_node(tree, parent, func);
	lookup_add(&tree->lookup, hash_words(parent, func), id);
	above = &tree->nodes[parent];
	tree->nodes[id].depth = above->depth + 1;
	if (above->first == NODE_NONE)
		above->first = id;
	else
		tree->nodes[above->last].next = id;
	above->last = id;
	return id;
}

node_id
calltree_add(struct calltree *tree, const func_id *funcs, size_t depth,
	     uint64_t weight)
{
	node_id node = 0;

	for (size_t i = 0; i < depth; i++)
		node = calltree_child(tree, node, funcs[i]);
	calltree_add_at(tree, node, weight);
	return node;
}

void
calltree_add_at(struct calltree *tree, node_id leaf, uint64_t weight)
{
	struct node *node;

	calltree_add_self(tree, leaf, weight);
	for (node_id id = leaf; id != NODE_NONE; id = node->parent) {
		node = &tree->nodes[id];
		node->total = add_saturating(node->total, weight);
	}
}

void
calltree_add_self(struct calltree *tree, node_id node, uint64_t weight)
{
	uint64_t *self = &tree->nodes[node].self;

	*self = add_saturating(*self, weight);
}

void
calltree_zero(struct calltree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		tree->nodes[i].self = tree->nodes[i].total = 0;
}

void
calltree_sum(struct calltree *tree)
{
	struct node *nodes = tree->nodes;

	for (size_t i = 0; i < tree->count; i++)
		nodes[i].total = nodes[i].self;
	for (size_t i = tree->count; i-- > 1;) {
		uint64_t *above = &nodes[nodes[i].parent].total;

		*above = add_saturating(*above, nodes[i].total);
	}
}

uint64_t
calltree_total(const struct calltree *tree, node_id node)
{
	return tree->nodes[node].total;
}

uint64_t
calltree_self(const struct calltree *tree, node_id node)
{
	return tree->nodes[node].self;
}

node_id
calltree_first(const struct calltree *tree, node_id node)
{
	return tree->nodes[node].first;
}

node_id
calltree_next(const struct calltree *tree, node_id node)
{
	return tree->nodes[node].next;
}

node_id
calltree_parent(const struct calltree *tree, node_id node)
{
	return tree->nodes[node].parent;
}

func_id
calltree_func(const struct calltree *tree, node_id node)
{
	return tree->nodes[node].func;
}

uint32_t
calltree_depth(const struct calltree *tree, node_id node)
{
	return tree->nodes[node].depth;
}

size_t
calltree_count(const struct calltree *tree)
{
	return tree->count;
}

static bool
has_aliases(const struct calltree *tree, const struct names *names)
{
	for (size_t i = 1; i < tree->count; i++)
		if (names_final(names, tree->nodes[i].func) !=
		    tree->nodes[i].func)
			return true;
	return false;
}

node_id *
calltree_renamed(struct calltree *tree, const struct names *names)
{
	struct calltree *merged, old;
	node_id *map;
	size_t count = tree->count;

	if (!has_aliases(tree, names))
		return NULL;
	merged = calltree_new();
	map = xcalloc(count, sizeof(*map));
	for (size_t i = 0; i < count; i++) {
		const struct node *from = &tree->nodes[i];
		struct node *into;

		if (i)
			map[i] = calltree_child(merged, map[from->parent],
						names_final(names, from->func));
		into = &merged->nodes[map[i]];
		into->self = add_saturating(into->self, from->self);
		into->total = add_saturating(into->total, from->total);
	}
	old = *tree;
	*tree = *merged;
	*merged = old;
	calltree_free(merged);
	if (tree->count == count) {	/* nothing merged: ids are the same */
		free(map);
		return NULL;
	}
	return map;
}
