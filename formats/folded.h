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

/* Is it a file that folded_write_header() began? */
bool folded_is_ours(const char *bytes, size_t len);

/*
 * Read the header of a file of LEN bytes, if it is one of ours, into the keys
 * and losses of PROFILE.
 */
void folded_read_header(const char *bytes, size_t len, struct profile *profile,
			struct folded_header *header);

/*
 * The keys and losses of PROFILE as header lines. Its own keys of blocks give
 * way to BLOCKS, unless NULL.
 */
struct blocks;
void folded_write_header(FILE *out, struct profile *profile,
			 const struct folded_header *header,
			 const struct blocks *blocks);

/* --- lines and what their columns mean (folded_lines.c) */

enum folded_layout {
	LAYOUT_COUNT_LAST,	/* a;b 5 */
	LAYOUT_TWO_COUNTS,	/* a;b 3 5: a difference, before and after */
	LAYOUT_COUNT_FIRST,	/* 33.3% b;a: perf report -g folded */
	LAYOUT_NO_COUNTS,	/* a;b: one sample a line */
};

/* A cursor over lines. */
struct folded_lines {
	const char *at, *end;
	uint64_t number;	/* of the line taken last, from 1 */
};

/*
 * Take the next line that is neither blank nor a comment, without what ends
 * it: newline, carriage return, blanks. False at the end.
 */
bool folded_next(struct folded_lines *lines, struct slice *line);

struct folded_line {
	struct slice stack;
	struct count count;
	struct count before;	/* LAYOUT_TWO_COUNTS: the first column */
	bool is_extended;	/* more than flamegraph.pl would take */
};

/* Cut LINE as LAYOUT says; false if it does not fit. */
bool folded_split(struct slice line, enum folded_layout layout,
		  struct folded_line *out);

/* What there is to know of a file before its first stack is kept. */
struct folded_survey {
	enum folded_layout layout;
	bool has_padding;	/* "a; b": a blank behind every semicolon */
	struct count_range range, before;
};

/* Look through all LEN bytes. Fails when they are no folded stacks. */
bool folded_look(const char *bytes, size_t len, bool is_ours,
		 struct folded_survey *survey, struct error *err);

/* --- both ends (folded_read.c, folded_write.c) */

bool folded_sniff(const void *bytes, size_t len);
bool folded_read(const void *bytes, size_t len,
		 const struct read_options *options, struct profile *profile,
		 struct read_report *report, struct error *err);
bool folded_write(FILE *out, struct profile *profile, struct names *names,
		  const struct write_options *options, struct error *err);

#endif
