/* SPDX-License-Identifier: MIT */
/*
 * legacy.h - the text that profilers wrote before there was profile.proto.
 *
 *	heap profile: 2: 8608 [4546: 22623008] @ heap/8192
 *	1: 8192 [1: 8192] @ 0x4a73e8 0x4a705d
 *	#	0x4a73e7	hash/crc32.slicingMakeTable+0x27	crc32.go:59
 *
 *	--- contention:			goroutine profile: total 6
 *	cycles/second=2096045812	1 @ 0x42d836 0x45da85
 *	3153170286 4374 @ 0x467dc9
 *
 * Values, then addresses, leaf first; what is known of these comes behind:
 * lines of the same sample (Go), a table of names (Java), or the mappings of
 * the process. Go's debug handlers still answer so; gperftools too. Values
 * are scaled as Go's pprof does (profile/legacy_profile.go).
 */
#ifndef FORMATS_LEGACY_H
#define FORMATS_LEGACY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/reader.h"
#include "formats/format.h"
#include "formats/stacks.h"

bool legacy_sniff(const void *bytes, size_t len);
bool legacy_read(struct lines *lines, const struct read_options *options,
		 struct profile *profile, struct read_report *report,
		 struct error *err);

/* Stacks of all goroutines, as a crash or ?debug=2 prints them. */
bool goroutines_sniff(const void *bytes, size_t len);
bool goroutines_read(struct lines *lines, const struct read_options *options,
		     struct profile *profile, struct read_report *report,
		     struct error *err);

/* --- inside: samples whose names may come later (legacy_samples.c) */

#define LEGACY_VALUES 4

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

/* "main.parse+0x24" without what is behind the plus. */
struct slice legacy_without_offset(struct slice name);

#endif
