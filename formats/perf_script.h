/* SPDX-License-Identifier: MIT */
/*
 * perf_script.h - the text that perf script prints.
 *
 *	wrk 1 (x/y) 812/815 [003]  1596.336683:    1001001 cpu-clock:ppp:
 *		    7f58732a5778 memmove+0x58 (/usr/lib/libc.so.6 (deleted))
 *		    7f58732923aa parse<a b>(int) (/srv/app)
 *		    7f58732923aa main (inlined)
 *
 * A line of the event, then frames, leaf first, then a blank line. Which
 * columns there are is up to who ran perf; a thread's name is up to 15 bytes
 * of anything, so the line is read from the time leftwards. simpleperf's
 * report_sample.py prints the same.
 *
 * There is no written grammar: this follows what perf 3.13 to 6.8 print.
 */
#ifndef FORMATS_PERF_SCRIPT_H
#define FORMATS_PERF_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile.h"
#include "formats/format.h"
#include "formats/lines.h"

struct perf_event {
	struct slice comm;
	uint64_t pid, tid;
	bool has_pid, has_tid, has_time;
	uint64_t time_ns;
	uint64_t period;	/* 1 when the line has none */
	struct slice name;	/* without modifiers' colons behind it */
	struct slice rest;	/* what follows the name */
	bool is_record;		/* PERF_RECORD_...: no sample */
};

/* Read LINE as the line of an event that has a time. */
bool perf_event_read(struct slice line, struct perf_event *event);

/*
 * The same without a time, where less tells an event from noise: it has a
 * thread, or its name ends the line.
 */
bool perf_event_read_timeless(struct slice line, struct perf_event *event);

struct perf_frame {
	uint64_t ip;
	struct slice symbol;	/* without offset; "[unknown]" as it is */
	struct slice dso;	/* empty if none is told */
	bool is_inlined;
};

/* Read LINE, which begins with a blank, as a frame. */
bool perf_frame_read(struct slice line, struct perf_frame *frame);

/* The same of what follows an event's name, where columns are fewer. */
bool perf_frame_read_inline(struct slice rest, struct perf_frame *frame);

/* Would nobody write a folded stack like LINE, but perf this frame? */
bool perf_frame_is_sure(struct slice line);

bool perf_script_sniff(const void *bytes, size_t len);
bool perf_script_read(struct lines *lines, const struct read_options *options,
		      struct profile *profile, struct read_report *report,
		      struct error *err);

#endif
