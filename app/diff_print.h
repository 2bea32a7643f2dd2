/* SPDX-License-Identifier: MIT */
/*
 * diff_print.h - what a comparison found, for people and for programs.
 *
 * The JSON is one object:
 *
 *	format		"flametop diff", version 1
 *	base, other	files, samples, seconds, rate and cores (null: not
 *			known), blocks, block_seconds, inflation
 *	differs		is there a line with a verdict?
 *	p		of the two being the same but for chance
 *	notes		texts: what differs about the two sides
 *	functions	those with half a per cent on one side, the largest
 *			change first: name, verdict ("regressed", "improved",
 *			"new", "gone", "moved", "none", "unknown"), by ("total"
 *			or "self"), line (the function whose line tells this
 *			change), moved (the other name), path, and total and
 *			self: base, other, change, half (parts of 1), p,
 *			verdict, needs (how many times the samples there are)
 */
#ifndef APP_DIFF_PRINT_H
#define APP_DIFF_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/base.h"
#include "core/compare.h"
#include "core/profile.h"

#define NOTES_MAX 64

/* What differs about the two sides as such; texts are owned. */
struct diff_notes {
	char *at[NOTES_MAX];
	size_t count;
};

void diff_notes_fini(struct diff_notes *notes);

/* What the headers of both sides' first profiles tell apart. */
void diff_note_labels(struct diff_notes *notes, const struct profile *base,
		      const struct profile *other);

/* What the comparison knows about both. */
void diff_note_sides(struct diff_notes *notes,
		     const struct comparison *comparison);

/* What both are called; clean. */
struct diff_titles {
	char *base, *other;
};

void diff_print_text(FILE *out, const struct comparison *comparison,
		     const struct diff_titles *titles,
		     const struct diff_notes *notes);
void diff_print_json(FILE *out, const struct comparison *comparison,
		     const struct diff_titles *titles,
		     const struct diff_notes *notes);

/* Is a picture what a file of this name is to hold: by its suffix, .svg? */
bool diff_is_picture(const char *path);

/* The same as a picture in the file PATH, "-": standard output. */
bool diff_save_picture(const char *path, bool is_forced,
		       const struct comparison *comparison,
		       const struct diff_titles *titles, struct error *err);

/* All rows worth a word, the largest change first; the caller frees. */
uint32_t *diff_sorted(const struct comparison *comparison, size_t *count);

#endif
