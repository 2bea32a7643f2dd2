/* SPDX-License-Identifier: MIT */
/*
 * folded_unique.h - every different line of a file once.
 *
 * Profilers write the same stack again and again; a gigabyte of lines is
 * mostly some thousand stacks. What a line means is known only when all have
 * been seen (formats/folded_survey.c), so lines are kept as text, but each
 * stack once with the sum of its counts. Memory is that of what differs.
 */
#ifndef FORMATS_FOLDED_UNIQUE_H
#define FORMATS_FOLDED_UNIQUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/lookup.h"
#include "core/reader.h"
#include "formats/count.h"
#include "formats/lines.h"

struct folded_text {
	const char *at;		/* owned by the table */
	uint32_t len;
	uint32_t hash;
	bool has_count;		/* TEXT is a stack, its count is in SUM */
	bool is_odd;		/* ODDS has more of it */
	uint64_t sum;		/* of counts that are plain whole numbers */
	uint64_t times;		/* lines that were this */
	uint64_t line;		/* number of the first */
	uint64_t odd;		/* its row in ODDS */
};

/* Counts of one stack that are no plain whole numbers. */
struct folded_odd {
	struct count_range range;
	uint64_t extended;	/* lines that flamegraph.pl would not take */
};

/* Begins zeroed but for CUTS. */
struct folded_unique {
	bool cuts;		/* take counts off the ends of lines */
	struct folded_text *texts;	/* by first line until sorted */
	size_t ntexts, capacity;
	struct folded_odd *odds;
	size_t nodds, odd_capacity;
	struct lookup lookup;	/* of TEXTS */
	struct folded_block *blocks;	/* of bytes */
	struct writer comments;	/* lines that begin with '#', the first */
	uint64_t lines;		/* that were added, of any kind */
};

void folded_unique_fini(struct folded_unique *unique);

/* Add all lines of BLOCK but blank ones and comments. */
void folded_unique_add(struct folded_unique *unique, struct slice block);

/*
 * Sort the texts bytewise, after the last was added: stacks that begin alike
 * are neighbours then.
 */
void folded_unique_sort(struct folded_unique *unique);

/* The sum of TEXT's counts in billionths. */
unsigned __int128 folded_unique_sum(const struct folded_unique *unique,
				    const struct folded_text *text);

#endif
