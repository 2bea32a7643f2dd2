/* SPDX-License-Identifier: MIT */
/*
 * layout.h - where every frame of a flame graph stands, in whole cells.
 *
 *	|all                                    |	row 0: the top
 *	|main                           |idle   |
 *	|parse          |eval       |+|:|		+ bin, : main's own
 *
 * Edges are absolute: both ends of a frame are rounded from exact sums of
 * counts, so no error adds up, siblings never overlap and children stay
 * inside their parents. Children thinner than a cell are gathered in one bin,
 * which has the cells that it is rounded to, and one at least if it is half a
 * cell or more. What is left of a frame at its right end is its own time.
 *
 * A layout remembers the one before, and moves as little as it can: siblings
 * keep their order until one is clearly bigger than its left neighbour, and
 * an edge stays while it is less than 0.9 cells off.
 *
 * Chains of calls (tui/chain.h) share a box. One that is folded opens where it
 * becomes two ways that can be seen, and is folded again only when all is laid
 * out anew, or asked for.
 *
 * Costs are those of what is drawn: nothing under a bin is looked at.
 */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/weights.h"
#include "tui/chain.h"
#include "tui/zoom.h"

enum box_kind { BOX_FRAME, BOX_BIN, BOX_SELF };
#define BOX_NONE UINT32_MAX

struct box {
	node_id node;		/* the frame, the last of a chain; a bin's or
				   self part's: theirs */
	node_id head;		/* a frame's: the first of its chain */
	uint32_t links;		/* nodes in that, 1: it is none */
	enum box_kind kind;
	int left, right;	/* cells, RIGHT excluded */
	uint32_t parent;	/* the box above it; the top's is BOX_NONE */
	uint32_t first, count;	/* those below: frames, then bin, then self */
	uint32_t was;		/* index in the layout before, or BOX_NONE */
	uint32_t hidden;	/* children in a bin */
	uint64_t start, weight;	/* exact, START from the left of the top */
	bool has_hit;		/* a bin: some child is marked */
};

/* What is to be laid out. Everything is borrowed for the call. */
struct layout_wish {
	struct weights weights;	/* of what tree */
	const struct zoom *zoom; /* fills the width */
	const struct chain_rule *chains; /* NULL: none is folded */
	bool refolds;		/* also what had boxes of its own */
	node_id keep;		/* drawn with all above it, however thin */
	bool keeps_bin;		/* KEEP's bin, too */
	const uint32_t *marks;	/* by node, 0: not marked; or NULL */
	unsigned cut;		/* less than so many thousandths of the top goes
				   into bins, however wide */
	int width;
	size_t rows;		/* deeper ones are left out, */
	size_t rows_below;	/* but so many below KEEP are not */
	bool is_held;		/* siblings may not change places now */
	bool is_fresh;		/* forget the layout before */
	bool is_other;		/* other counts: all edges may move at once */
};

/* All zeroes is an empty layout. */
struct layout {
	struct box *boxes;	/* row by row, each from left to right */
	size_t count, capacity;
	size_t *rows;		/* where each begins, and the end */
	size_t nrows, row_capacity;
	uint64_t base;		/* weight of the top */
	int width;
	bool is_waiting;	/* siblings would change places, but are held */

	struct box *old;	/* the layout before */
	size_t old_count, old_capacity;
	struct layout_child *children;	/* of the frame at hand */
	size_t child_capacity;
	node_id *path;		/* from the top to KEEP */
	size_t path_capacity;
	node_id *chain;		/* a chain at hand, the last first */
	size_t chain_capacity;
	struct layout_place_of *places;	/* by node: its box */
	size_t nplaces;
	uint32_t round;		/* of those that are so now */
	unsigned wrong;		/* layouts in a row with an edge far off */
	unsigned patience;	/* so many until all edges are rounded */
};

void layout_update(struct layout *layout, const struct layout_wish *wish);
void layout_fini(struct layout *layout);

/* Nodes were merged, as view_ops.remap says; MAP is not NULL. */
void layout_remap(struct layout *layout, const node_id *map, size_t count);

/*
 * The box that NODE is in as a frame, or as the top; and that of its bin.
 * BOX_NONE if there is none.
 */
uint32_t layout_frame(const struct layout *layout, node_id node);
uint32_t layout_bin(const struct layout *layout, node_id node);

/* The row that BOX is in. */
size_t layout_row(const struct layout *layout, uint32_t box);

#endif
