/* SPDX-License-Identifier: MIT */
/*
 * zoom.h - what a flame graph is zoomed to, and the way back.
 *
 * A zoom is a frame, or the bin of a frame: the frame over only those of its
 * children that had no box of their own when the bin was opened. A bin is
 * known by the children that are not in it, so whatever comes new is in it. Or
 * it is a range, a frame over children that were chosen, and is known by these.
 */
#ifndef TUI_ZOOM_H
#define TUI_ZOOM_H

#include <stdbool.h>
#include <stddef.h>

#include "core/weights.h"

/* A frame, or the bin below it. */
struct place {
	node_id node;
	bool is_bin;
};

struct zoom {
	node_id node;
	bool is_bin;		/* or a range */
	bool is_range;
	bool is_marked;		/* somebody chose what is in it */
	node_id *out;		/* children that are not in the bin, or are in
				   the range; sorted */
	size_t nout;
};

struct zoom_step {
	struct zoom zoom;
	struct place cursor;
};

/* All zeroes: the whole picture, nothing to go back to. */
struct zooms {
	struct zoom now;
	struct zoom_step *steps;
	size_t count, capacity;
};

/* Zoom to ZOOM, whose OUT is taken; Backspace will return to CURSOR. */
void zoom_to(struct zooms *zooms, struct zoom zoom, struct place cursor);

/* Undo the last; false when there is none. */
bool zoom_back(struct zooms *zooms, struct place *cursor);

/* The whole picture, and no way back. Also frees. */
void zoom_reset(struct zooms *zooms);

/* Take CHILD from OUT. */
void zoom_drop(struct zoom *zoom, node_id child);

/* Is CHILD, a child of ZOOM's frame, in the picture? */
bool zoom_shows(const struct zoom *zoom, node_id child);

/* What the picture adds up to. */
uint64_t zoom_weight(const struct zoom *zoom, const struct weights *weights);

/* Nodes were merged, as view_ops.remap says; MAP is not NULL. */
void zoom_remap(struct zooms *zooms, const node_id *map, size_t count);

#endif
