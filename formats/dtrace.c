/* SPDX-License-Identifier: MIT */
/*
 * dtrace.c - aggregated stacks into a profile.
 */
#include "formats/dtrace.h"

#include <string.h>

#include "formats/frame_name.h"
#include "formats/stacks.h"

/* Frames are indented so far at least; keys by two blanks. */
#define FRAME_INDENT 8

struct load {
	struct stacks stacks;
	thread_id thread;
	bool has_header;	/* its line has come, a probe's may follow */
};

static size_t
indent_of(struct slice line)
{
	size_t i = 0;

	while (i < line.len && is_blank(line.at[i]))
		i++;
	return line.len && line.at[0] == '\t' ? i * FRAME_INDENT : i;
}

/* "genunix`kmem_alloc+0x20", "0x18bc3a010", "libc.so.1`0xfe3ad1" */
static bool
is_frame(struct slice line)
{
	struct slice text = without_blanks(line);
	uint64_t number;

	if (indent_of(line) < FRAME_INDENT || !text.len)
		return false;
	return memchr(text.at, '`', text.len) || slice_find(text, "+0x") ||
	       (slice_starts(text, "0x") && take_hex(&text, &number) &&
		!text.len);
}

/* Modules of kernels that have a DTrace. */
static bool
is_kernel(struct slice name)
{
	static const char *const modules[] = { "unix`", "genunix`", "kernel`",
					       "mach_kernel`" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(modules); i++)
		if (slice_starts(name, modules[i]))
			return true;
	return false;
}

static void
add_frame(struct load *load, struct slice text)
{
	struct slice name = without_offset(text);

	stacks_add(&load->stacks,
		   frame_named(load->stacks.profile, name,
			       is_kernel(name) ? FRAME_KERNEL : FRAME_CODE));
}

static void
take_count(struct load *load, uint64_t count)
{
	stacks_count(&load->stacks, stacks_leaf_first(&load->stacks),
		     load->thread, count, 1);
	load->thread = 0;
}

static void
take_line(struct load *load, struct slice line, uint64_t number)
{
	struct slice text = without_blanks(line), words = text;
	uint64_t count;

	if (!text.len)
		return;
	if (slice_starts(text, "CPU ") && slice_find(text, "FUNCTION:NAME")) {
		load->has_header = true;
	} else if (load->stacks.depth && slice_number(text, &count)) {
		take_count(load, count);
	} else if (indent_of(line) >= FRAME_INDENT) {
		add_frame(load, text);
	} else if (load->has_header &&
		   slice_number(take_first_word(&words), &count) &&
		   slice_number(take_first_word(&words), &count)) {
		return;		/* a CPU, a probe's number and name */
	} else if (is_blank(*line.at) && !load->stacks.depth) {
		load->thread = stacks_thread(&load->stacks, text);
	} else {
		stacks_ignore(&load->stacks, number, 1);
	}
}

bool
dtrace_sniff(const void *bytes, size_t len)
{
	struct lines lines = format_look(bytes, len);
	bool was_frame = false;
	struct slice line;
	uint64_t count;

	while (lines_next(&lines, &line)) {
		if (was_frame && is_blank(*line.at) &&
		    slice_number(without_blanks(line), &count))
			return true;
		if (without_blanks(line).len)
			was_frame = is_frame(line);
	}
	return false;
}

bool
dtrace_read(struct lines *lines, const struct read_options *options,
	    struct profile *profile, struct read_report *report,
	    struct error *err)
{
	struct load load = {
		.stacks = { .profile = profile, .report = report },
	};
	bool ok = true;
	struct slice line;

	(void)options;
	while (lines_next(lines, &line))
		take_line(&load, line, lines->number);
	report->lines = lines->number;
	if (!load.stacks.ncounted)
		ok = fail(err, 0, "DTrace's output has no stack with a count");
	stacks_fini(&load.stacks);
	return ok;
}
