/* SPDX-License-Identifier: MIT */
/*
 * again.c - the last walks' frames, and which of them hold.
 */
#include "sampler/unwind/again.h"

#include <string.h>

#include "core/base.h"

#define STACK_LOG 20		/* of two threads' stacks, one differs above */
#define HASH 0x9e3779b97f4a7c15u

void
again_forget(struct again *again)
{
	memset(again->counts, 0, sizeof(again->counts));
}

static inline uint64_t
load(const struct walk *walk, uint64_t offset)
{
	uint64_t word;

	memcpy(&word, (const uint8_t *)walk->memory->window + offset,
	       sizeof(word));
	return word;
}

/* Does FRAME lead to its caller, UP, by what is in the window now? */
static inline bool
holds(const struct walk *walk, const struct again_frame *frame,
      const struct again_frame *up)
{
	uint64_t at = frame->rsp - walk->memory->window_addr;
	uint64_t cfa = up->rsp - walk->memory->window_addr;
	uint64_t slot = cfa - frame->slot * 8;
	/* As good as random: no branch on it. */
	uint64_t is_saved = -(uint64_t)(frame->slot != 1);

	/* The slot is between the two. */
	return at < walk->words && cfa - 8 < walk->words &&
	       !((load(walk, cfa - 8) ^ (up->pc + 1)) |
		 ((load(walk, slot) ^ up->rbp) & is_saved));
}

struct again_join
again_check(struct again *again, const struct walk *walk)
{
	uint64_t stack = walk->memory->window_addr >> STACK_LOG;
	size_t i = (stack * HASH >> 32) % AGAIN_THREADS, n;
	struct again_join join = {
		.frames = again->frames[i],
		.kept = &again->counts[i],
		.rsp = UINT64_MAX,
	};
	const struct again_frame *frames = join.frames;

	if (!*join.kept)
		return join;
	for (n = 1; n < *join.kept; n++)
		if (!holds(walk, &frames[n], &frames[n - 1]))
			break;
	join.count = n;
	join.rsp = frames[n - 1].rsp;
	return join;
}

bool
again_is_joined(struct again_join *join, uint64_t pc, uint64_t rsp,
		uint64_t rbp)
{
	const struct again_frame *frame;

	for (; join->count; join->count--) {
		frame = &join->frames[join->count - 1];
		join->rsp = frame->rsp;
		if (frame->rsp > rsp)
			return false;
		if (frame->rsp == rsp && frame->pc == pc && frame->rbp == rbp)
			return true;
	}
	join->rsp = UINT64_MAX;
	return false;
}

void
again_keep(struct again_join *join, const struct again_frame *fresh,
	   size_t from, size_t to)
{
	size_t count = join->count;

	while (to > from && count < AGAIN_FRAMES)
		join->frames[count++] = fresh[--to % AGAIN_FRAMES];
	*join->kept = count;
}
