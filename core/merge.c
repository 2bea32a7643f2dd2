/* SPDX-License-Identifier: MIT */
/*
 * merge.c - every row of one profile as a row of another.
 */
#include "core/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/blocks.h"

/* What profiles must agree in to be added, and what it is called. */
static const struct {
	const char *key, *what;
} same_keys[] = {
	{ "kind", "kinds of events" },	{ "unit", "units" },
	{ "scale", "fractions" },	{ "event", "events" },
};

struct merge {
	struct profile *into, *from;
	stack_id *stacks;	/* of INTO, by the ids of FROM; so below */
	thread_id *threads;
	frame_id *frames;
};

static const char *
value_of(const struct profile *profile, const char *key)
{
	const char *value = profile_get(profile, key);

	return value ? value : "";
}

static bool
is_empty(const struct profile *profile)
{
	return !profile_key(profile, 0) && profile_stacks(profile) <= 1;
}

static bool
go_together(const struct profile *into, const struct profile *from,
	    struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(same_keys); i++) {
		const char *a = value_of(into, same_keys[i].key);
		const char *b = value_of(from, same_keys[i].key);

		if (strcmp(a, b) != 0)
			return fail(err, 0, "they count different %s, which "
				    "cannot be added: \"%.60s\" and "
				    "\"%.60s\"", same_keys[i].what, a, b);
	}
	return true;
}

/* --- rows */

static string_id
text_of(struct merge *merge, string_id id)
{
	const char *text = profile_text(merge->from, id);

	return strings_add(profile_strings(merge->into), text, strlen(text));
}

static frame_id
frame_of(struct merge *merge, frame_id id)
{
	struct frame frame = *profile_get_frame(merge->from, id);
	struct module module = *profile_get_module(merge->from, frame.module);

	if (frame.module) {
		module.path = text_of(merge, module.path);
		frame.module = profile_module(merge->into, &module);
	} else {
		frame.name = text_of(merge, frame.name);
	}
	return profile_frame(merge->into, &frame);
}

/* Files tell threads apart by name; their numbers mean nothing elsewhere. */
static thread_id
thread_of(struct merge *merge, thread_id id)
{
	const struct thread *thread = profile_get_thread(merge->from, id);
	string_id name = text_of(merge, thread->name);
	thread_id made;

	if (thread->pid <= 0 || thread->tid <= 0)
		return profile_thread_named(merge->into, name);
	made = profile_thread(merge->into, thread->pid, thread->tid,
			      thread->start);
	profile_name_thread(merge->into, made, name);
	return made;
}

/* A caller's stack has a smaller id, so it is there already. */
static void
add_rows(struct merge *merge)
{
	struct profile *from = merge->from;
	size_t i;

	merge->frames = xcalloc(profile_frames(from) + 1,
				sizeof(*merge->frames));
	merge->stacks = xcalloc(profile_stacks(from) + 1,
				sizeof(*merge->stacks));
	merge->threads = xcalloc(profile_threads(from) + 1,
				 sizeof(*merge->threads));
	for (i = 1; i < profile_frames(from); i++)
		merge->frames[i] = frame_of(merge, (frame_id)i);
	for (i = 1; i < profile_threads(from); i++)
		merge->threads[i] = thread_of(merge, (thread_id)i);
	for (i = 1; i < profile_stacks(from); i++) {
		const struct stack *stack =
			profile_get_stack(from, (stack_id)i);

		merge->stacks[i] = profile_push(merge->into,
						merge->stacks[stack->parent],
						merge->frames[stack->frame]);
	}
}

static void
add_cell(void *ctx, const struct cell *cell)
{
	struct merge *merge = ctx;
	struct cell moved = *cell;

	moved.stack = merge->stacks[cell->stack];
	moved.thread = merge->threads[cell->thread];
	profile_add(merge->into, 0, &moved);
}

/* --- what is known of the whole */

static void
add_losses(struct losses *into, const struct losses *from)
{
	into->samples += from->samples;
	into->lost += from->lost;
	into->cut += from->cut;
	into->guessed += from->guessed;
	into->stitched += from->stitched;
	into->deep += from->deep;
	into->rules_late += from->rules_late;
	into->unresolved += from->unresolved;
	into->throttled += from->throttled;
	into->late += from->late;
}

static void
copy_keys(struct profile *into, const struct profile *from)
{
	const char *key;
	size_t i;

	for (i = 0; (key = profile_key(from, i)); i++)
		profile_set(into, key, profile_get(from, key));
}

/* Forget what differs, and how counts went over the time of one of them. */
static void
keep_equal_keys(struct profile *into, const struct profile *from)
{
	const char *key;
	size_t i = 0;

	while ((key = profile_key(into, i))) {
		if (strncmp(key, BLOCKS_PREFIX, strlen(BLOCKS_PREFIX)) &&
		    strcmp(value_of(into, key), value_of(from, key)) == 0) {
			i++;
			continue;
		}
		profile_set(into, key, NULL);
	}
}

static void
merge_keys(struct profile *into, const struct profile *from)
{
	char *start = xstrdup(value_of(into, "start"));
	const char *other = value_of(from, "start");
	double seconds = strtod(value_of(into, "duration"), NULL) +
			 strtod(value_of(from, "duration"), NULL);
	char duration[64];

	keep_equal_keys(into, from);
	if (*start && *other)
		profile_set(into, "start", strcmp(start, other) < 0 ? start :
								      other);
	free(start);
	snprintf(duration, sizeof(duration), "%.3f", seconds);
	profile_set(into, "duration", seconds > 0 ? duration : NULL);
}

bool
merge_add(struct profile *into, struct profile *from, struct error *err)
{
	struct merge merge = { .into = into, .from = from };
	bool is_first = is_empty(into);

	if (!is_first && !go_together(into, from, err))
		return false;
	add_rows(&merge);
	profile_each(from, 0, UINT64_MAX, add_cell, &merge);
	free(merge.frames);
	free(merge.stacks);
	free(merge.threads);
	add_losses(profile_losses(into), profile_losses(from));
	if (is_first)
		copy_keys(into, from);
	else
		merge_keys(into, from);
	return true;
}
