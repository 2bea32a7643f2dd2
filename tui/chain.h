/* SPDX-License-Identifier: MIT */
/*
 * chain.h - calls that go but one way, as one frame or row.
 *
 *	all			all
 *	main			main … work (4)
 *	run
 *	loop			main, run, loop and work have the same samples:
 *	work			there is nothing to choose
 *	parse     eval		parse     eval
 *
 * A chain ends at the first fork or own time. Code of the kernel begins one of
 * its own, and what tells threads apart is in none.
 */
#ifndef TUI_CHAIN_H
#define TUI_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/calltree.h"

#define CHAIN_MIN 3		/* fewer calls are not worth it */

/* Nodes, sorted; all zeroes is none. */
struct node_set {
	node_id *nodes;
	size_t count, capacity;
};

bool node_set_has(const struct node_set *set, node_id node);
void node_set_add(struct node_set *set, node_id node);
void node_set_remove(struct node_set *set, node_id node);
void node_set_remap(struct node_set *set, const node_id *map, size_t count);
void node_set_fini(struct node_set *set);

/* What may be folded. Everything is borrowed. */
struct chain_rule {
	const struct calltree *tree;
	const struct names *names;	/* NULL: all code is of one kind */
	const struct node_set *open;	/* these are not folded; or NULL */
	uint32_t depth;			/* nor is what is not below here */
};

/* The child that has all of NODE's samples; NODE_NONE: there is none. */
node_id chain_only_child(const struct calltree *tree, node_id node);

/* May NODE, with whatever samples, be in one frame with its child NEXT? */
bool chain_may_join(const struct chain_rule *rule, node_id node, node_id next);

/* The next of the chain that NODE is in; NODE_NONE: it is the last. */
node_id chain_next(const struct chain_rule *rule, node_id node);

/*
 * The last of the chain that begins with NODE, and its length into *LINKS;
 * NODE and 1, if that is less than CHAIN_MIN.
 */
node_id chain_end(const struct chain_rule *rule, node_id node,
		  uint32_t *links);

/* The first of the chain that NODE is in, open or not. */
node_id chain_head(const struct chain_rule *rule, node_id node);

#endif
