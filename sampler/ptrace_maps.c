/* SPDX-License-Identifier: MIT */
/*
 * ptrace_maps.c - mappings that nobody tells us of.
 */
#include "sampler/ptrace_process.h"

#include "sampler/clock.h"

#define MS 1000000ull
#define MAPS_MIN_NS (100 * MS)
#define MAPS_MAX_NS (10000 * MS)
#define MAPS_AGE_PART 5		/* a young program maps more often */
#define MAPS_COST_PART 100	/* reading takes no more of the time */

static bool
is_time_for_maps(const struct watched_process *process, uint64_t now_ns)
{
	uint64_t gap = (now_ns - process->image_ns) / MAPS_AGE_PART;

	if (gap < MAPS_MIN_NS)
		gap = MAPS_MIN_NS;
	if (gap > MAPS_MAX_NS)
		gap = MAPS_MAX_NS;
	if (gap < process->maps_cost_ns * MAPS_COST_PART)
		gap = process->maps_cost_ns * MAPS_COST_PART;
	return !process->maps_ns || now_ns - process->maps_ns >= gap;
}

static bool
is_same(const struct mapping *a, const struct mapping *b)
{
	return a->start == b->start && a->end == b->end &&
	       a->file_offset == b->file_offset && a->dev == b->dev &&
	       a->inode == b->inode && a->is_executable == b->is_executable;
}

/* What has not changed is left alone: caches of addresses hang on it. */
static void
take_over(struct space *space, const struct maps *seen)
{
	const struct maps *known = space_maps_now(space);
	size_t i, count = maps_count(seen);
	struct maps *maps;

	if (count == maps_count(known)) {
		for (i = 0; i < count; i++)
			if (!is_same(maps_at(seen, i), maps_at(known, i)))
				break;
		if (i == count)
			return;
	}
	maps = space_maps(space);
	maps_clear(maps);
	for (i = 0; i < count; i++)
		maps_add(maps, maps_at(seen, i));
}

bool
process_read_maps(struct watched_process *process, uint64_t now_ns)
{
	if (!is_time_for_maps(process, now_ns))
		return false;
	if (target_read_maps(process->target, process->seen, NULL))
		take_over(process->space, process->seen);
	process->maps_ns = now_ns;
	process->maps_cost_ns = clock_now() - now_ns;
	return true;
}
