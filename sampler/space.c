/* SPDX-License-Identifier: MIT */
/*
 * space.c - a process's mappings through time.
 *
 * A sample that waits holds the mappings as they are. A change then goes to a
 * copy, and the next one to the same copy: as long as nothing waits none is
 * made.
 */
#include "sampler/space.h"

#include <stdlib.h>
#include <sys/uio.h>

#include "sampler/space_private.h"

#define REREAD_NS 500000000u	/* between two looks at /proc/PID/maps */

static bool
read_process(void *ctx, uint64_t addr, void *buf, size_t len)
{
	const struct space *space = ctx;
	struct iovec to = { buf, len };
	struct iovec from = { (void *)(uintptr_t)addr, len };

	return process_vm_readv(space->pid, &to, 1, &from, 1, 0) ==
	       (ssize_t)len;
}

/* --- mappings */

static struct map_version *
new_version(struct maps *maps)
{
	struct map_version *version = xcalloc(1, sizeof(*version));

	version->maps = maps;
	version->holders = 1;
	return version;
}

static void
put_version(struct map_version *version)
{
	if (--version->holders)
		return;
	maps_free(version->maps);
	free(version);
}

struct maps *
space_maps(struct space *space)
{
	struct map_version *now = space->now;

	if (now->holders > 1) {
		space->now = new_version(maps_clone(now->maps));
		put_version(now);
	}
	return space->now->maps;
}

const struct maps *
space_maps_now(const struct space *space)
{
	return space->now->maps;
}

void
space_reset(struct space *space)
{
	maps_clear(space_maps(space));
	space_drop_pages(space);
	if (space->stitch)
		stitch_clear(space->stitch);
	space->image++;
}

struct past
space_hold(struct space *space)
{
	space->held++;
	space->now->holders++;
	return (struct past){ space->now, space->image };
}

/* --- life */

struct space *
space_new(pid_t pid, const struct target *target, enum unwind_mode unwind,
	  const struct sink *sink, struct waiting *waiting)
{
	struct space *space = xcalloc(1, sizeof(*space));

	space->pid = pid;
	space->target = target;
	space->memory = target ? target_memory(target) :
			(struct memory){ .read = read_process, .ctx = space };
	space->mode = unwind;
	space->sink = sink;
	space->waiting = waiting;
	space->now = new_version(maps_new());
	return space;
}

static void
destroy(struct space *space)
{
	space_drop_pages(space);
	stitch_free(space->stitch);
	unwind_free(space->unwinder);
	put_version(space->now);
	free(space);
}

void
space_free(struct space *space)
{
	if (!space)
		return;
	space->is_over = true;
	space->image++;
	if (!space->held)
		destroy(space);
}

void
space_let_go(struct space *space, struct past *past)
{
	put_version(past->version);
	if (--space->held == 0 && space->is_over)
		destroy(space);
}

struct space *
space_fork(const struct space *space, pid_t child)
{
	struct space *copy = space_new(child, NULL, space->mode, space->sink,
				       space->waiting);

	maps_free(copy->now->maps);
	copy->now->maps = maps_clone(space->now->maps);
	return copy;
}

/* --- a sample */

/*
 * Code where nothing is mapped: a record has been lost, or came before we
 * did. What /proc says now fills the gaps, and only them: records are in step
 * with the samples, /proc is ahead of them.
 */
static void
fill_gaps(struct space *space, uint64_t pc, uint64_t now)
{
	struct maps *seen, *maps;
	size_t i;

	if (!space->target || maps_find(space->now->maps, pc) ||
	    now - space->reread_ns < REREAD_NS)
		return;
	space->reread_ns = now;
	seen = maps_new();
	maps = space_maps(space);
	target_read_maps(space->target, seen, NULL);
	for (i = 0; i < maps_count(seen); i++) {
		struct mapping mapping = *maps_at(seen, i);

		mapping.module = 0;
		if (!maps_find(maps, mapping.start) &&
		    !maps_find(maps, mapping.end - 1))
			maps_add(maps, &mapping);
	}
	maps_free(seen);
}

void
space_sample(struct space *space, const struct raw_sample *raw)
{
	bool may_wait = space->sink->rows && space->waiting;
	struct past now;

	if (raw->has_regs)
		fill_gaps(space, raw->regs.r[X86_RIP], raw->time_ns);
	now = (struct past){ space->now, space->image };
	if (space_walk_past(space, raw, &now, may_wait) ||
	    waiting_add(space->waiting, space, raw))
		return;
	space_walk_past(space, raw, &now, false);
}

bool
space_was_short(const struct space *space, size_t *reach)
{
	*reach = space->reach;
	return space->was_short;
}
