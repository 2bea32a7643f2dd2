/* SPDX-License-Identifier: MIT */
/*
 * legacy_read.c - pprof's old text forms, line by line.
 */
#include "formats/legacy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/sanitise.h"
#include "formats/frame_name.h"

/* Java's profiler takes a sample of so many bytes. */
#define JAVA_RATE 524288

enum form {
	FORM_NONE,
	FORM_COUNT,		/* "X profile: total N" */
	FORM_HEAP,		/* live and all; or live alone */
	FORM_CONTENTION,
	FORM_THREADS,
	FORM_JAVA_HEAP,
};

static const char *const heap_types[] = {
	"alloc_objects/count", "alloc_space/bytes", "inuse_objects/count",
	"inuse_space/bytes",
};
static const char *const live_types[] = { "objects/count", "space/bytes" };
static const char *const contention_types[] = {
	"contentions/count", "delay/nanoseconds",
};

struct load {
	struct legacy_samples samples;
	enum form form;
	const char *const *types;
	size_t ntypes, chosen;	/* the last one if none is wanted */
	char name[64];		/* "goroutine/count" */
	const char *name_row[1];
	double rate;		/* bytes a sample stands for; 0: not scaled */
	double period, hz;	/* of contention */
	bool is_maps;		/* mappings follow */
	uint64_t negatives, discarded;
	bool was_thread;	/* the thread in hand has no address yet */
};

/* --- the header */

static const char count_profile[] = " profile: total ";

static void
open_count(struct load *load, struct slice line)
{
	const char *end = slice_find(line, count_profile);
	char name[50];

	load->form = FORM_COUNT;
	sanitise_into(name, sizeof(name), line.at, (size_t)(end - line.at));
	snprintf(load->name, sizeof(load->name), "%s/count", name);
	load->name_row[0] = load->name;
	load->types = load->name_row;
	load->ntypes = 1;
}

/* All numbers in TEXT, up to MAX, signs and marks between let pass. */
static size_t
numbers(struct slice text, int64_t *values, size_t max)
{
	size_t count = 0;
	uint64_t number;
	bool is_negative;

	for (;;) {
		while (text.len && strchr(" \t:[]", *text.at)) {
			text.at++;
			text.len--;
		}
		if (!text.len)
			return count;
		is_negative = take_word(&text, "-");
		if (count == max || !take_decimal(&text, &number) ||
		    number > INT64_MAX)
			return 0;
		values[count++] = is_negative ? -(int64_t)number :
						(int64_t)number;
	}
}

/* "heap profile: 2: 8608 [4546: 22623008] @ heap/8192" */
static bool
open_heap(struct load *load, struct slice line)
{
	const char *at = slice_find(line, "@");
	struct slice text, kind;
	int64_t values[4];
	uint64_t rate = 0;
	bool is_heap, has_all;

	if (!take_word(&line, "heap profile:") || !at ||
	    numbers(slice_of(line.at, at), values, 4) != 4)
		return false;
	text = slice_of(at + 1, line.at + line.len);
	kind = take_first_word(&text);
	is_heap = take_word(&kind, "heapprofile") ||
		  take_word(&kind, "growthz") || take_word(&kind, "growth") ||
		  take_word(&kind, "fragmentationz");
	if (!is_heap) {
		bool is_v2 = take_word(&kind, "heapz_v2") ||
			     take_word(&kind, "heap_v2");

		if (!is_v2 && !take_word(&kind, "heap"))
			return false;
		if (take_word(&kind, "/"))
			take_decimal(&kind, &rate);
		load->rate = is_v2 ? (double)rate : (double)(rate / 2);
	}
	has_all = (values[2] && values[2] != values[0]) ||
		  (values[3] && values[3] != values[1]);
	load->form = FORM_HEAP;
	load->types = has_all ? heap_types : live_types;
	load->ntypes = has_all ? 4 : 2;
	return true;
}

