/* SPDX-License-Identifier: MIT */
/*
 * tally.h - how much of a picture a search has found.
 */
#ifndef TUI_TALLY_H
#define TUI_TALLY_H

#include <stdint.h>

#include "core/picture.h"
#include "tui/search.h"

/*
 * Under node TOP: frames that hit, functions that hit, and the weight of all
 * stacks through a hit, nested hits counted once. All zeroes: nothing counted.
 */
struct tally {
	uint64_t frames, functions, weight;
	node_id top;

	struct picture_mark mark; /* what was counted */
	uint64_t version;	/* of the search, then */
	uint64_t *seen;		/* a bit for each function that hit */
	uint64_t *counted;	/* for each node with a weight */
	uint64_t *inside;	/* and for those of a hit, or below one */
	size_t seen_words, counted_words, inside_words;
	node_id *path;		/* room */
	size_t path_capacity;
};

/*
 * Count for SEARCH and PICTURE as they are now. What was added to the picture
 * is counted on its way to what was counted already; when more than that has changed, or TOP,
 * all below TOP is walked.
 */
void tally_update(struct tally *tally, const struct search *search,
		  const struct picture *picture, node_id top);
void tally_fini(struct tally *tally);

#endif
