/* SPDX-License-Identifier: MIT */
/*
 * speedscope_load.h - what the parts of reading a speedscope file share.
 */
#ifndef FORMATS_SPEEDSCOPE_LOAD_H
#define FORMATS_SPEEDSCOPE_LOAD_H

#include "formats/speedscope.h"
#include "formats/stacks.h"

/* Open in the events so far, the outermost first. */
struct speedscope_open {
	size_t frame;
	stack_id stack;
};

struct speedscope_load {
	struct speedscope file;
	struct profile *profile;
	struct read_report *report;
	struct stacks stacks;
	struct folded_header header;	/* of files that we wrote */

	frame_id *frames;
	size_t nframes, frames_capacity;
	frame_id missing;		/* for what is not among them */

	struct slice unit;		/* of the profiles that are read */
	struct count_range range;
	int scale;

	struct speedscope_open *open;
	size_t depth, open_capacity;
	uint32_t *opened;		/* by frame: how often it is open */

	uint64_t missing_frames, unbalanced, disordered, unweighted, others;
};

/* All below return false where the file is not as it must be. */

/* Fill FRAMES and OPENED. */
bool speedscope_read_frames(struct speedscope_load *load);

/* Count what PROFILE has for THREAD; the scale is known. */
bool speedscope_read_samples(struct speedscope_load *load,
			     const struct speedscope_profile *profile,
			     thread_id thread);
bool speedscope_read_events(struct speedscope_load *load,
			    const struct speedscope_profile *profile,
			    thread_id thread);

#endif
