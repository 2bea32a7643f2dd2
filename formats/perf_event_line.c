/* SPDX-License-Identifier: MIT */
/*
 * perf_event_line.c - which thread, when, how much of what.
 */
#include "formats/perf_script.h"

#include <ctype.h>
#include <string.h>

/* The kernel's bound on a thread's name, without the NUL. */
#define COMM_MAX 15

static bool
is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* --- left of the time */

/* "[003]" */
static bool
is_cpu(struct slice word)
{
	uint64_t number;

	return take_word(&word, "[") && take_decimal(&word, &number) &&
	       slice_is(word, "]");
}

/* The column "misc": user or kernel, guest, switched out and in. */
static bool
is_misc(struct slice word)
{
	size_t i;

	for (i = 0; i < word.len; i++)
		if (!is_among(word.at[i], "UKHGgMSspE"))
			return false;
	return word.len > 0;
}

/* "812/815", "815", and "-1" for none. */
static bool
read_ids(struct slice word, struct perf_event *event)
{
	struct slice rest = word;

	if (slice_is(word, "-1")) {
		event->has_tid = true;
		event->tid = 0;
		return true;
	}
	if (!take_decimal(&rest, &event->tid))
		return false;
	event->has_tid = true;
	if (!rest.len)
		return true;
	event->pid = event->tid;
	event->has_pid = take_word(&rest, "/");
	if (!event->has_pid)
		return false;
	return slice_is(rest, "-1") || slice_number(rest, &event->tid);
}

/* What stands left of the time, or of the period: comm ids [cpu] misc. */
static void
read_left(struct slice left, struct perf_event *event)
{
	struct slice rest = without_trailing_blanks(left), word, before;

	event->comm = (struct slice){ 0 };
	event->has_tid = event->has_pid = false;
	before = rest;
	word = take_last_word(&rest);
	if (is_misc(word)) {
		before = rest;
		word = take_last_word(&rest);
	}
	if (is_cpu(word)) {
		before = rest;
		word = take_last_word(&rest);
	}
	if (!read_ids(word, event)) {
		rest = before;
		event->has_tid = event->has_pid = false;
		event->pid = event->tid = 0;
	}
	event->comm = without_blanks(rest);
}

/* --- right of the time */

static bool
is_name_byte(char byte)
{
	return byte > ' ' && byte != ';' && byte != 0x7f;
}

/*
 * "cpu-clock:ppp:" or "sched:sched_switch:" at the start of TEXT: a word that
 * ends in a colon. A name in spaces is none that perf makes up.
 */
static bool
read_name(struct slice text, struct perf_event *event)
{
	size_t len = 0;

	while (len < text.len && is_name_byte(text.at[len]))
		len++;
	if (len < 2 || text.at[len - 1] != ':' || text.at[0] == ':')
		return false;
	if (len < text.len && !is_blank(text.at[len]))
		return false;
	event->name = (struct slice){ text.at, len - 1 };
	event->rest = without_blanks((struct slice){ text.at + len,
						     text.len - len });
	return true;
}

static bool
read_right(struct slice right, struct perf_event *event)
{
	struct slice text = without_blanks(right), word = text;

	event->period = 1;
	event->is_record = slice_starts(text, "PERF_RECORD_");
	if (event->is_record) {
		event->name = take_first_word(&word);
		event->rest = word;
		return true;
	}
	if (take_decimal(&word, &event->period)) {
		if (!word.len || is_blank(*word.at))
			text = without_blanks(word);
		else
			event->period = 1;
	}
	return read_name(text, event);
}

/* --- the time */

/* Nanoseconds of "1596.336683", with as many decimals as there are. */
static uint64_t
time_of(struct slice seconds, struct slice decimals)
{
	uint64_t whole = 0, part = 0, unit = 100000000;
	size_t i;

	take_decimal(&seconds, &whole);
	for (i = 0; i < decimals.len && i < 9; i++, unit /= 10)
		part += (uint64_t)(decimals.at[i] - '0') * unit;
	return whole > UINT64_MAX / 1000000000 - 1 ? 0 :
	       whole * 1000000000 + part;
}

/*
 * The word of a time whose colon is the first at or behind AT: START is where
 * it begins. NULL when there is no more in LINE.
 */
static const char *
next_time(struct slice line, const char *at, const char **start,
	  uint64_t *time_ns)
{
	const char *end = line.at + line.len, *colon, *point, *first;

	for (; at < end; at = colon + 1) {
		colon = memchr(at, ':', (size_t)(end - at));
		if (!colon)
			return NULL;
		if (colon + 1 < end && !is_blank(colon[1]))
			continue;
		for (point = colon; point > line.at && is_digit(point[-1]);)
			point--;
		if (point == colon || point == line.at || point[-1] != '.')
			continue;
		for (first = point - 1; first > line.at && is_digit(first[-1]);)
			first--;
		if (first == point - 1 ||
		    (first > line.at && !is_blank(first[-1])))
			continue;
		*start = first;
		*time_ns = time_of(slice_of(first, point - 1),
				   slice_of(point, colon));
		return colon;
	}
	return NULL;
}

/*
 * A thread may be called like a time, and so may what a tracepoint says. As
 * no thread's name is longer than COMM_MAX, the last time that leaves one no
 * longer than that is the time.
 */
bool
perf_event_read(struct slice line, struct perf_event *event)
{
	const char *end = line.at + line.len, *colon = line.at, *start;
	struct perf_event one = { .has_time = true };
	bool found = false;

	while ((colon = next_time(line, colon, &start, &one.time_ns))) {
		colon++;
		read_left(slice_of(line.at, start), &one);
		if (!read_right(slice_of(colon, end), &one))
			continue;
		if (found && one.comm.len > COMM_MAX)
			break;
		*event = one;
		found = true;
	}
	return found && !memchr(event->comm.at ? event->comm.at : "", ';',
				event->comm.len);
}

/* perf prints periods in columns of this width, ids in narrower ones. */
#define PERIOD_WIDTH 10

/*
 * A period may stand before the name: it is behind an id or a CPU, or has a
 * period's width.
 */
static void
read_left_of_name(struct slice left, struct perf_event *event)
{
	struct slice rest = without_trailing_blanks(left), more;
	struct slice word = take_last_word(&rest);
	struct perf_event probe = { 0 };
	uint64_t period;

	more = rest;
	read_left(rest, &probe);
	if (slice_number(word, &period) &&
	    (word.at + word.len >= rest.at + rest.len + PERIOD_WIDTH + 1 ||
	     is_cpu(take_last_word(&more)) || probe.has_tid)) {
		event->period = period;
		left = rest;
	}
	read_left(left, event);
}

bool
perf_event_read_timeless(struct slice line, struct perf_event *event)
{
	const char *end = line.at + line.len, *at = line.at, *colon, *first;
	struct perf_frame frame;

	*event = (struct perf_event){ .period = 1 };
	for (; (colon = memchr(at, ':', (size_t)(end - at))); at = colon + 1) {
		if (colon + 1 < end && !is_blank(colon[1]))
			continue;
		for (first = colon; first > line.at && is_name_byte(first[-1]);)
			first--;
		if (first == line.at || isdigit((unsigned char)*first) ||
		    !read_name(slice_of(first, end), event))
			continue;
		read_left_of_name(slice_of(line.at, first), event);
		if (!event->rest.len ||
		    perf_frame_read_inline(event->rest, &frame))
			return !memchr(line.at, ';', line.len);
		if (event->has_tid && event->comm.len <= COMM_MAX)
			return !memchr(line.at, ';', line.len);
	}
	return false;
}
