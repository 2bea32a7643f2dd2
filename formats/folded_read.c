/* SPDX-License-Identifier: MIT */
/*
 * folded_read.c - folded stacks of any writer into a profile.
 *
 * Lines that are the same go together first (formats/folded_unique.h). Then
 * folded_look() finds out what the columns mean and which scale makes all
 * counts integers, and each becomes a stack and a weight. They are sorted for
 * that: neighbours begin alike, and the frames that a stack shares with the
 * one before are not looked up again, here or by whoever walks the profile.
 */
#include "formats/folded.h"

#include <stdlib.h>
#include <string.h>

#include "formats/folded_unique.h"
#include "formats/frame_name.h"
#include "formats/stacks.h"

#define HEADER_MAX ((size_t)1 << 20)	/* bytes of our own header */

/* A frame of the line before: where it ends, and the stack up to there. */
struct step {
	size_t end;		/* behind its semicolon, if it has one */
	stack_id stack;
};

struct load {
	struct stacks stacks;
	struct profile *profile;
	struct read_report *report;
	struct folded_header header;
	struct folded_survey survey;
	int scale;

	struct slice last;	/* the stack that STEPS describes */
	struct step *steps;
	size_t depth, step_capacity;

	struct slice last_thread;
	thread_id thread;
	thread_id *threads;	/* by the name's string_id; 0: not yet */
	size_t thread_capacity;

	char *scratch;		/* room for one stack that had to change */
	size_t scratch_size;
	bool has_counts;	/* that are not zero */
};

/* --- stacks */

static size_t
common_length(struct slice a, struct slice b)
{
	size_t max = a.len < b.len ? a.len : b.len, i = 0;

	while (i < max && a.at[i] == b.at[i])
		i++;
	return i;
}

/* Forget the frames of the line before that STACK does not share. */
static void
keep_common_steps(struct load *load, struct slice stack)
{
	size_t common = common_length(load->last, stack);

	while (load->depth && load->steps[load->depth - 1].end > common)
		load->depth--;
	load->last = stack;
}

static stack_id
stack_of(struct load *load, struct slice text)
{
	const char *end = text.at + text.len, *at, *semicolon;
	stack_id stack;

	keep_common_steps(load, text);
	at = text.at;
	stack = 0;
	if (load->depth) {
		at += load->steps[load->depth - 1].end;
		stack = load->steps[load->depth - 1].stack;
	}
	for (; at < end; at = semicolon + 1) {
		struct slice name;

		semicolon = memchr(at, ';', (size_t)(end - at));
		if (!semicolon)
			semicolon = end;
		if (load->survey.has_padding && at > text.at && *at == ' ')
			at++;
		name = (struct slice){ at, (size_t)(semicolon - at) };
		stack = profile_push(load->profile, stack,
				     stacks_frame(&load->stacks, name));
		load->steps = grow(load->steps, load->depth,
				   &load->step_capacity, sizeof(*load->steps));
		load->steps[load->depth++] = (struct step){
			(size_t)(semicolon - text.at) + 1, stack };
	}
	return stack;
}

/* --- threads */

/*
 * The thread that is called NAME. A file does not tell which threads of one
 * name there were: they are one, without a tid, numbered by their start.
 */
static thread_id
thread_of(struct load *load, struct slice name)
{
	struct profile *profile = load->profile;
	size_t had = load->thread_capacity;
	string_id id;

	if (!name.len)
		name = slice_whole("-");
	id = frame_text(profile, name);
	load->threads = grow(load->threads, id, &load->thread_capacity,
			     sizeof(*load->threads));
	memset(load->threads + had, 0,
	       (load->thread_capacity - had) * sizeof(*load->threads));
	if (!load->threads[id]) {
		load->threads[id] = profile_thread(profile, load->header.pid, 0,
						   profile_threads(profile));
		profile_name_thread(profile, load->threads[id], id);
	}
	return load->threads[id];
}

/* Take the outermost frame off STACK and make it the current thread. */
static void
take_thread(struct load *load, struct slice *stack)
{
	const char *semicolon = memchr(stack->at, ';', stack->len);
	size_t len = semicolon ? (size_t)(semicolon - stack->at) : stack->len;
	struct slice name = { stack->at, len };

	stack->at += len + (semicolon != NULL);
	stack->len -= len + (semicolon != NULL);
	if (load->last_thread.at && name.len == load->last_thread.len &&
	    memcmp(name.at, load->last_thread.at, len) == 0)
		return;
	load->last_thread = name;
	load->thread = thread_of(load, name);
}

/* --- lines */

/* Our own lines begin with %23 for '#' and %25 for '%'. */
static void
undo_escape(struct load *load, struct slice *stack)
{
	char first;

	if (stack->len < 3 || memcmp(stack->at, "%2", 2) != 0)
		return;
	first = stack->at[2] == '3' ? '#' : stack->at[2] == '5' ? '%' : '\0';
	if (!first)
		return;
	load->scratch = grow(load->scratch, stack->len, &load->scratch_size, 1);
	memcpy(load->scratch, stack->at + 2, stack->len - 2);
	load->scratch[0] = first;
	*stack = (struct slice){ load->scratch, stack->len - 2 };
	load->last.len = load->depth = 0;
	load->last_thread.at = NULL;
}

/* Turn "leaf;caller;root" round. */
static void
reverse_stack(struct load *load, struct slice *stack)
{
	const char *from = stack->at, *end = stack->at + stack->len, *semicolon;
	char *to;

	load->scratch = grow(load->scratch, stack->len, &load->scratch_size, 1);
	to = load->scratch + stack->len;
	while (from < end) {
		semicolon = memchr(from, ';', (size_t)(end - from));
		if (!semicolon)
			semicolon = end;
		to -= semicolon - from;
		memcpy(to, from, (size_t)(semicolon - from));
		if (semicolon < end)
			*--to = ';';
		from = semicolon + 1;
	}
	stack->at = load->scratch;
	load->last.len = load->depth = 0;
}

