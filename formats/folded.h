/* SPDX-License-Identifier: MIT */
/*
 * folded.h - the parts that reading and writing folded stacks share.
 *
 *	# flametop: v1			our own files begin so; then sorted
 *	# comm=my%20server		keys, values with %XX for what would
 *	# roots=thread			end a value or a line
 *	worker;main;parse 12		root to leaf, one blank, an integer
 *	worker;main;read;vfs_read_[k] 3
 *
 * Whatever tells our files from others' is in the header: with roots=thread
 * the first frame is a thread's name. No header line ends in blank and
 * number, so no other reader takes it for a stack.
 *
 * A line that would begin with '#' or '%' begins with %23 or %25 instead,
 * and only there: it must not become a comment.
 */
#ifndef FORMATS_FOLDED_H
#define FORMATS_FOLDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base.h"
#include "core/profile.h"
#include "formats/count.h"
#include "formats/format.h"
#include "formats/lines.h"

/* What whoever has named another file may have meant. */
#define FOLDED_ELSE "; flametop -- COMMAND profiles a program"

/* --- header (folded_header.c) */

struct folded_header {
	bool is_ours;
	bool is_newer;		/* not version 1 */
	bool has_threads;	/* roots=thread */
	enum kind kind;		/* of all counts */
	pid_t pid;
	int scale;		/* counts are 10^SCALE times the truth */
};

/* Is it a file that folded_write() made, with its header? */
bool folded_is_ours(const char *bytes, size_t len);

/*
 * Read the header of a file of LEN bytes, if it is one of ours, into the keys
 * and losses of PROFILE.
 */
void folded_read_header(const char *bytes, size_t len, struct profile *profile,
			struct folded_header *header);

/*
 * A line of such a header without the "# " before it, as other formats of ours
 * keep it. HEADER begins zeroed; what comes before the version is let pass.
 */
void folded_read_line(struct slice line, struct profile *profile,
		      struct folded_header *header);

/*
 * Give EACH all lines of a header, without "# " and newline, in their order:
 * the keys and losses of PROFILE and its counts by blocks of time, which take
 * the place of those that it was read with.
 */
typedef void (*folded_line_fn)(void *ctx, const char *line);
void folded_each_line(struct profile *profile, struct names *names,
		      const struct folded_header *header, folded_line_fn each,
		      void *ctx);

/* --- lines and what their columns mean (folded_lines.c) */

enum folded_layout {
	LAYOUT_COUNT_LAST,	/* a;b 5 */
	LAYOUT_TWO_COUNTS,	/* a;b 3 5: a difference, before and after */
	LAYOUT_COUNT_FIRST,	/* 33.3% b;a: perf report -g folded */
	LAYOUT_NO_COUNTS,	/* a;b: one sample a line */
};

struct folded_line {
	struct slice stack;
	struct count count;
	bool is_extended;	/* more than flamegraph.pl would take */
};

/*
 * Cut LINE as LAYOUT says; false if it does not fit. Of two counts the first
 * stays with the stack.
 */
bool folded_split(struct slice line, enum folded_layout layout,
		  struct folded_line *out);

/* --- all lines together (folded_survey.c) */

/* What there is to know of a file before its first stack is kept. */
struct folded_survey {
	enum folded_layout layout;
	bool has_padding;	/* "a; b": a blank behind every semicolon */
	struct count_range range, before;
};

struct folded_unique;
struct folded_text;

/* Look at all lines. Fails when they are no folded stacks. */
bool folded_look(const struct folded_unique *unique, bool is_ours,
		 struct folded_survey *survey, struct error *err);

/* A text as the layout reads it: all of its lines at once. */
struct folded_stack {
	struct slice stack;
	unsigned __int128 sum;	/* of counts, in billionths */
	unsigned __int128 before; /* LAYOUT_TWO_COUNTS: of the first column */
	struct count_range range; /* of SUM */
	uint64_t extended;	/* lines */
};

/* Cut TEXT as LAYOUT says; false if it does not fit. */
bool folded_read_text(const struct folded_unique *unique,
		      const struct folded_text *text,
		      enum folded_layout layout, struct folded_stack *out);

/* --- both ends (folded_read.c, folded_write.c) */

bool folded_sniff(const void *bytes, size_t len);
bool folded_read(struct lines *lines, const struct read_options *options,
		 struct profile *profile, struct read_report *report,
		 struct error *err);
bool folded_write(FILE *out, struct profile *profile, struct names *names,
		  const struct write_options *options, struct error *err);

#endif
