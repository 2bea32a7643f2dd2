/* SPDX-License-Identifier: MIT */
/*
 * speedscope_stacks.c - samples and events of a speedscope file to counts.
 */
#include "formats/speedscope_load.h"

#include <stdlib.h>

#include "formats/frame_name.h"

#define NO_FRAME "[no frame]"

/* --- frames */

static void
add_frame(struct speedscope_load *load, struct slice name)
{
	size_t len;
	char *plain = jscan_unescape(name, &len);

	load->frames = grow(load->frames, load->nframes,
			    &load->frames_capacity, sizeof(*load->frames));
	load->frames[load->nframes++] = frame_named(
		load->profile, len ? (struct slice){ plain, len } :
				     slice_whole(STACKS_NO_FRAME), FRAME_CODE);
	free(plain);
}

bool
speedscope_read_frames(struct speedscope_load *load)
{
	struct jscan j = load->file.frames;
	bool first = true, first_member;
	struct slice key, name;

	load->missing = frame_named(load->profile, slice_whole(NO_FRAME),
				    FRAME_NOTE);
	if (!j.at)
		return true;
	jscan_begin(&j, '[');
	while (jscan_item(&j, &first)) {
		name = (struct slice){ "", 0 };
		first_member = true;
		jscan_begin(&j, '{');
		while (jscan_member(&j, &first_member, &key)) {
			if (slice_is(key, "name") && jscan_peek(&j) == '"')
				name = jscan_string(&j);
			else
				jscan_skip(&j);
		}
		add_frame(load, name);
	}
	load->opened = xcalloc(load->nframes + 1, sizeof(*load->opened));
	return !j.failed;
}

static frame_id
frame_of(struct speedscope_load *load, size_t index)
{
	if (index < load->nframes)
		return load->frames[index];
	load->missing_frames++;
	return load->missing;
}

/* --- counts */

/* Scaled weight of COUNT; its sign is lost, and was counted. */
static uint64_t
weight_of(const struct speedscope_load *load, const struct count *count)
{
	return count_scaled(count, load->scale);
}

/* The frames in a list on top of STACK; in LISTS there, if they are any. */
static stack_id
push_list(struct speedscope_load *load, struct jscan *j, stack_id stack,
	  stack_id (*lists)(struct speedscope_load *, struct jscan *, stack_id))
{
	bool first = true;

	if (!jscan_begin(j, '['))
		return stack;
	while (jscan_item(j, &first)) {
		if (lists && jscan_peek(j) == '[')
			stack = lists(load, j, stack);
		else
			stack = profile_push(load->profile, stack, frame_of(
				load, speedscope_index(j)));
	}
	return stack;
}

static stack_id
push_inner(struct speedscope_load *load, struct jscan *j, stack_id stack)
{
	return push_list(load, j, stack, NULL);
}

/* Some write [[3]] for [3]. */
static stack_id
read_stack(struct speedscope_load *load, struct jscan *j)
{
	return push_list(load, j, 0, push_inner);
}

static void
count_stack(struct speedscope_load *load, stack_id stack, thread_id thread,
	    uint64_t weight)
{
	if (!stack && !thread)
		stack = stacks_root_first(&load->stacks);
	stacks_count(&load->stacks, stack, thread, weight, 1);
}

/* A sample without a weight is one; a weight without a sample is nobody's. */
bool
speedscope_read_samples(struct speedscope_load *load,
			const struct speedscope_profile *profile,
			thread_id thread)
{
	struct jscan samples = profile->samples, weights = profile->weights;
	bool first = true, first_weight = true, has_weights = weights.at;
	static const struct count one = { .digits = 1 };
	struct count count;
	stack_id stack;

	if (!samples.at)
		return true;
	jscan_begin(&samples, '[');
	if (has_weights)
		jscan_begin(&weights, '[');
	while (jscan_item(&samples, &first)) {
		load->report->lines++;
		stack = read_stack(load, &samples);
		count = one;
		if (has_weights && (!jscan_item(&weights, &first_weight) ||
				    !speedscope_count(&weights, &count))) {
			load->unweighted++;
			has_weights = jscan_peek(&weights) != '\0' &&
				      !weights.failed;
			continue;
		}
		count_stack(load, stack, thread, weight_of(load, &count));
	}
	return !samples.failed;
}

/* --- events */

static void
open_frame(struct speedscope_load *load, size_t index)
{
	stack_id parent = load->depth ? load->open[load->depth - 1].stack : 0;
	struct speedscope_open open = { .frame = index };

	open.stack = profile_push(load->profile, parent,
				  frame_of(load, index));
	load->open = grow(load->open, load->depth, &load->open_capacity,
			  sizeof(*load->open));
	load->open[load->depth++] = open;
	if (index < load->nframes)
		load->opened[index]++;
}

static void
pop_frame(struct speedscope_load *load)
{
	size_t index = load->open[--load->depth].frame;

	if (index < load->nframes)
		load->opened[index]--;
}

/* What is open above the one that closes has ended with it. */
static void
close_frame(struct speedscope_load *load, size_t index)
{
	if (index >= load->nframes || !load->opened[index]) {
		load->unbalanced++;
		return;
	}
	while (load->open[load->depth - 1].frame != index) {
		load->unbalanced++;
		pop_frame(load);
	}
	pop_frame(load);
}

/* What is on top has run until TIME, or time went back. */
static void
pass_time(struct speedscope_load *load, thread_id thread, int64_t *last,
	  int64_t time)
{
	if (time < *last) {
		load->disordered++;
		return;
	}
	if (time > *last && load->depth)
		count_stack(load, load->open[load->depth - 1].stack, thread,
			    (uint64_t)time - (uint64_t)*last);
	*last = time;
}

static int64_t
time_of(const struct speedscope_load *load, const struct count *count)
{
	int64_t size = (int64_t)count_scaled(count, load->scale);

	return count->is_negative ? -size : size;
}

bool
speedscope_read_events(struct speedscope_load *load,
		       const struct speedscope_profile *profile,
		       thread_id thread)
{
	struct jscan j = profile->events;
	struct speedscope_event event;
	int64_t last = INT64_MIN;
	bool first = true;

	if (!j.at)
		return true;
	jscan_begin(&j, '[');
	while (jscan_item(&j, &first)) {
		load->report->lines++;
		if (!speedscope_event(&j, &event)) {
			load->unbalanced++;
			continue;
		}
		pass_time(load, thread, &last, time_of(load, &event.at));
		if (event.is_open)
			open_frame(load, event.frame);
		else
			close_frame(load, event.frame);
	}
	/* A trace that was cut goes on to its end. */
	if (load->depth) {
		load->unbalanced += load->depth;
		pass_time(load, thread, &last, time_of(load, &profile->end));
	}
	while (load->depth)
		pop_frame(load);
	return !j.failed;
}
