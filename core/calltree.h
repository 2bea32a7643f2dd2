/* SPDX-License-Identifier: MIT */
/*
 * calltree.h - every stack seen so far, merged from the root down.
 *
 * Three samples  main>parse>read (1), main>parse (2), main>eval (4):
 *
 *     main 7/0 --+-- parse 3/2 --- read 1/1        total/self
 *                +-- eval  4/4
 *
 * Nodes are indices, not pointers: an index means the same path for as long
 * as the tree lives, whatever is added. Only calltree_renamed() changes them,
 * and it says how. A child's index is greater than its parent's.
 *
 * The tree holds counts and nothing else. What is folded, zoomed or selected
 * belongs to the view that shows it (tui/), keyed by node_id.
 */
#ifndef CORE_CALLTREE_H
#define CORE_CALLTREE_H

#include <stddef.h>
#include <stdint.h>

#include "core/names.h"

typedef uint32_t node_id;	/* a node of one tree; the root is 0 */
#define NODE_NONE UINT32_MAX

struct calltree;

struct calltree *calltree_new(void);
void calltree_free(struct calltree *tree);

/*
 * Count one stack. FUNCS runs from the outermost caller to the leaf and is
 * only read during the call. Returns the leaf's node; an empty stack counts
 * on the root.
 */
node_id calltree_add(struct calltree *tree, const func_id *funcs,
		     size_t depth, uint64_t weight);

/* The same, counted on a node that an earlier call returned. */
void calltree_add_at(struct calltree *tree, node_id leaf, uint64_t weight);

/*
 * Many at once: selves only, and all totals in one pass at the end. Until
 * then totals are as they were. calltree_zero() forgets every count and keeps
 * the nodes.
 */
void calltree_zero(struct calltree *tree);
void calltree_add_self(struct calltree *tree, node_id node, uint64_t weight);
void calltree_sum(struct calltree *tree);

/* The child of PARENT for FUNC; made with no counts if there is none. */
node_id calltree_child(struct calltree *tree, node_id parent, func_id func);

/* The same without making one: NODE_NONE. */
node_id calltree_find(const struct calltree *tree, node_id parent,
		      func_id func);

/*
 * Weight of every stack through NODE, and of those that end in it; no more
 * than 2^64 - 1.
 */
uint64_t calltree_total(const struct calltree *tree, node_id node);
uint64_t calltree_self(const struct calltree *tree, node_id node);

/* Walk the children of NODE in the order they came; views sort. */
node_id calltree_first(const struct calltree *tree, node_id node);
node_id calltree_next(const struct calltree *tree, node_id node);

/* NODE_NONE and FUNC_NONE for the root. A parent's id is the smaller one. */
node_id calltree_parent(const struct calltree *tree, node_id node);
func_id calltree_func(const struct calltree *tree, node_id node);
uint32_t calltree_depth(const struct calltree *tree, node_id node);
size_t calltree_count(const struct calltree *tree);	/* nodes, with root */

/*
 * Functions got names (names_generation() grew): merge nodes that have become
 * the same path. Returns the new id of every old node (calltree_count()
 * entries of before, the caller frees), NULL when no id changed. Ids that are
 * no longer used may stay behind as nodes without count, function or place.
 */
node_id *calltree_renamed(struct calltree *tree, const struct names *names);

#endif
