/* SPDX-License-Identifier: MIT */
/*
 * speedscope.h - profiles as speedscope keeps them, in JSON.
 *
 *	{ "$schema": "https://www.speedscope.app/file-format-schema.json",
 *	  "shared": { "frames": [{ "name": "main" }, { "name": "parse" }] },
 *	  "profiles": [
 *	    { "type": "sampled", "name": "worker", "unit": "none",
 *	      "startValue": 0, "endValue": 5,
 *	      "samples": [[0, 1], [0]], "weights": [3, 2] },
 *	    { "type": "evented", ...
 *	      "events": [{ "type": "O", "at": 0, "frame": 0 },
 *			 { "type": "C", "at": 7, "frame": 0 }] } ] }
 *
 * Stacks are root first. Several profiles are mostly threads of one, and are
 * read as such; of several units one is read. Events need not nest in real
 * files: what closes a frame that is not on top closes those above it, what
 * closes one that is not open is dropped, both are counted.
 *
 * https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources
 */
#ifndef FORMATS_SPEEDSCOPE_H
#define FORMATS_SPEEDSCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "formats/count.h"
#include "formats/folded.h"
#include "formats/format.h"
#include "formats/jscan.h"

#define SPEEDSCOPE_SCHEMA "https://www.speedscope.app/file-format-schema.json"

/* Our own member of the whole: lines of a folded header. */
#define SPEEDSCOPE_HEADER "flametop"

/* --- where things are in a file (speedscope_file.c) */

/* One of "profiles"; a cursor with AT NULL: there is none. */
struct speedscope_profile {
	struct slice name, unit;	/* as written, with escapes */
	bool is_evented;
	struct jscan samples, weights;	/* at their '[' */
	struct jscan events;
	struct count end;		/* endValue */
};

struct speedscope {
	struct jscan frames;
	struct jscan header;		/* SPEEDSCOPE_HEADER */
	struct slice name;
	size_t active;			/* activeProfileIndex, or 0 */
	struct speedscope_profile *profiles;
	size_t nprofiles, capacity;
};

bool speedscope_sniff(const void *bytes, size_t len);

/* Find them; speedscope_fini() is due in any case. */
bool speedscope_open(const char *bytes, size_t len, struct speedscope *file,
		     struct error *err);
void speedscope_fini(struct speedscope *file);

/* An event; false, with J failed, if it is damaged. */
struct speedscope_event {
	bool is_open;
	struct count at;
	size_t frame;
};
bool speedscope_event(struct jscan *j, struct speedscope_event *event);

/* The next value as a number; false, with COUNT zeroed, if it is none. */
bool speedscope_count(struct jscan *j, struct count *count);

/* The next value as a place in a list; SIZE_MAX if it is none. */
size_t speedscope_index(struct jscan *j);

/* --- both ends (speedscope_read.c, speedscope_write.c) */

bool speedscope_read(const void *bytes, size_t len,
		     const struct read_options *options,
		     struct profile *profile, struct read_report *report,
		     struct error *err);
bool speedscope_write(FILE *out, struct profile *profile,
		      struct names *names,
		      const struct write_options *options, struct error *err);

#endif
