/* SPDX-License-Identifier: MIT */
/*
 * perf_script.c - the text of perf script into a profile.
 *
 * One event is read, the one chosen or the first that the file has: cycles and
 * page faults have no sum. Counts are the sums of its periods, as
 * stackcollapse-perf.pl makes them, or samples when no periods are printed.
 */
#include "formats/perf_script.h"

#include <inttypes.h>
#include <stdlib.h>

#include "formats/frame_name.h"
#include "formats/stacks.h"

/* Addresses from here on are the kernel's, on every 64-bit machine. */
#define KERNEL_START UINT64_C(0xffff800000000000)

#define EVENTS_MAX 64		/* names of events that are told apart */

struct load {
	struct stacks stacks;
	const char *wanted;	/* event's name or number from 1; or "" */

	bool is_open;		/* frames belong to EVENT */
	bool is_wanted;		/* it is the event that is read */
	bool is_certain;	/* a sample even if no frame comes */
	uint64_t line;		/* that opened it */
	uint64_t weight;
	thread_id thread;
	size_t depth;		/* frames that came, wanted or not */

	bool is_start;		/* it began the text, and no event is told */
	bool has_start;		/* such a sample waits for what follows: */
	stack_id start;
	uint64_t start_line;

	string_id events[EVENTS_MAX];
	uint64_t samples[EVENTS_MAX];
	size_t nevents;
	size_t chosen;		/* of them; EVENTS_MAX: it has not come yet */
	uint64_t all;		/* samples of all events */
	uint64_t first_ns, last_ns;
	uint64_t branches;
};

/* --- frames */

static bool
is_kernel(const struct perf_frame *frame)
{
	static const char *const user[] = { "[unknown]", "[vdso]", "[heap]",
					    "[stack", "[anon", "[JIT",
					    "[vsyscall]" };
	size_t i;

	if (frame->ip >= KERNEL_START)
		return true;
	if (slice_ends(frame->dso, "vmlinux") || slice_ends(frame->dso, ".ko"))
		return true;
	if (!slice_starts(frame->dso, "["))
		return false;
	for (i = 0; i < ARRAY_LEN(user); i++)
		if (slice_starts(frame->dso, user[i]))
			return false;
	return slice_starts(frame->dso, "[kernel") ||
	       slice_starts(frame->dso, "[guest.kernel");
}

/* "/tmp/perf-31912.map", "/tmp/jitted-31-4.so", "jit-31.dump" */
static bool
is_jit(struct slice dso)
{
	return (slice_find(dso, "/perf-") && slice_ends(dso, ".map")) ||
	       slice_find(dso, "/jitted-") || slice_starts(dso, "[JIT") ||
	       (slice_find(dso, "/jit-") && slice_ends(dso, ".dump"));
}

static enum frame_kind
kind_of(const struct perf_frame *frame)
{
	if (frame->is_inlined)
		return FRAME_INLINED;
	if (is_kernel(frame))
		return FRAME_KERNEL;
	return is_jit(frame->dso) ? FRAME_JIT : FRAME_CODE;
}

/* A frame without a symbol is called after its file: "[libc.so.6]". */
static frame_id
nameless(struct load *load, struct slice dso)
{
	char name[256];

	if (slice_starts(dso, "["))
		return stacks_frame(&load->stacks, dso);
	if (!dso.len)
		dso = slice_whole("unknown");
	dso = slice_file(dso);
	snprintf(name, sizeof(name), "[%.*s]", (int)(dso.len < 200 ? dso.len :
						     200), dso.at);
	return stacks_frame(&load->stacks, slice_whole(name));
}

static void
add_frame(struct load *load, const struct perf_frame *frame)
{
	bool has_name = frame->symbol.len &&
			!slice_is(frame->symbol, "[unknown]");

	load->depth++;
	if (!load->is_wanted)
		return;
	stacks_add(&load->stacks, has_name ?
		   frame_named(load->stacks.profile, frame->symbol,
			       kind_of(frame)) :
		   nameless(load, frame->dso));
}

/*
 * What stands alone behind a frame is where its line is in the source; with
 * that column, whether it was inlined is told there.
 */
