/* SPDX-License-Identifier: MIT */
/*
 * stacks.c - frames by their names, stacks by their frames.
 */
#include "formats/stacks.h"

#include <stdlib.h>

#include "formats/frame_name.h"

void
stacks_fini(struct stacks *stacks)
{
	lookup_fini(&stacks->seen);
	free(stacks->counted);
	free(stacks->frames);
}

frame_id
stacks_frame(struct stacks *stacks, struct slice name)
{
	name = without_trailing_blanks(name);
	if (!name.len) {
		stacks->report->empties++;
		name = slice_whole(STACKS_NO_FRAME);
	}
	return frame_named(stacks->profile, name, FRAME_CODE);
}

thread_id
stacks_thread(struct stacks *stacks, struct slice name)
{
	return profile_thread_named(stacks->profile,
				    frame_text(stacks->profile, name));
}

void
stacks_add(struct stacks *stacks, frame_id frame)
{
	stacks->frames = grow(stacks->frames, stacks->depth,
			      &stacks->capacity, sizeof(*stacks->frames));
	stacks->frames[stacks->depth++] = frame;
}

static stack_id
no_stack(struct stacks *stacks)
{
	struct slice name = slice_whole(STACKS_NO_STACK);

	return profile_push(stacks->profile, 0, stacks_frame(stacks, name));
}

stack_id
stacks_leaf_first(struct stacks *stacks)
{
	stack_id stack = 0;

	if (!stacks->depth)
		return no_stack(stacks);
	while (stacks->depth)
		stack = profile_push(stacks->profile, stack,
				     stacks->frames[--stacks->depth]);
	return stack;
}

stack_id
stacks_root_first(struct stacks *stacks)
{
	stack_id stack = 0;
	size_t i;

	if (!stacks->depth)
		return no_stack(stacks);
	for (i = 0; i < stacks->depth; i++)
		stack = profile_push(stacks->profile, stack,
				     stacks->frames[i]);
	stacks->depth = 0;
	return stack;
}

static bool
same_counted(const void *owner, uint32_t id, const void *key)
{
	const struct counted *counted = owner, *wanted = key;

	return counted[id].stack == wanted->stack &&
	       counted[id].thread == wanted->thread;
}

void
stacks_count(struct stacks *stacks, stack_id stack, thread_id thread,
	     uint64_t weight, uint64_t times)
{
	struct counted key = { stack, thread };
	uint32_t hash = hash_words(stack, thread);
	struct cell cell = { .stack = stack, .thread = thread,
			     .kind = stacks->kind, .weight = weight };

	profile_add(stacks->profile, 0, &cell);
	stacks->report->duplicates += times - 1;
	if (lookup_find(&stacks->seen, hash, same_counted, stacks->counted,
			&key) != LOOKUP_NONE) {
		stacks->report->duplicates++;
		return;
	}
	stacks->counted = grow(stacks->counted, stacks->ncounted,
			       &stacks->counted_capacity,
			       sizeof(*stacks->counted));
	stacks->counted[stacks->ncounted] = key;
	lookup_add(&stacks->seen, hash, (uint32_t)stacks->ncounted++);
}

void
stacks_ignore(struct stacks *stacks, uint64_t number, uint64_t times)
{
	struct read_report *report = stacks->report;
	uint64_t *first = report->first_ignored, later;
	size_t i;

	/* The smallest ones, in order. */
	for (i = 0; number && i < ARRAY_LEN(report->first_ignored); i++)
		if (!first[i] || number < first[i]) {
			later = first[i];
			first[i] = number;
			number = later;
		}
	report->ignored += times;
}
