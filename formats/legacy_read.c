/* SPDX-License-Identifier: MIT */
/*
 * legacy_read.c - pprof's old text forms, line by line.
 */
#include "formats/legacy.h"

#include <stdio.h>
#include <string.h>

#include "formats/frame_name.h"
#include "formats/legacy_counts.h"
#include "formats/legacy_samples.h"

struct load {
	struct legacy_counts counts;
	struct legacy_samples samples;
	bool is_maps;		/* mappings follow */
	bool was_thread;	/* the thread in hand has no address yet */
	uint64_t discarded;
};

/* --- lines of samples */

static bool
take_sample(struct load *load, struct slice line)
{
	const char *at = memchr(line.at, '@', line.len);
	uint64_t weight;

	if (!at || !legacy_weight(&load->counts, slice_of(line.at, at),
				  &weight))
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
	name = without_offset(without_blanks(name));
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
		load->counts.hz = (double)number;
	if (slice_is(key, "sampling period") && number)
		load->counts.period = (double)number;
	if (slice_is(key, "discarded samples"))
		load->discarded = number;
	return true;
}

/* --- threads */

/* "main/14748", or a name alone */
static thread_id
thread_of(struct load *load, struct slice name)
{
	struct stacks *stacks = &load->samples.stacks;
	const char *end = name.at + name.len;
	const char *slash = memrchr(name.at, '/', name.len);
	struct slice tid = slice_of(slash ? slash + 1 : end, end);
	uint64_t number;
	thread_id id;

	if (slash)
		name = slice_of(name.at, slash);
	if (!slice_number(tid, &number) || !number)
		return stacks_thread(stacks, name);
	id = profile_thread(stacks->profile, 0, (pid_t)(number & INT32_MAX),
			    0);
	profile_name_thread(stacks->profile, id,
			    frame_text(stacks->profile, name));
	return id;
}

/* "--- Thread 7f794ab90940 (name: main/14748) stack: ---" */
static void
take_thread(struct load *load, struct slice line)
{
	const char *name = slice_find(line, "(name: ");
	const char *close = slice_find(line, ") stack:");
	thread_id thread = 0;

	if (name && close && close > name + 7)
		thread = thread_of(load, slice_of(name + 7, close));
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
	else if (load->counts.form == LEGACY_THREADS)
		is_known = take_thread_line(load, line);
	else
		is_known = take_sample(load, line) ||
			   (load->counts.form == LEGACY_JAVA_HEAP &&
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
	const char *type = load->counts.types[load->counts.chosen];
	char text[160];

	profile_set(profile, "types",
		    legacy_list(&load->counts, text, sizeof(text)));
	profile_set(profile, "unit", strchr(type, '/') + 1);
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(type, "/"), type);
	profile_set(profile, "event", text);
	profile_losses(profile)->lost = load->discarded;
	read_note_count(report, load->counts.negatives,
			"negative counts taken as their size");
}

bool
legacy_sniff(const void *bytes, size_t len)
{
	struct lines lines = format_look(bytes, len);
	struct legacy_counts counts = { 0 };
	struct slice line;

	return lines_next_said(&lines, &line) && legacy_open(&counts, line);
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

	if (!lines_next_said(lines, &line) || !legacy_open(&load.counts, line))
		return fail(err, 0, "there is nothing in it");
	if (!legacy_choose(&load.counts, options->type, err))
		return false;
	if (load.counts.form == LEGACY_THREADS)
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