static void
load_stack(struct load *load, struct slice stack, uint64_t weight,
	   uint64_t times)
{
	if (load->header.is_ours)
		undo_escape(load, &stack);
	while (stack.len && stack.at[stack.len - 1] == ';') {
		stack.len--;
		load->report->empties += times;
	}
	if (load->survey.layout == LAYOUT_COUNT_FIRST)
		reverse_stack(load, &stack);
	if (load->header.has_threads)
		take_thread(load, &stack);
	else if (!stack.len)
		stack = slice_whole(STACKS_NO_STACK);
	stacks_count(&load->stacks, stack_of(load, stack), load->thread,
		     weight, times);
}

static void
load_text(struct load *load, const struct folded_unique *unique,
	  const struct folded_text *text)
{
	struct folded_stack parts;

	if (!folded_read_text(unique, text, load->survey.layout, &parts)) {
		stacks_ignore(&load->stacks, text->line, text->times);
		return;
	}
	load->has_counts |= parts.sum != 0;
	load->report->extended += parts.extended;
	load_stack(load, parts.stack,
		   count_sum_scaled(parts.sum, load->scale), text->times);
}

/* Say what was read otherwise than it was written. */
static void
note_survey(struct load *load)
{
	const struct folded_survey *survey = &load->survey;
	struct read_report *report = load->report;

	if (load->header.is_newer)
		read_note(report, "written by a newer flametop");
	if (survey->layout == LAYOUT_TWO_COUNTS)
		read_note(report, "a difference: the last column is shown, the "
		     "first sums to %llu",
		     (unsigned long long)(survey->before.sum / 1000000000));
	if (survey->layout == LAYOUT_COUNT_FIRST)
		read_note(report, "perf report's folded chains, taken as leaf "
		     "first");
	if (survey->layout == LAYOUT_NO_COUNTS)
		read_note(report, "no counts: each line is one sample");
	read_note_count(report, survey->range.negatives, READ_NEGATIVES);
	if (load->header.scale + load->scale)
		read_note(report, "%s: counts are shown times 10^%d",
		     load->scale < 0 ? "too large" : "fractions",
		     load->header.scale + load->scale);
	if (load->scale >= 0 && load->scale < survey->range.decimals)
		read_note(report, "rounded to %d decimals", load->scale);
}

static void
choose_scale(struct load *load)
{
	char text[16];

	load->scale = count_scale(&load->survey.range);
	if (!load->scale)
		return;
	snprintf(text, sizeof(text), "%d", load->header.scale + load->scale);
	profile_set(load->profile, "scale", text);
}

bool
folded_sniff(const void *bytes, size_t len)
{
	struct lines lines = format_look(bytes, len);
	struct folded_line parts;
	struct slice line;

	while (lines_next_said(&lines, &line))
		if (folded_split(line, LAYOUT_COUNT_LAST, &parts) ||
		    folded_split(line, LAYOUT_COUNT_FIRST, &parts) ||
		    folded_split(line, LAYOUT_NO_COUNTS, &parts))
			return true;
	return folded_is_ours(bytes, len) || len > FORMAT_LOOK;
}

/* Do most of the first lines end in counts? */
static bool
ends_in_counts(const char *bytes, size_t len)
{
	struct lines lines = format_look(bytes, len);
	struct folded_line parts;
	uint64_t last = 0, all = 0;
	struct slice line;

	for (; lines_next_said(&lines, &line); all++)
		last += folded_split(line, LAYOUT_COUNT_LAST, &parts);
	return last * 2 >= all;
}

static bool
load_unique(struct load *load, struct folded_unique *unique,
	    struct error *err)
{
	size_t i;

	if (!folded_look(unique, load->header.is_ours, &load->survey, err))
		return false;
	choose_scale(load);
	note_survey(load);
	folded_unique_sort(unique);
	for (i = 0; i < unique->ntexts; i++)
		load_text(load, unique, &unique->texts[i]);
	if (load->report->ignored && !load->has_counts &&
	    !load->header.is_ours)
		return fail(err, 0, "this is no profile: none of its %llu "
			    "lines is a stack with a count" FOLDED_ELSE,
			    (unsigned long long)load->report->lines);
	return true;
}

bool
folded_read(struct lines *lines, const struct read_options *options,
	    struct profile *profile, struct read_report *report,
	    struct error *err)
{
	struct load load = {
		.stacks = { .profile = profile, .report = report },
		.profile = profile, .report = report,
	};
	struct folded_unique unique = { 0 };
	struct slice block;
	size_t len;
	bool ok;

	(void)options;
	if (lines_fill(lines, 3) >= 3 &&
	    memcmp(lines->at, "\xef\xbb\xbf", 3) == 0)
		lines->at += 3;
	len = lines_fill(lines, FORMAT_LOOK);
	if (folded_is_ours(lines->at, len))
		len = lines_fill(lines, HEADER_MAX);
	if (len > HEADER_MAX)
		len = HEADER_MAX;
	folded_read_header(lines->at, len, profile, &load.header);
	load.stacks.kind = load.header.kind;
	unique.cuts = load.header.is_ours || ends_in_counts(lines->at, len);
	while (lines_next_block(lines, &block))
		folded_unique_add(&unique, block);
	report->lines = unique.lines;
	ok = load_unique(&load, &unique, err);
	folded_unique_fini(&unique);
	stacks_fini(&load.stacks);
	free(load.steps);
	free(load.threads);
	free(load.scratch);
	return ok;
}
