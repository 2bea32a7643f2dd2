/* SPDX-License-Identifier: MIT */
/*
 * stitch.c - the last stack of each thread.
 */
#include "sampler/stitch.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define THREADS 256		/* kept; a newer one takes an older's place */
#define DEPTH 2048		/* deeper stacks are not kept */

struct last_stack {
	pid_t tid;		/* 0: none */
	size_t count, capacity;
	uint64_t *pcs, *sps;
};

struct stitch {
	struct last_stack stacks[THREADS];	/* by tid */
};

struct stitch *
stitch_new(void)
{
	return xcalloc(1, sizeof(struct stitch));
}

void
stitch_free(struct stitch *stitch)
{
	if (!stitch)
		return;
	for (size_t i = 0; i < THREADS; i++) {
		free(stitch->stacks[i].pcs);
		free(stitch->stacks[i].sps);
	}
	free(stitch);
}

void
stitch_clear(struct stitch *stitch)
{
	for (size_t i = 0; i < THREADS; i++)
		stitch->stacks[i].tid = 0;
}

void
stitch_keep(struct stitch *stitch, pid_t tid, const uint64_t *pcs,
	    const uint64_t *sps, size_t count)
{
	struct last_stack *last = &stitch->stacks[(size_t)tid % THREADS];

	last->tid = 0;
	if (count > DEPTH)
		return;
	if (count > last->capacity) {
		last->capacity = count * 2;
		last->pcs = xreallocarray(last->pcs, last->capacity,
					  sizeof(*pcs));
		last->sps = xreallocarray(last->sps, last->capacity,
					  sizeof(*sps));
	}
	memcpy(last->pcs, pcs, count * sizeof(*pcs));
	memcpy(last->sps, sps, count * sizeof(*sps));
	last->count = count;
	last->tid = tid;
}

size_t
stitch_append(const struct stitch *stitch, pid_t tid, uint64_t *pcs,
	      uint64_t *sps, size_t count, size_t max)
{
	const struct last_stack *last = &stitch->stacks[(size_t)tid % THREADS];
	size_t i = 0, more;

	if (last->tid != tid || !count)
		return 0;
	while (i < last->count && (last->sps[i] != sps[count - 1] ||
				   last->pcs[i] != pcs[count - 1]))
		i++;
	if (i == last->count)
		return 0;
	more = last->count - ++i;
	if (more > max - count)
		return 0;
	memcpy(pcs + count, last->pcs + i, more * sizeof(*pcs));
	memcpy(sps + count, last->sps + i, more * sizeof(*sps));
	return count + more;
}
