/* SPDX-License-Identifier: MIT */
/*
 * legacy_samples.h - samples of addresses, whose names may come later.
 */
#ifndef FORMATS_LEGACY_SAMPLES_H
#define FORMATS_LEGACY_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/lookup.h"
#include "core/reader.h"
#include "formats/lines.h"
#include "formats/stacks.h"

/* A place in the code: an address, or the frame of a name. */
struct legacy_place {
	uint64_t address;
	frame_id frame;
	bool has_frame;
};

struct legacy_sample {
	size_t first, depth;	/* of PLACES */
	uint64_t weight;
	thread_id thread;
};

struct legacy_map {
	uint64_t start, end, offset;
	size_t path, path_len;	/* in TEXT */
};

struct legacy_name {
	uint64_t address;
	frame_id frame;
};

/* Begins zeroed but for STACKS. */
struct legacy_samples {
	struct stacks stacks;
	struct legacy_place *places;
	size_t nplaces, place_capacity;
	struct legacy_sample *samples;
	size_t nsamples, sample_capacity;
	struct legacy_map *maps;
	size_t nmaps, map_capacity;
	struct legacy_name *names;
	size_t nnames, name_capacity;
	struct lookup named;	/* of NAMES, by address */
	struct writer text;	/* paths of MAPS */
};

/* The next places belong to a sample of WEIGHT. */
void legacy_begin(struct legacy_samples *samples, uint64_t weight,
		  thread_id thread);
void legacy_add_address(struct legacy_samples *samples, uint64_t address);

/* Addresses in hex at the start of TEXT; what is no address ends them. */
void legacy_add_addresses(struct legacy_samples *samples, struct slice text);

/*
 * A name for the sample in hand. The first one takes the place of all its
 * addresses, which the names that follow are of.
 */
void legacy_add_name(struct legacy_samples *samples, struct slice name);

/* The sample in hand has no place: it is one more of the one before. */
void legacy_repeat(struct legacy_samples *samples);

/* What is at ADDRESS, exactly. */
void legacy_name(struct legacy_samples *samples, uint64_t address,
		 struct slice name);

/* A line of /proc/PID/maps, or "START-END: FILE"; false if it is neither. */
bool legacy_add_map(struct legacy_samples *samples, struct slice line);

/* Count all samples, and free everything. */
void legacy_finish(struct legacy_samples *samples);

#endif
