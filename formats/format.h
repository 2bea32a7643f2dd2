/* SPDX-License-Identifier: MIT */
/*
 * format.h - profile <-> bytes, one row for each format.
 *
 * Readers are told apart by content, never by suffix. They run in the symbols
 * process, on what a source gives; writers run in the app, on a FILE the caller
 * opened. No format opens, names or removes a file.
 */
#ifndef FORMATS_FORMAT_H
#define FORMATS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base.h"
#include "core/names.h"
#include "core/profile.h"
#include "formats/gzip.h"
#include "formats/lines.h"

/* What a reader ignored or had to stretch, for one line to the user. */
struct read_report {
	uint64_t lines, ignored, extended, duplicates, empties;
	uint64_t first_ignored[3];	/* different lines' numbers from 1;
					   0: none */
	char note[200];			/* e.g. "looks like an SVG"; or "" */
};

/* One more clause of REPORT's note. */
void read_note(struct read_report *report, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The same of COUNT things that are WHAT, if there are any. */
void read_note_count(struct read_report *report, uint64_t count,
		     const char *what);
#define READ_NEGATIVES \
	"negative counts taken as their size: this is a difference"

/* What to take of a file that holds more than one thing. */
struct read_options {
	/*
	 * Which counts, by the name that the file has for them ("cpu",
	 * "inuse_space"), with "/unit" behind it if need be, or their number
	 * from 1; "": what the file or its format names first. A file whose
	 * counts are of one kind takes no notice.
	 */
	char type[64];
};

/* Are counts called TYPE, in UNIT, the file's number NUMBER from 0, WANTED? */
bool read_type_is_wanted(const char *wanted, struct slice type,
			 struct slice unit, size_t number);

struct write_options {
	enum kind kind;			/* which counts; one file holds one */
	bool header;			/* the "# key=value" lines */
	bool threads;			/* thread's name as first frame */
};

/* No more of a file is looked at to find out its format. */
#define FORMAT_LOOK ((size_t)64 << 10)

/* The lines of that, of a file that begins with LEN bytes. */
struct lines format_look(const void *bytes, size_t len);

struct format {
	const char *name;		/* "folded" */
	const char *suffix;		/* ".folded" */

	/*
	 * Does this look like it? LEN bytes from the start of the file. NULL:
	 * it is written only.
	 */
	bool (*sniff)(const void *bytes, size_t len);
	bool is_sure;			/* nothing else looks like it */

	/* One of the two reads it: all of it, or a line at a time. */
	bool (*read)(const void *bytes, size_t len,
		     const struct read_options *options,
		     struct profile *profile, struct read_report *report,
		     struct error *err);
	bool (*read_lines)(struct lines *lines,
			   const struct read_options *options,
			   struct profile *profile, struct read_report *report,
			   struct error *err);

	/*
	 * NULL: it is read only. False on a write error (errno); the caller
	 * removes the file.
	 */
	bool (*write)(FILE *out, struct profile *profile, struct names *names,
		      const struct write_options *options, struct error *err);
};

extern const struct format format_folded, format_perf_script, format_bpftrace,
	format_dtrace, format_legacy, format_goroutines, format_pprof,
	format_speedscope, format_svg;

/*
 * Read LEN bytes of any known format, gzipped or not, into PROFILE. What is
 * none of them is named for what it is (perf.data, SVG, zstd …) with the
 * command that helps.
 */
bool format_read(const void *bytes, size_t len, struct profile *profile,
		 struct read_report *report, struct error *err);

/* The same with a choice. */
bool format_read_as(const void *bytes, size_t len,
		    const struct read_options *options,
		    struct profile *profile, struct read_report *report,
		    struct error *err);

/*
 * The same of what SOURCE gives. Of text no more than a part is in memory;
 * the other formats are, up to a bound.
 */
bool format_read_from(const struct source *source,
		      const struct read_options *options,
		      struct profile *profile, struct read_report *report,
		      struct error *err);

/* The format that PATH's suffix asks for (".gz" cut off); NULL if none. */
const struct format *format_by_suffix(const char *path, bool *is_gzip);

#endif