static void
take_source_line(struct load *load, struct slice line)
{
	struct stacks *stacks = &load->stacks;
	struct frame frame;

	if (!slice_ends(line, "(inlined)") || !stacks->depth)
		return;
	frame = *profile_get_frame(stacks->profile,
				   stacks->frames[stacks->depth - 1]);
	if (frame.kind == FRAME_CODE) {
		frame.kind = FRAME_INLINED;
		stacks->frames[stacks->depth - 1] =
			profile_frame(stacks->profile, &frame);
	}
}

/* --- events */

/*
 * Frames without an event at the start are a sample when all are like that, as
 * with -F ip,sym; before an event they are what is left of one that was cut,
 * as by tail.
 */
static void
count_start(struct load *load)
{
	if (load->has_start)
		stacks_count(&load->stacks, load->start, 0, 1, 1);
	load->has_start = false;
}

static void
close_event(struct load *load)
{
	struct stacks *stacks = &load->stacks;
	bool counts = load->is_open && (load->is_certain || load->depth);

	if (load->is_open && !counts)
		stacks_ignore(stacks, load->line, 1);
	if (counts && load->is_wanted && load->is_start) {
		load->has_start = true;
		load->start = stacks_leaf_first(stacks);
		load->start_line = load->line;
	} else if (counts && load->is_wanted) {
		count_start(load);
		stacks_count(stacks, stacks_leaf_first(stacks), load->thread,
			     load->weight, 1);
	}
	load->is_open = load->is_start = false;
	load->depth = stacks->depth = 0;
}

/* "cycles" is "cycles:ppp" as well. */
static bool
is_choice(const struct load *load, struct slice name, size_t number)
{
	struct slice choice = slice_whole(load->wanted);
	uint64_t chosen;

	if (!choice.len)
		return true;
	if (take_word(&name, load->wanted) &&
	    (!name.len || slice_starts(name, ":")))
		return true;
	return slice_number(choice, &chosen) && chosen == number + 1;
}

/* The number of the event called NAME; EVENTS_MAX for one too many. */
static size_t
event_number(struct load *load, struct slice name)
{
	string_id id = frame_text(load->stacks.profile, name);
	size_t i;

	for (i = 0; i < load->nevents; i++)
		if (load->events[i] == id)
			return i;
	if (i < EVENTS_MAX) {
		load->events[i] = id;
		load->nevents++;
		if (load->chosen == EVENTS_MAX && is_choice(load, name, i))
			load->chosen = i;
	}
	return i;
}

static thread_id
thread_of(struct load *load, const struct perf_event *event)
{
	struct profile *profile = load->stacks.profile;
	thread_id id;
	string_id name;

	if (!event->comm.len && !event->has_tid)
		return 0;
	name = frame_text(profile, event->comm);
	/* The idle thread is number 0 on every CPU: a name, and no thread. */
	if (!event->has_tid || (!event->tid && !event->pid))
		return profile_thread_named(profile, name);
	id = profile_thread(profile,
			    (pid_t)(event->has_pid ? event->pid & INT32_MAX : 0),
			    (pid_t)(event->tid & INT32_MAX), 0);
	profile_name_thread(profile, id, name);
	return id;
}

static void
open_event(struct load *load, const struct perf_event *event, uint64_t line)
{
	size_t number = event_number(load, event->name);

	close_event(load);
	load->is_open = true;
	load->is_certain = event->has_time || event->has_tid;
	load->is_wanted = number < EVENTS_MAX && number == load->chosen;
	load->line = line;
	load->weight = event->period;
	load->all++;
	if (number < EVENTS_MAX)
		load->samples[number]++;
	if (!load->is_wanted)
		return;
	load->thread = thread_of(load, event);
	if (event->has_time) {
		if (!load->first_ns || event->time_ns < load->first_ns)
			load->first_ns = event->time_ns;
		if (event->time_ns > load->last_ns)
			load->last_ns = event->time_ns;
	}
}

/* An event is told now: the frames before were the end of another's stack. */
static void
forget_start(struct load *load)
{
	close_event(load);
	if (!load->has_start)
		return;
	stacks_ignore(&load->stacks, load->start_line, 1);
	load->has_start = false;
	load->nevents = 0;
	load->all = load->samples[0] = 0;
	load->chosen = EVENTS_MAX;
}

/* "PERF_RECORD_LOST lost 123" */
static void
take_record(struct load *load, const struct perf_event *event)
{
	struct slice rest = event->rest;
	uint64_t lost;

	close_event(load);
	if (slice_starts(event->name, "PERF_RECORD_LOST") &&
	    take_word(&rest, "lost ") && take_decimal(&rest, &lost)) {
		struct losses *losses = profile_losses(load->stacks.profile);

		losses->lost = add_saturating(losses->lost, lost);
	}
}

