/* SPDX-License-Identifier: MIT */
/*
 * perf_copy.c - how much of the stack the kernel copies.
 *
 * Where the target's memory may be read the copy need not be large: a walk
 * reads on. Where it may not, a copy that is too short cuts the stack; then
 * more is copied, and less again when nobody needs it. Each thread gets new
 * events for that, before the old ones go: what these have still written is
 * taken, so no sample is lost.
 */
#include "sampler/perf_state.h"

#define COPY_MAX 61440u		/* a record has 64 KiB, with all the rest */
#define RECORDS 8		/* of that size, that a ring must have */
#define GROW_WINDOW 200		/* samples to judge by, */
#define GROW_PART 20		/* more than one in so many cut: grow */
#define SHRINK_WINDOW 4000
#define SHRINK_PART 200		/* fewer need more than half: shrink */

static uint32_t
larger(const struct perf *perf)
{
	uint32_t size = perf->events.attr.sample_stack_user * 2;

	if (size > COPY_MAX)
		size = COPY_MAX;
	return perf->events.rings[0].size / RECORDS >= size ? size : 0;
}

void
perf_copy_note(struct perf *perf, const struct space *space)
{
	struct perf_copy *copy = &perf->copy;
	uint32_t size = perf->events.attr.sample_stack_user;
	size_t reach;

	copy->cut += space_was_short(space, &reach);
	copy->large += reach > size / 2;
	copy->samples++;
	copy->window++;
	if (copy->window == GROW_WINDOW) {
		if (copy->cut > GROW_WINDOW / GROW_PART && larger(perf) > size)
			copy->wanted = larger(perf);
		copy->window = copy->cut = 0;
	}
	if (copy->samples == SHRINK_WINDOW) {
		if (copy->large < SHRINK_WINDOW / SHRINK_PART &&
		    size > perf->config.stack_bytes && !copy->wanted)
			copy->wanted = perf->config.stack_bytes;
		copy->samples = copy->large = 0;
	}
}

/* New events on THREAD in place of its own. */
static void
renew(struct perf *perf, struct perf_thread *thread)
{
	uint32_t owner = perf_events_open(&perf->events, thread->tid);

	if (!owner)
		return;
	thread->before = thread->source;
	thread->since_ns = perf->now_ns;
	perf_retire(perf, thread->own);
	thread->own = thread->source = owner;
}

static void
renew_system(struct perf *perf)
{
	uint32_t owner = perf_events_open(&perf->events, PERF_WHOLE_SYSTEM);

	if (!owner)
		return;
	perf_events_close(&perf->events, perf->system_owner);
	perf->system_owner = owner;
}

void
perf_copy_tidy(struct perf *perf)
{
	struct perf_thread *thread;

	if (!perf->copy.wanted)
		return;
	perf->events.attr.sample_stack_user = perf->copy.wanted;
	perf->copy = (struct perf_copy){ 0 };
	if (perf->system_owner) {
		renew_system(perf);
		return;
	}
	for (size_t i = 0; i < PERF_THREAD_BUCKETS; i++)
		for (thread = perf->threads.buckets[i]; thread;
		     thread = thread->next)
			if (thread->own)
				renew(perf, thread);
}
