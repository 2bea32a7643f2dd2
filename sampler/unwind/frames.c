/* SPDX-License-Identifier: MIT */
/*
 * frames.c - the room for a walk's frames: the leaf's part, and a ring.
 */
#include "sampler/unwind/frames.h"

#include "sampler/unwind/unwind.h"

size_t
unwind_leaf_part(size_t max)
{
	return max - max / 4;
}

static void
store(uint64_t *words, size_t max, size_t n, uint64_t word)
{
	size_t leaf = unwind_leaf_part(max);

	if (words)
		words[n < max ? n : leaf + (n - leaf) % (max - leaf)] = word;
}

void
frames_store(const struct frames *frames, size_t n, uint64_t pc, uint64_t sp)
{
	store(frames->pcs, frames->max, n, pc);
	store(frames->sps, frames->max, n, sp);
}

static void
reverse(uint64_t *from, uint64_t *to)
{
	while (from + 1 < to) {
		uint64_t pc = *from;

		*from++ = *--to;
		*to = pc;
	}
}

/* Turn the ring so that it begins with its oldest frame. */
static void
straighten(uint64_t *words, size_t max, size_t n)
{
	size_t leaf = unwind_leaf_part(max);
	uint64_t *ring = words + leaf, *end = words + max;
	uint64_t *oldest = ring + (n - leaf) % (max - leaf);

	if (!words)
		return;
	reverse(ring, oldest);
	reverse(oldest, end);
	reverse(ring, end);
}

void
frames_straighten(const struct frames *frames, size_t n)
{
	straighten(frames->pcs, frames->max, n);
	straighten(frames->sps, frames->max, n);
}