static void
open_other(struct load *load, struct slice line)
{
	if (slice_starts(line, "--- threadz") ||
	    slice_starts(line, "--- Thread ")) {
		static const char *const types[] = { "thread/count" };

		load->form = FORM_THREADS;
		load->types = types;
		load->ntypes = 1;
	} else if (slice_starts(line, "--- heapz")) {
		load->form = FORM_JAVA_HEAP;
		load->types = heap_types + 2;
		load->ntypes = 2;
		load->rate = JAVA_RATE;
	} else if (slice_starts(line, "--- contention") ||
		   slice_starts(line, "--- mutex")) {
		load->form = FORM_CONTENTION;
		load->types = contention_types;
		load->ntypes = 2;
		load->period = 1;
	}
}

/* Is it the first line of such a file? */
static bool
open_form(struct load *load, struct slice line)
{
	struct slice words = line, word;
	const char *total = slice_find(line, count_profile);

	if (slice_starts(line, "heap profile:"))
		return open_heap(load, line);
	if (total) {
		word = take_first_word(&words);
		if (word.at + word.len == total)
			open_count(load, line);
	} else {
		open_other(load, line);
	}
	return load->form != FORM_NONE;
}

static bool
choose(struct load *load, const char *wanted, struct error *err)
{
	size_t i, len;
	char *end, list[160] = "";

	load->chosen = load->ntypes - 1;
	if (!*wanted || load->ntypes == 1)
		return true;
	for (i = 0; i < load->ntypes; i++) {
		len = strcspn(load->types[i], "/");
		if (strcasecmp(load->types[i], wanted) == 0 ||
		    (strlen(wanted) == len &&
		     strncasecmp(load->types[i], wanted, len) == 0) ||
		    (strtoul(wanted, &end, 10) == i + 1 && !*end)) {
			load->chosen = i;
			return true;
		}
		len = strlen(list);
		snprintf(list + len, sizeof(list) - len, " %s",
			 load->types[i]);
	}
	return fail(err, 0, "it has no counts called \"%.60s\"; --type takes "
		    "one of:%s", wanted, list);
}

/* --- values */

/*
 * Of allocations of SIZE bytes each one in so many is seen: what COUNT of
 * them stand for.
 */
static double
scale(double count, double size, double rate)
{
	if (!count || !size)
		return 0;
	return rate <= 1 ? 1 : 1 / (1 - exp(-size / count / rate));
}

static uint64_t
weight_of(struct load *load, double value)
{
	if (value < 0) {
		load->negatives++;
		value = -value;
	}
	return value >= 0x1p63 ? INT64_MAX : (uint64_t)value;
}

/* Live first in the file, all first in our order. */
static uint64_t
heap_weight(struct load *load, const int64_t *values)
{
	size_t pair = load->ntypes == 4 && load->chosen < 2 ? 2 : 0;
	double count = (double)values[pair], size = (double)values[pair + 1];
	double factor = load->rate ? scale(count, size, load->rate) : 1;

	return weight_of(load, factor * (load->chosen % 2 ? size : count));
}

static bool
sample_weight(struct load *load, struct slice text, uint64_t *weight)
{
	int64_t values[4];
	size_t count = numbers(text, values, 4);

	switch (load->form) {
	case FORM_COUNT:
		if (count != 1)
			return false;
		*weight = weight_of(load, (double)values[0]);
		return true;
	case FORM_HEAP:
		if (count != 4)
			return false;
		*weight = heap_weight(load, values);
		return true;
	case FORM_JAVA_HEAP:
		if (count != 2)
			return false;
		*weight = weight_of(load, (double)values[!load->chosen] *
				    scale((double)values[1], (double)values[0],
					  load->rate));
		return true;
	case FORM_CONTENTION:
		if (count != 2)
			return false;
		*weight = weight_of(load, (double)values[!load->chosen] *
				    load->period / (load->chosen && load->hz ?
						    load->hz / 1e9 : 1));
		return true;
	case FORM_THREADS:
	case FORM_NONE:
		break;
	}
	return false;
}

