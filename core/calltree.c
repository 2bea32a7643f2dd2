/* SPDX-License-Identifier: MIT */
/*
 * calltree.c - nodes in one array, found by (parent, function).
 *
 * A parent is always older than its children: its index is smaller. So one
 * pass from the end sums all totals.
 *
 * Nodes that merged with another stay in the array, dead: names come one by
 * one all the time, and each should cost what it changes and not the whole
 * tree. When half of them are dead all get new ids.
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
	size_t count, capacity, dead;
	struct lookup lookup;
};

/* The dead have no function (nor has the root). */
static bool
is_alive(const struct node *node)
{
	return node->func != FUNC_NONE;
}

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

static void
append_child(struct calltree *tree, node_id parent, node_id id)
{
	struct node *above = &tree->nodes[parent];

	tree->nodes[id].next = NODE_NONE;
	if (above->first == NODE_NONE)
		above->first = id;
	else
		tree->nodes[above->last].next = id;
	above->last = id;
}

node_id
calltree_child(struct calltree *tree, node_id parent, func_id func)
{
	node_id id = calltree_find(tree, parent, func);

	if (id != NODE_NONE)
		return id;
	id = push_node(tree, parent, func);
	lookup_add(&tree->lookup, hash_words(parent, func), id);
	tree->nodes[id].depth = tree->nodes[parent].depth + 1;
	append_child(tree, parent, id);
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

/* --- late names */

static bool
has_aliases(const struct calltree *tree, const struct names *names)
{
	for (size_t i = 1; i < tree->count; i++)
		if (is_alive(&tree->nodes[i]) &&
		    names_final(names, tree->nodes[i].func) !=
		    tree->nodes[i].func)
			return true;
	return false;
}

static void
forget_key(struct calltree *tree, node_id id)
{
	const struct node *node = &tree->nodes[id];

	lookup_remove(&tree->lookup, hash_words(node->parent, node->func), id);
}

/* Node DEAD goes on as node INTO; its children are still its own. */
static void
bury(struct calltree *tree, node_id *map, node_id dead, node_id into)
{
	struct node *from = &tree->nodes[dead], *to = &tree->nodes[into];

	to->self = add_saturating(to->self, from->self);
	to->total = add_saturating(to->total, from->total);
	from->self = from->total = 0;
	from->func = FUNC_NONE;
	from->parent = into;
	map[dead] = into;
	tree->dead++;
}

/*
 * Node ID, which has no key now, becomes PARENT's child for FUNC. Of two such
 * children the older one lives on: so parents stay older than their children.
 * Returns the one that does not, whose children have to move; or NODE_NONE.
 */
static node_id
place(struct calltree *tree, node_id *map, node_id id, struct child_key key)
{
	uint32_t hash = hash_words(key.parent, key.func);
	node_id other = calltree_find(tree, key.parent, key.func);

	tree->nodes[id].parent = key.parent;
	tree->nodes[id].func = key.func;
	if (other == NODE_NONE) {
		lookup_add(&tree->lookup, hash, id);
		return NODE_NONE;
	}
	if (other < id) {
		bury(tree, map, id, other);
		return id;
	}
	lookup_replace(&tree->lookup, hash, other, id);
	bury(tree, map, other, id);
	return other;
}

/* Nodes that died and still have their children. */
struct orphanages {
	node_id *rows;
	size_t count, capacity;
};

static void
note_orphans(struct orphanages *todo, node_id dead)
{
	if (dead == NODE_NONE)
		return;
	todo->rows = grow(todo->rows, todo->count, &todo->capacity,
			  sizeof(dead));
	todo->rows[todo->count++] = dead;
}

/* The children of DEAD go to the node that took its place. */
static void
move_children(struct calltree *tree, const struct names *names, node_id *map,
	      struct orphanages *todo, node_id dead)
{
	struct child_key key = { .parent = map[dead] };
	node_id next;

	while (map[key.parent] != key.parent)
		key.parent = map[key.parent];
	for (node_id id = tree->nodes[dead].first; id != NODE_NONE; id = next) {
		next = tree->nodes[id].next;
		if (!is_alive(&tree->nodes[id]))
			continue;
		forget_key(tree, id);
		append_child(tree, key.parent, id);
		key.func = names_final(names, tree->nodes[id].func);
		note_orphans(todo, place(tree, map, id, key));
	}
}

/* Lists of children without the dead, and a map without detours. */
static void
tidy(struct calltree *tree, node_id *map)
{
	for (size_t i = 0; i < tree->count; i++) {
		struct node *node = &tree->nodes[i];

		map[i] = map[map[i]];	/* which is smaller, and so final */
		node->first = node->last = node->next = NODE_NONE;
		if (i && is_alive(node))
			append_child(tree, node->parent, (node_id)i);
	}
}

/* New ids for all, without the dead; MAP is led on to them. */
static void
renumber(struct calltree *tree, node_id *map)
{
	struct calltree *dense = calltree_new(), old;

	for (size_t i = 0; i < tree->count; i++) {
		const struct node *from = &tree->nodes[i];
		struct node *into;

		map[i] = map[i] != i ? map[map[i]] :
			 i ? calltree_child(dense, map[from->parent],
					    from->func) : 0;
		into = &dense->nodes[map[i]];
		into->self += from->self;	/* the dead have none */
		into->total += from->total;
	}
	old = *tree;
	*tree = *dense;
	*dense = old;
	calltree_free(dense);
}

node_id *
calltree_renamed(struct calltree *tree, const struct names *names)
{
	struct orphanages todo = { 0 };
	size_t dead_before = tree->dead;
	node_id *map;

	if (!has_aliases(tree, names))
		return NULL;
	map = xcalloc(tree->count, sizeof(*map));
	for (node_id i = 0; i < tree->count; i++)
		map[i] = !i || is_alive(&tree->nodes[i]) ? i :
			 tree->nodes[i].parent;
	for (size_t i = 1; i < tree->count; i++) {
		const struct node *node = &tree->nodes[i];
		struct child_key key = { node->parent, FUNC_NONE };

		if (!is_alive(node))
			continue;
		key.func = names_final(names, node->func);
		if (key.func == node->func)
			continue;
		forget_key(tree, (node_id)i);
		note_orphans(&todo, place(tree, map, (node_id)i, key));
		while (todo.count)
			move_children(tree, names, map, &todo,
				      todo.rows[--todo.count]);
	}
	free(todo.rows);
	if (tree->dead == dead_before) {	/* new names, same paths */
		free(map);
		return NULL;
	}
	tidy(tree, map);
	if (tree->dead > tree->count / 2)
		renumber(tree, map);
	return map;
}
