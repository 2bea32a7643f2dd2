/* SPDX-License-Identifier: MIT */
/*
 * hits.h - where in the call tree a search has hits, and the way from one to
 * the next.
 *
 * The way is the one the eye takes over the picture: a frame before what is
 * below it, siblings from left to right; those without a box by size.
 */
#ifndef TUI_HITS_H
#define TUI_HITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/picture.h"
#include "tui/layout.h"
#include "tui/search.h"
#include "tui/zoom.h"

/* All zeroes: no search. */
struct hits {
	uint32_t *below;	/* by node: frames that hit, at it or below */
	uint64_t *counted;	/* a bit for each node with a weight */
	size_t count;		/* nodes; 0: no search */
	size_t capacity, words;
	struct picture_mark mark; /* what was counted */
	uint64_t version;	/* of the search, then */

	struct hit_child *children; /* of the frame at hand */
	size_t child_capacity;
};

/*
 * Count for SEARCH and PICTURE as they are now. What was added to the picture
 * is counted on its way to the root; when more than that has changed all is,
 * some 4 ns for each node.
 */
void hits_update(struct hits *hits, const struct search *search,
		 const struct picture *picture);
void hits_fini(struct hits *hits);

/* By node for struct layout_wish; NULL without a search. */
const uint32_t *hits_marks(const struct hits *hits);

/* What a walk goes through. */
struct hits_walk {
	const struct search *search;
	struct weights weights;
	const struct layout *layout;
	const struct zoom *zoom;
};

/*
 * The hit after FROM in ZOOM (before it, if IS_BACK), going on at the other
 * end; then *WRAPPED is set. NODE_NONE: there is no hit.
 */
node_id hits_next(struct hits *hits, const struct hits_walk *walk,
		  node_id from, bool is_back, bool *wrapped);

/* NODE is the so manieth hit of ZOOM, from 1; 0: it is none. */
unsigned hits_rank(struct hits *hits, const struct hits_walk *walk,
		   node_id node);

#endif