/* --- lines of samples */

static bool
take_sample(struct load *load, struct slice line)
{
	const char *at = memchr(line.at, '@', line.len);
	uint64_t weight;

	if (!at || !sample_weight(load, slice_of(line.at, at), &weight))
		return false;
	legacy_begin(&load->samples, weight, 0);
	legacy_add_addresses(&load->samples,
			     slice_of(at + 1, line.at + line.len));
	return true;
}

/* "#\t0x45da84\tmain.f+0x24\t\t/src/main.go:8" */
static void
take_go_frame(struct load *load, struct slice line)
{
	struct slice name;
	uint64_t address;

	if (!take_word(&line, "#\t0x") || !take_hex(&line, &address))
		return;
	name = without_blanks(line);
	if (memchr(name.at, '\t', name.len))
		name.len = (size_t)((char *)memchr(name.at, '\t', name.len) -
				    name.at);
	name = legacy_without_offset(without_blanks(name));
	if (name.len)
		legacy_add_name(&load->samples, name);
}

/* " 0x00000095 com.example.function095 (Source095.java:195)" */
static bool
take_java_name(struct load *load, struct slice line)
{
	struct slice text = without_blanks(line);
	const char *file;
	uint64_t address;

	if (!slice_starts(text, "0x") || !take_hex(&text, &address) ||
	    !text.len || !is_blank(*text.at))
		return false;
	text = without_blanks(text);
	file = memrchr(text.at, '(', text.len);
	if (file && file > text.at && is_blank(file[-1]))
		text = without_blanks(slice_of(text.at, file));
	legacy_name(&load->samples, address, text);
	return true;
}

/* "cycles/second=2096045812", "sampling period = 1" */
static bool
take_attribute(struct load *load, struct slice line)
{
	const char *equals = memchr(line.at, '=', line.len);
	struct slice key, value;
	uint64_t number = 0;

	if (!equals)
		return false;
	key = without_blanks(slice_of(line.at, equals));
	value = without_blanks(slice_of(equals + 1, line.at + line.len));
	take_decimal(&value, &number);
	if (slice_is(key, "cycles/second"))
		load->hz = (double)number;
	if (slice_is(key, "sampling period") && number)
		load->period = (double)number;
	if (slice_is(key, "discarded samples"))
		load->discarded = number;
	return true;
}

/* --- threads */

/* "--- Thread 7f794ab90940 (name: main/14748) stack: ---" */
static void
take_thread(struct load *load, struct slice line)
{
	struct profile *profile = load->samples.stacks.profile;
	const char *name = slice_find(line, "(name: "), *end = line.at +
				line.len;
	const char *close = slice_find(line, ") stack:"), *slash = NULL;
	thread_id thread = 0;
	struct slice tid;
	uint64_t number;

	if (name && close && close > name + 7) {
		name += 7;
		slash = memrchr(name, '/', (size_t)(close - name));
		end = slash ? slash : close;
		thread = profile_thread_named(profile,
			frame_text(profile, name, (size_t)(end - name)));
	}
	tid = slash ? slice_of(slash + 1, close) : (struct slice){ "", 0 };
	if (slash && take_decimal(&tid, &number) && !tid.len && number) {
		thread = profile_thread(profile, 0,
					(pid_t)(number & INT32_MAX), 0);
		profile_name_thread(profile, thread,
			frame_text(profile, name, (size_t)(end - name)));
	}
	if (load->was_thread)
		legacy_repeat(&load->samples);
	legacy_begin(&load->samples, 1, thread);
	load->was_thread = true;
}

/* "  PC:  0x00bc8f1c: helper(arg *)", "      0x7eff05b6d14e 0xbc8f1c" */
static bool
take_thread_frame(struct load *load, struct slice line)
{
	struct slice text = without_blanks(line), rest;
	uint64_t address;

	take_word(&text, "PC:");
	text = rest = without_blanks(text);
	if (!slice_starts(text, "0x") || !take_hex(&rest, &address))
		return false;
	load->was_thread = false;
	if (take_word(&rest, ": ")) {
		rest = without_blanks(rest);
		legacy_name(&load->samples, address, rest);
		legacy_add_address(&load->samples, address);
	} else {
		legacy_add_addresses(&load->samples, text);
	}
	return true;
}

