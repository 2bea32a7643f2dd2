/* SPDX-License-Identifier: MIT */
/*
 * layout_private.h - what the parts of a layout share.
 *
 *	layout.c	row by row
 *	layout_order.c	which children get a box, and in which order
 *	layout_chain.c	which of them are the first of a chain
 *	layout_place.c	where their edges are
 */
#ifndef TUI_LAYOUT_PRIVATE_H
#define TUI_LAYOUT_PRIVATE_H

#include "tui/layout.h"

/* Edges are compared in 1/1024 of a cell, rounded down from exact. */
#define CELL 1024

struct layout_child {
	node_id node;
	node_id last;			/* of the chain that NODE begins */
	uint32_t links;			/* nodes in it */
	uint64_t weight;
	uint32_t was;
	bool is_kept;
};

/* One layout in the making. */
struct pass {
	struct layout *layout;
	const struct layout_wish *wish;
	size_t path_len;		/* nodes of LAYOUT's path in use */
	size_t kept_row;		/* the last where one of them is */
	bool has_kept;			/* that is the frame to keep */
	uint64_t thinnest, thinnest_old; /* weights that get a box */
	bool is_fresh;			/* order by size, round all edges */
	bool is_rounding;		/* round all edges */
	bool is_wrong;

	/* The frame at hand: its children with a box, and the others. */
	bool keeps_bin;			/* the cursor is on its bin */
	uint64_t self;
	size_t count;
	uint64_t hidden_weight;
	uint32_t hidden;
	bool has_hidden_hit;
};

/* Where the sum WEIGHT falls, in 1/CELL of a cell; never beyond the width. */
int64_t layout_exact(const struct pass *p, uint64_t weight);

/* The box that CHILD had below, or in, the old box PARENT; or BOX_NONE. */
uint32_t layout_find_old(struct pass *p, uint32_t parent, node_id child);

/*
 * One box for CHILD and what it alone calls, if that was so or CHILD had none.
 * Chains that had one keep it while all in them is drawn as one, and what has
 * two stays two: rows come and go less than columns.
 */
void layout_fold(struct pass *p, struct layout_child *child);

uint32_t layout_push(struct layout *layout, struct box box);

/*
 * Must the children at hand that have no box share one? What is less than
 * half a cell may come to none.
 */
bool layout_needs_bin(const struct pass *p);

/* The children of PARENT, which is in ROW, that get a box, in their order. */
void layout_list(struct pass *p, const struct box *parent, size_t row);

/* One less of them; false if there is none to leave out. */
bool layout_hide_thinnest(struct pass *p);

/*
 * Stand these side by side in PARENT (a copy: boxes move), which is box
 * INDEX; then their bin and own time. False: the bin has a cell that is more
 * than one off.
 */
bool layout_place(struct pass *p, uint32_t index, struct box parent);

#endif
