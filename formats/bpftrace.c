/* SPDX-License-Identifier: MIT */
/*
 * bpftrace.c - maps keyed by stacks into a profile.
 *
 * One map is read, the one chosen or the first whose values are counts: a
 * count of calls and a sum of bytes have no sum.
 */
#include "formats/bpftrace.h"

#include <inttypes.h>
#include <string.h>

#include "core/reader.h"
#include "formats/frame_name.h"
#include "formats/perf_script.h"
#include "formats/stacks.h"

#define MAP_NAME_MAX 63

struct load {
	struct stacks stacks;
	const char *wanted;	/* map's name, with or without @; or "" */
	char map[MAP_NAME_MAX + 1]; /* that is read, once one is */
	bool has_map;

	char name[MAP_NAME_MAX + 1]; /* of the entry in hand */
	bool is_open;		/* inside "@[" */
	bool has_started;	/* something of its key has come */
	uint64_t line;		/* where it began */
	struct writer keys;	/* its other keys, a comma between */
	uint64_t others;	/* entries of other maps */
};

/* "@", "@stacks" and the like at the start of LINE, and "[" behind it. */
static bool
take_map(struct slice *line, struct slice *name)
{
	size_t len = 1;

	if (!slice_starts(*line, "@"))
		return false;
	while (len < line->len && len < MAP_NAME_MAX &&
	       is_among(line->at[len], "_abcdefghijklmnopqrstuvwxyz"
			"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
		len++;
	if (len == line->len || line->at[len] != '[')
		return false;
	*name = (struct slice){ line->at, len };
	line->at += len + 1;
	line->len -= len + 1;
	return true;
}

/* --- keys */

static void
add_key(struct load *load, struct slice key)
{
	key = without_blanks(key);
	if (!key.len)
		return;
	if (load->keys.len)
		writer_bytes(&load->keys, ", ", 2);
	writer_bytes(&load->keys, key.at, key.len);
}

/* "read+17" without what is behind the plus. */
static struct slice
without_decimal(struct slice name)
{
	size_t at = name.len;

	while (at && name.at[at - 1] >= '0' && name.at[at - 1] <= '9')
		at--;
	if (at > 1 && at < name.len && name.at[at - 1] == '+')
		name.len = at - 1;
	return name;
}

/* In the mode "perf" frames are as perf script prints them. */
static void
add_frame(struct load *load, struct slice line)
{
	struct slice name = without_decimal(without_blanks(line));
	enum frame_kind kind = FRAME_CODE;
	struct perf_frame frame;

	if (perf_frame_is_sure(line) && perf_frame_read(line, &frame))
		name = without_decimal(frame.symbol);
	if (slice_ends(name, " (inlined)")) {
		name.len -= strlen(" (inlined)");
		name = without_decimal(name);
		kind = FRAME_INLINED;
	}
	if (name.len)
		stacks_add(&load->stacks,
			   frame_named(load->stacks.profile, name, kind));
}

/* --- entries */

static bool
is_choice(const struct load *load)
{
	const char *wanted = load->wanted;

	if (load->has_map)
		return strcmp(load->map, load->name) == 0;
	return !*wanted || strcmp(load->name, wanted) == 0 ||
	       strcmp(load->name + 1, wanted) == 0;
}

static thread_id
thread_of(struct load *load)
{
	struct slice keys = { (const char *)load->keys.bytes, load->keys.len };

	return keys.len ? stacks_thread(&load->stacks, keys) : 0;
}

/* VALUE stands behind the key: count it, if it is a count. */
static void
close_entry(struct load *load, struct slice value)
{
	struct stacks *stacks = &load->stacks;
	uint64_t weight;

	load->is_open = false;
	if (!slice_number(without_blanks(value), &weight)) {
		stacks_ignore(stacks, load->line, 1);
		stacks->depth = 0;
		return;
	}
	if (!is_choice(load)) {
		load->others++;
		stacks->depth = 0;
		return;
	}
	memcpy(load->map, load->name, sizeof(load->map));
	load->has_map = true;
	stacks_count(stacks, stacks_leaf_first(stacks), thread_of(load),
		     weight, 1);
}

static void
open_entry(struct load *load, struct slice name, uint64_t line)
{
	memcpy(load->name, name.at, name.len);
	load->name[name.len] = '\0';
	load->is_open = true;
	load->line = line;
	load->keys.len = 0;
	load->stacks.depth = 0;
}

/* The last "]: " of LINE, which a key may hold as well. */
static const char *
find_value(struct slice line)
{
	const char *at = NULL, *next = line.at, *end = line.at + line.len;

	while ((next = memmem(next, (size_t)(end - next), "]: ", 3)))
		at = next++;
	return at;
}

/* What is behind the bracket or on a line of its own: ", comm]: 12". */
static void
take_keys(struct load *load, struct slice line)
{
	const char *value = find_value(line), *end = line.at + line.len;
	struct slice keys = value ? slice_of(line.at, value) : line;

	take_word(&keys, ",");
	if (slice_ends(keys, ","))
		keys.len--;
	add_key(load, keys);
	if (value)
		close_entry(load, slice_of(value + 3, end));
}

static void
take_line(struct load *load, struct slice line, uint64_t number)
{
	struct slice name, rest = line;

	if (take_map(&rest, &name)) {
		if (load->is_open)
			stacks_ignore(&load->stacks, load->line, 1);
		open_entry(load, name, number);
		take_keys(load, rest);
	} else if (!load->is_open) {
		if (without_blanks(line).len)
			stacks_ignore(&load->stacks, number, 1);
	} else if (line.len && is_blank(*line.at)) {
		add_frame(load, line);
	} else {
		take_keys(load, line);
	}
}

/* --- the file */

/* A key that holds a stack, if only an empty one, stands on several lines. */
bool
bpftrace_sniff(const void *bytes, size_t len)
{
	struct lines lines = format_look(bytes, len);
	bool is_inside = false;
	struct slice line, name;

	while (lines_next(&lines, &line)) {
		if (is_inside && line.len &&
		    (is_blank(*line.at) || slice_starts(line, ", ") ||
		     slice_starts(line, "]: ")))
			return true;
		is_inside = take_map(&line, &name);
		if (is_inside && slice_starts(line, ", ") && find_value(line))
			return true;
		is_inside &= !find_value(line);
	}
	return false;
}

bool
bpftrace_read(struct lines *lines, const struct read_options *options,
	      struct profile *profile, struct read_report *report,
	      struct error *err)
{
	struct load load = {
		.stacks = { .profile = profile, .report = report },
		.wanted = options->type,
	};
	bool ok = true;
	struct slice line;

	while (lines_next(lines, &line))
		take_line(&load, line, lines->number);
	report->lines = lines->number;
	if (load.others && load.has_map)
		read_note(report, "only map %.40s is read: %" PRIu64
			  " entries of others are not", load.map,
			  load.others);
	if (load.has_map && load.map[1])
		profile_set(profile, "event", load.map);
	if (!load.stacks.ncounted)
		ok = fail(err, 0, load.others ?
			  "bpftrace's output has no map \"%s\"" :
			  "bpftrace's output has no map with counts of stacks",
			  load.wanted);
	writer_free(&load.keys);
	stacks_fini(&load.stacks);
	return ok;
}
