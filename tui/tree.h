/* SPDX-License-Identifier: MIT */
/*
 * tree.h - the call tree view's state, for its own files only.
 *
 *	view_tree.c	cursor, and what the shell calls
 *	tree_open.c	what is open
 *	tree_rows.c	which rows there are, and their order
 *	tree_draw.c	rows to cells
 *
 * Only what is open is looked at: a closed node costs nothing, however much
 * is below it.
 */
#ifndef TUI_TREE_H
#define TUI_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/hits.h"
#include "tui/view.h"

/*
 * A node, or a chain of nodes of which each has one child and all samples in
 * it: then FIRST is its first and NODE its last.
 */
struct tree_row {
	node_id first, node;
	uint32_t links;		/* nodes in it */
	uint32_t level;		/* rows above it that it is below of */
	uint64_t total;
	bool is_open;
};

#define TREE_OPEN 1		/* its children have rows */
#define TREE_UNFOLDED 2		/* the chain that begins here has rows, too */

struct tree {
	struct tree_row *rows;
	size_t count, capacity;
	uint8_t *open;		/* by node: TREE_OPEN, TREE_UNFOLDED */
	uint32_t *was;		/* by node: 1 + its last row; 0: none */
	size_t nodes, open_capacity, was_capacity;
	node_id cursor;
	size_t row;		/* the cursor's */
	size_t scroll, page;
	int width;
	bool wants_fresh;	/* order siblings by size */
	unsigned counts;	/* whose the rows are of (change_counts()) */
	bool is_begun;
	bool is_waiting;	/* siblings would change places, but are held */
	struct hits hits;
	unsigned hit;
	const char *notice;

	struct tree_child *children;	/* of the node at hand */
	size_t child_count, child_capacity;
};

/* Make rows of what is open, for SCENE as it is now. */
void tree_list(struct tree *tree, const struct scene *scene);

/* The first and the last node of the chain that NODE is in. */
node_id tree_chain_first(const struct picture *picture, node_id node);
node_id tree_chain_last(const struct picture *picture, node_id node);

/* The child with the most weight; NODE_NONE: none has any. */
node_id tree_heaviest(const struct weights *weights, node_id node);

/* At first: all that most samples have in common is open. */
void tree_begin(struct tree *tree, const struct weights *weights);

/* Open all above NODE. */
void tree_open_above(struct tree *tree, const struct calltree *calls,
		     node_id node);

/* Open or close what is under the cursor. */
void tree_open_row(struct tree *tree, const struct calltree *calls,
		   bool is_to_open);

/*
 * Unfold the chain under the cursor; else open what is worth it below, and
 * look into nothing else. And close all that is there.
 */
void tree_open_below(struct tree *tree, const struct picture *picture);
void tree_close_below(struct tree *tree, const struct picture *picture);

/* The chain that NODE is in as one row, or as a row for each. */
void tree_unfold(struct tree *tree, const struct picture *picture,
		 node_id node, bool is_unfolded);

/* Nodes were merged, as view_ops.remap says; MAP is not NULL. */
void tree_move_nodes(struct tree *tree, const node_id *map, size_t count);

/* As view_ops. */
void tree_draw(const void *state, const struct scene *scene,
	       struct canvas *canvas, struct rect area);

#endif