static bool
take_thread_line(struct load *load, struct slice line)
{
	if (slice_starts(line, "--- Thread ")) {
		take_thread(load, line);
		return true;
	}
	if (slice_find(line, "creator:") || slice_starts(line, "----") ||
	    slice_find(line, "[same as previous thread]"))
		return true;
	return take_thread_frame(load, line);
}

/* --- the file */

static bool
is_maps_title(struct slice line)
{
	return slice_starts(line, "--- Memory map:") ||
	       slice_starts(line, "MAPPED_LIBRARIES:");
}

static void
take_line(struct load *load, struct slice line, uint64_t number)
{
	bool is_known;

	line = without_trailing_blanks(line);
	if (!line.len)
		return;
	if (is_maps_title(line)) {
		load->is_maps = true;
		return;
	}
	/* Comments: frames of Go, and numbers that nobody counts. */
	if (*line.at == '#') {
		take_go_frame(load, line);
		return;
	}
	if (load->is_maps)
		is_known = legacy_add_map(&load->samples, line) ||
			   take_attribute(load, line);
	else if (load->form == FORM_THREADS)
		is_known = take_thread_line(load, line);
	else
		is_known = take_sample(load, line) ||
			   (load->form == FORM_JAVA_HEAP &&
			    take_java_name(load, line)) ||
			   take_attribute(load, line);
	if (!is_known)
		stacks_ignore(&load->samples.stacks, number, 1);
}

static void
describe(struct load *load)
{
	struct profile *profile = load->samples.stacks.profile;
	struct read_report *report = load->samples.stacks.report;
	const char *type = load->types[load->chosen];
	char text[160] = "";
	size_t i, len;

	for (i = 0; i < load->ntypes; i++) {
		len = strlen(text);
		snprintf(text + len, sizeof(text) - len, "%s%s", i ? " " : "",
			 load->types[i]);
	}
	profile_set(profile, "types", text);
	profile_set(profile, "unit", strchr(type, '/') + 1);
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(type, "/"), type);
	profile_set(profile, "event", text);
	profile_losses(profile)->lost = load->discarded;
	if (load->negatives)
		read_note(report, "%llu negative counts taken as their size",
			  (unsigned long long)load->negatives);
}

/* The first line that is no comment. */
static bool
next_first(struct lines *lines, struct slice *line)
{
	while (lines_next(lines, line)) {
		*line = without_trailing_blanks(*line);
		if (line->len && *line->at != '#')
			return true;
	}
	return false;
}

bool
legacy_sniff(const void *bytes, size_t len)
{
	struct lines lines = lines_of(bytes, len < FORMAT_LOOK ? len :
							    FORMAT_LOOK);
	struct load load = { 0 };
	struct slice line;

	return next_first(&lines, &line) && open_form(&load, line);
}

bool
legacy_read(struct lines *lines, const struct read_options *options,
	    struct profile *profile, struct read_report *report,
	    struct error *err)
{
	struct load load = {
		.samples.stacks = { .profile = profile, .report = report },
	};
	bool ok = true;
	struct slice line;

	if (!next_first(lines, &line) || !open_form(&load, line))
		return fail(err, 0, "there is nothing in it");
	if (!choose(&load, options->type, err))
		return false;
	if (load.form == FORM_THREADS)
		take_thread_line(&load, line);
	while (lines_next(lines, &line))
		take_line(&load, line, lines->number);
	if (load.was_thread)
		legacy_repeat(&load.samples);
	report->lines = lines->number;
	describe(&load);
	if (!load.samples.nsamples)
		ok = fail(err, 0, "this profile has no sample");
	legacy_finish(&load.samples);
	return ok;
}