static void
take_event(struct load *load, const struct perf_event *event, uint64_t line)
{
	struct perf_frame frame;

	if (event->is_record) {
		take_record(load, event);
		return;
	}
	if (slice_find(event->rest, "=>")) {
		close_event(load);
		load->branches++;
		return;
	}
	forget_start(load);
	open_event(load, event, line);
	/* Without call graphs the only frame is on the line. */
	if (perf_frame_read_inline(event->rest, &frame)) {
		add_frame(load, &frame);
		close_event(load);
	}
}

/* --- lines */

/* Frames of which no event is told: a sample each. */
static void
open_nameless(struct load *load, uint64_t line)
{
	struct perf_event event = { .period = 1 };
	bool is_start = !load->all;

	open_event(load, &event, line);
	load->is_start = is_start;
}

static void
take_line(struct load *load, struct slice line, uint64_t number)
{
	struct perf_event event;
	struct perf_frame frame;

	line = without_trailing_blanks(line);
	if (!line.len) {
		/* Some have a blank line before the frames, too. */
		if (load->depth)
			close_event(load);
	} else if (perf_event_read(line, &event)) {
		take_event(load, &event, number);
	} else if (perf_frame_read(line, &frame)) {
		if (!load->is_open)
			open_nameless(load, number);
		add_frame(load, &frame);
	} else if (is_blank(*line.at) && load->depth) {
		take_source_line(load, line);
	} else if (*line.at == '#') {
		return;
	} else if (perf_event_read_timeless(line, &event)) {
		take_event(load, &event, number);
	} else {
		stacks_ignore(&load->stacks, number, 1);
	}
}

static void
describe(struct load *load)
{
	struct profile *profile = load->stacks.profile;
	const char *event = load->chosen < EVENTS_MAX ?
			    profile_text(profile, load->events[load->chosen]) :
			    "";
	uint64_t others = load->all;
	char text[32];

	if (load->chosen < EVENTS_MAX)
		others -= load->samples[load->chosen];
	if (*event)
		profile_set(profile, "event", event);
	if (others)
		read_note(load->stacks.report, "only %.40s is read: %" PRIu64
			  " samples of other events are not", *event ? event :
			  "what has no event", others);
	if (load->last_ns > load->first_ns) {
		snprintf(text, sizeof(text), "%.3f",
			 (double)(load->last_ns - load->first_ns) / 1e9);
		profile_set(profile, "duration", text);
	}
	if (load->chosen < EVENTS_MAX)
		profile_losses(profile)->samples = load->samples[load->chosen];
}

bool
perf_script_sniff(const void *bytes, size_t len)
{
	struct lines lines = format_look(bytes, len);
	struct perf_event event;
	struct slice line;

	while (lines_next(&lines, &line)) {
		line = without_trailing_blanks(line);
		if (perf_frame_is_sure(line))
			return true;
		if (perf_event_read(line, &event) && event.has_tid)
			return true;
	}
	return false;
}

/* Why nothing was counted. */
static bool
fail_empty(const struct load *load, struct error *err)
{
	if (load->branches)
		return fail(err, 0, "these are branches that perf traced, not "
			    "samples; sample it: perf record -g");
	if (load->nevents && load->chosen == EVENTS_MAX)
		return fail(err, 0, "it has no event \"%s\"; its first is %.60s",
			    load->wanted,
			    profile_text(load->stacks.profile,
					 load->events[0]));
	return fail(err, 0, "this is text of perf script without a sample");
}

bool
perf_script_read(struct lines *lines, const struct read_options *options,
		 struct profile *profile, struct read_report *report,
		 struct error *err)
{
	struct load load = {
		.stacks = { .profile = profile, .report = report },
		.wanted = options->type,
		.chosen = EVENTS_MAX,
	};
	bool ok = true;
	struct slice line;

	while (lines_next(lines, &line))
		take_line(&load, line, lines->number);
	close_event(&load);
	count_start(&load);
	report->lines = lines->number;
	describe(&load);
	if (!load.stacks.ncounted)
		ok = fail_empty(&load, err);
	stacks_fini(&load.stacks);
	return ok;
}
