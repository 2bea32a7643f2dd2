/* SPDX-License-Identifier: MIT */
/*
 * goroutines.c - what each goroutine waits for, and where.
 */
#include "formats/goroutines.h"

#include <string.h>

#include "formats/frame_name.h"
#include "formats/stacks.h"

/* "goroutine 18 [chan receive, 3 minutes]:" */
static bool
read_title(struct slice line, struct slice *what)
{
	const char *end;
	uint64_t number;

	line = without_trailing_blanks(line);
	if (!take_word(&line, "goroutine ") || !take_decimal(&line, &number) ||
	    !slice_ends(line, "]:"))
		return false;
	/* "goroutine 18 gp=0xc000 m=nil [select]:" */
	end = slice_find(line, " [");
	if (!end)
		return false;
	*what = slice_of(end + 2, line.at + line.len - 2);
	end = memchr(what->at, ',', what->len);
	if (end)
		what->len = (size_t)(end - what->at);
	return true;
}

/* "main.(*T).f(0x1, {0x2})" without its arguments. */
static bool
read_name(struct slice line, struct slice *name)
{
	size_t at;
	int depth = 0;

	*name = without_trailing_blanks(line);
	if (!slice_ends(*name, ")") || is_blank(*name->at))
		return false;
	for (at = name->len; at > 0; at--) {
		depth += (name->at[at - 1] == ')') - (name->at[at - 1] == '(');
		if (!depth)
			break;
	}
	name->len = at ? at - 1 : 0;
	return name->len > 0;
}

static void
close_one(struct stacks *stacks, bool *is_open, thread_id thread)
{
	if (*is_open)
		stacks_count(stacks, stacks_leaf_first(stacks), thread, 1, 1);
	*is_open = false;
	stacks->depth = 0;
}

bool
goroutines_sniff(const void *bytes, size_t len)
{
	struct lines lines = format_look(bytes, len);
	struct slice line, what;

	while (lines_next(&lines, &line))
		if (read_title(line, &what))
			return true;
	return false;
}

bool
goroutines_read(struct lines *lines, const struct read_options *options,
		struct profile *profile, struct read_report *report,
		struct error *err)
{
	struct stacks stacks = { .profile = profile, .report = report };
	struct slice line, text;
	thread_id thread = 0;
	bool is_open = false, ok = true;

	(void)options;
	while (lines_next(lines, &line)) {
		if (read_title(line, &text)) {
			close_one(&stacks, &is_open, thread);
			thread = stacks_thread(&stacks, text);
			is_open = true;
		} else if (!without_blanks(line).len) {
			close_one(&stacks, &is_open, thread);
		} else if (!is_open) {
			stacks_ignore(&stacks, lines->number, 1);
		} else if (!slice_starts(line, "created by ") &&
			   read_name(line, &text)) {
			stacks_add(&stacks,
				   frame_named(profile, text, FRAME_CODE));
		}
	}
	close_one(&stacks, &is_open, thread);
	report->lines = lines->number;
	profile_set(profile, "event", "goroutine");
	if (!stacks.ncounted)
		ok = fail(err, 0, "there is no goroutine in it");
	stacks_fini(&stacks);
	return ok;
}
