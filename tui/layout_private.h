/* SPDX-License-Identifier: MIT */
/*
 * layout_private.h - what the parts of a layout share.
 *
 *	layout.c	row by row
 *	layout_order.c	which children get a box, and in which order
 *	layout_place.c	where their edges are
 */
#ifndef TUI_LAYOUT_PRIVATE_H
#define TUI_LAYOUT_PRIVATE_H

#include "tui/layout.h"

/* Edges are compared in 1/1024 of a cell, rounded down from exact. */
#define CELL 1024

struct layout_child {
	node_id node;
	uint64_t weight;
	uint32_t was;
	bool is_kept;
};

/* One layout in the making. */
struct pass {
	struct layout *layout;
	const struct layout_wish *wish;
	size_t path_len;		/* rows of LAYOUT's path in use */
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
