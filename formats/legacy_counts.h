/* SPDX-License-Identifier: MIT */
/*
 * legacy_counts.h - which counts a profile in pprof's old text has.
 *
 * Its first line tells. Of what is sampled, so many bytes or cycles stand for
 * each, the values are scaled as Go's pprof does (profile/legacy_profile.go).
 */
#ifndef FORMATS_LEGACY_COUNTS_H
#define FORMATS_LEGACY_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "formats/lines.h"

enum legacy_form {
	LEGACY_NONE,
	LEGACY_COUNT,		/* "X profile: total N" */
	LEGACY_HEAP,		/* live and all; or live alone */
	LEGACY_CONTENTION,
	LEGACY_THREADS,
	LEGACY_JAVA_HEAP,
};

/* Begins zeroed; stays where it was opened, since TYPES may point into it. */
struct legacy_counts {
	enum legacy_form form;
	const char *const *types;	/* "inuse_space/bytes" */
	size_t ntypes, chosen;		/* the last one if none is wanted */
	char name[64];			/* "goroutine/count" */
	const char *name_row[1];
	double rate;		/* bytes a sample stands for; 0: not scaled */
	double period, hz;	/* of contention */
	uint64_t negatives;
};

/* Is LINE the first of such a file? */
bool legacy_open(struct legacy_counts *counts, struct slice line);

/* Their names, "objects/count space/bytes", into TEXT, which is returned. */
const char *legacy_list(const struct legacy_counts *counts, char *text,
			size_t size);

/* Choose the counts that are WANTED (format.h). */
bool legacy_choose(struct legacy_counts *counts, const char *wanted,
		   struct error *err);

/* What the values in TEXT, those of a sample, count; false if they are none. */
bool legacy_weight(struct legacy_counts *counts, struct slice text,
		   uint64_t *weight);

#endif
