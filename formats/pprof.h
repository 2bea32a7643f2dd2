/* SPDX-License-Identifier: MIT */
/*
 * pprof.h - profiles as Go's pprof and most services keep them.
 *
 * One protobuf message, gzipped or not (profile.proto of
 * https://github.com/google/pprof). Samples are lists of locations from the
 * leaf to the root, and everything is a number in a table:
 *
 *	sample   {location ids, a value for each type, labels}
 *	location {id, mapping, address, lines: function and line, innermost
 *		  first; all but the last are inlined}
 *	string   an index; 0 is ""
 *
 * Tables may come before or after the samples, so a file is read twice: for
 * the tables, which are kept, then for the samples, which are added up one by
 * one. All texts stay in the file's bytes. So memory is that of the tables
 * and of what differs, however many samples there are (formats/protobuf.h).
 *
 * Writers get it wrong in many ways, and a profile that is nearly right is
 * worth more than a refusal: what is missing is shown as missing and counted
 * in a note. Refused is what cannot be cut into fields, and two profiles one
 * behind the other, whose tables would be mixed up.
 */
#ifndef FORMATS_PPROF_H
#define FORMATS_PPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base.h"
#include "core/lookup.h"
#include "core/table.h"
#include "formats/folded.h"
#include "formats/format.h"
#include "formats/protobuf.h"

/* Numbers of fields, as far as they are used on both sides. */
enum {
	PROFILE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION,
	PROFILE_FUNCTION, PROFILE_STRING, PROFILE_DROP, PROFILE_KEEP,
	PROFILE_TIME, PROFILE_DURATION, PROFILE_PERIOD_TYPE, PROFILE_PERIOD,
	PROFILE_COMMENT, PROFILE_DEFAULT,

	TYPE_TYPE = 1, TYPE_UNIT,
	SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL,
	LABEL_KEY = 1, LABEL_TEXT, LABEL_NUMBER,
	MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_OFFSET,
	MAPPING_FILE, MAPPING_BUILD_ID, MAPPING_HAS_FUNCTIONS,
	MAPPING_HAS_FILES, MAPPING_HAS_LINES, MAPPING_HAS_INLINES,
	LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE,
	LINE_FUNCTION = 1, LINE_LINE,
	FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE,
};

/* Label keys that we write: the thread of a sample. */
#define PPROF_THREAD "thread"

/* What kind of code a mapping has, by its file. */
#define PPROF_KERNEL "[kernel.kallsyms]"
#define PPROF_JIT "[jit]"

/* --- tables (pprof_tables.c) */

struct pprof_type {
	uint64_t type, unit;		/* strings */
};

/* All rows that have an id begin so. */
struct pprof_row {
	uint64_t id;
	bool is_known;			/* false: row 0, for ids without one */
};

struct pprof_mapping {
	struct pprof_row row;
	uint64_t start, offset, file;
};

struct pprof_function {
	struct pprof_row row;
	uint64_t name, system_name;
};

enum pprof_cut { CUT_NOTHING, CUT_HERE, CUT_BELOW };

struct pprof_location {
	struct pprof_row row;
	uint64_t mapping, address;
	struct reader message;		/* for its lines */
	size_t first, count;		/* of pprof.frames, root to leaf */
	bool has_frames;		/* these two are known */
	enum pprof_cut cut;		/* by drop_frames: all of it, or what
					   it called */
};

struct pprof {
	struct slice *strings;
	size_t nstrings, strings_capacity;
	struct pprof_type *types;
	size_t ntypes, types_capacity;
	uint64_t *comments;		/* strings */
	size_t ncomments, comments_capacity;
	struct table mappings, functions, locations;
	uint64_t drop, keep, default_type;
	int64_t time_ns, duration_ns, period;
	struct pprof_type period_type;
	uint64_t nsamples;

	frame_id *frames;		/* of locations */
	size_t nframes, frames_capacity;

	/* What was wrong with it. */
	uint64_t missing_strings, missing_locations, missing_functions;
	uint64_t doubles;		/* ids given twice: the first counts */
	unsigned type_runs, times;	/* above 1: several profiles */
};

/* Is it one, to its last byte or as far as it goes? */
bool pprof_sniff(const void *bytes, size_t len);

/*
 * Read the tables of LEN bytes, which must stay, into PPROF; pprof_fini() is
 * due in any case.
 */
bool pprof_open(const void *bytes, size_t len, struct pprof *pprof,
		struct error *err);
void pprof_fini(struct pprof *pprof);

/*
 * String number INDEX; an empty one, counted, when there is none. 0 is what an
 * unset field has, so it is empty whatever the file says.
 */
struct slice pprof_string(struct pprof *pprof, uint64_t index);

/* The row with ID; row 0 when there is none. */
uint32_t pprof_row(struct table *table, uint64_t id);

/* --- of the whole (pprof_header.c) */

/*
 * The number of the counts that are WANTED (format.h); if none, those that
 * the file itself names, else the last, as pprof does.
 */
bool pprof_choose_type(struct pprof *pprof, const char *wanted,
		       size_t *chosen, struct read_report *report,
		       struct error *err);

/*
 * What the file says of itself as keys of PROFILE. HEADER is that of a file
 * that we wrote ourselves, else zeroed.
 */
void pprof_read_header(struct pprof *pprof, size_t type,
		       struct profile *profile,
		       struct folded_header *header);

/* --- what samples refer to (pprof_frames.c, pprof_prune.c, pprof_labels.c) */

/* Find the frames of LOCATION, if that is not done yet. */
void pprof_find_frames(struct pprof *pprof, struct profile *profile,
		       struct pprof_location *location);

/*
 * Find out which locations drop_frames and keep_frames cut off; all frames
 * are found then.
 */
void pprof_prune(struct pprof *pprof, struct profile *profile,
		 struct read_report *report);

/* Labels to threads; begins zeroed. */
struct pprof_labels {
	struct pprof *pprof;
	struct profile *profile;
	struct writer text;
	struct strings *sets;		/* of labels that stand for a thread */
	bool has_more;			/* than are kept */
	bool has_hidden;		/* labels beside a thread's */
};

/* The thread that the labels of a SAMPLE name; 0: none. */
thread_id pprof_thread(struct pprof_labels *labels, struct reader sample);
void pprof_labels_fini(struct pprof_labels *labels);

/* --- both ends (pprof_read.c, pprof_write.c) */

bool pprof_read(const void *bytes, size_t len,
		const struct read_options *options, struct profile *profile,
		struct read_report *report, struct error *err);
bool pprof_write(FILE *out, struct profile *profile, struct names *names,
		 const struct write_options *options, struct error *err);
#endif
