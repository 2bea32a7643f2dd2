/* SPDX-License-Identifier: MIT */
/*
 * space_torn.c - is what a walk read beyond the copy of the sample's time?
 *
 * It is read some time after the sample. While a call lasts its caller's frame
 * and all above stay as they are, so if the outermost call that the copy has
 * still lasts then, what is above is as it was:
 *
 *	copy		read later
 *	leaf  f  g |	h  main		g's return address, h's and main's, once
 *	         ^^^^^^^^^^^^^^		more and all at a time: as they were?
 */
#include <string.h>

#include "sampler/space_private.h"

#define PIECE 16384		/* of a stack, read at a time */
#define SYSCALL_AT 7		/* bytes into the end of a signal's handler */
#define RETURN_LEN 9		/* bytes of it */

/* Where frame I's return address is, most often. */
static uint64_t
slot_of(const struct space *space, size_t i)
{
	return space->sps[i] - 8;
}

/* --- does the call still last? */

/* Is frame I's return address in the copy, as a call has left it? */
static bool
has_copy(const struct space *space, size_t i)
{
	uint64_t at = slot_of(space, i) - space->raw->regs.r[X86_RSP], ra;

	if (at > space->raw->stack_len || space->raw->stack_len - at < 8)
		return false;
	memcpy(&ra, (const uint8_t *)space->raw->stack + at, sizeof(ra));
	return ra == space->pcs[i] + 1;
}

/* Is frame I's slot further up the same stack than that of the one before? */
static bool
is_above(const struct space *space, size_t i)
{
	uint64_t gap = slot_of(space, i) - slot_of(space, i - 1);

	return gap && gap <= SPACE_STACK_MAX;
}

/* Of COUNT frames, those from FIRST on whose slots one piece has. */
static size_t
fitting(const struct space *space, size_t first, size_t count)
{
	size_t i = first + 1;

	while (i < count && is_above(space, i) &&
	       slot_of(space, i) - slot_of(space, first) <= PIECE - 8)
		i++;
	return i;
}

/*
 * Are the words of the slots of frames FROM to TO, which one piece has, what
 * the walk has found there?
 */
static bool
are_there(const struct space *space, const struct memory *memory, size_t from,
	  size_t to)
{
	uint64_t start = slot_of(space, from), word;
	uint8_t piece[PIECE];
	size_t i;

	if (!space->memory.read(space->memory.ctx, start, piece,
				slot_of(space, to - 1) - start + 8))
		return false;
	for (i = from; i < to; i++)
		if (memory->read(memory->ctx, slot_of(space, i), &word,
				 sizeof(word)) &&
		    memcmp(&word, piece + (slot_of(space, i) - start),
			   sizeof(word)))
			return false;
	return true;
}

/* The same of all up to COUNT that are on one stack. */
static bool
are_all_there(const struct space *space, const struct memory *memory,
	      size_t from, size_t count)
{
	size_t i = from, to;

	do {
		to = fitting(space, i, count);
		if (!are_there(space, memory, i, to))
			return false;
		i = to;
	} while (i < count && is_above(space, i));
	/* Pieces are of several moments: that of the last is as good. */
	return are_there(space, memory, from, from + 1);
}

/* How many of the SEEN frames are of the sample's time, by their calls. */
static size_t
believe_above(struct space *space, const struct memory *memory, size_t seen)
{
	size_t last = seen - 1;

	while (last && !has_copy(space, last))
		last--;
	/* Another stack than the copy's is another matter. */
	if (!last || last + 1 == seen || !is_above(space, last + 1) ||
	    are_all_there(space, memory, last, seen))
		return seen;
	space->is_torn = true;
	return last + 1;
}

/* --- has it been called at all? */

/* mov $15,%rax; syscall: what a handler of a signal returns to. */
static bool
is_signal_return(const struct memory *memory, uint64_t pc)
{
	static const uint8_t code[RETURN_LEN] = { 0x48, 0xc7, 0xc0, 0x0f, 0x00,
						  0x00, 0x00, 0x0f, 0x05 };
	uint8_t here[sizeof(code)];

	return memory->read(memory->ctx, pc, here, sizeof(here)) &&
	       !memcmp(here, code, sizeof(code));
}

/*
 * Is frame I at the end of a signal's handler? The leaf may be between the two
 * instructions, too, or behind both while the kernel brings back what the
 * signal has interrupted.
 */
static bool
ends_handler(const struct space *space, const struct memory *memory, size_t i)
{
	uint64_t pc = space->pcs[i];

	return is_signal_return(memory, pc) ||
	       is_signal_return(memory, pc + 1) ||
	       (!i && (is_signal_return(memory, pc - SYSCALL_AT) ||
		       is_signal_return(memory, pc - RETURN_LEN)));
}

static bool
is_good_caller(struct space *space, const struct memory *memory, uint64_t pc)
{
	struct checked_address *checked = &space->checked[pc % SPACE_CHECKED];
	uint64_t generation = maps_generation(space->maps);

	if (space->checked_generation != generation)
		memset(space->checked, 0, sizeof(space->checked));
	space->checked_generation = generation;
	if (checked->addr != pc) {
		checked->addr = pc;
		checked->is_good =
			unwind_is_after_call(space->maps, memory, pc + 1) ||
			is_signal_return(memory, pc) ||
			is_signal_return(memory, pc + 1);
	}
	return checked->is_good;
}

/*
 * Frames beyond the copy that nothing has called: cut before the first. What a
 * signal interrupted did not call, and what somebody wrote to the bottom of a
 * hand-made stack has no call before it either.
 */
static size_t
believe_calls(struct space *space, const struct memory *memory, size_t seen)
{
	uint64_t sp = space->raw->regs.r[X86_RSP];
	size_t i;

	for (i = 1; i + 1 < seen && i + 1 < SAMPLE_DEPTH; i++) {
		uint64_t slot = slot_of(space, i);

		if (slot >= sp && slot - sp + 8 <= space->raw->stack_len)
			continue;
		if (!is_good_caller(space, memory, space->pcs[i]) &&
		    !ends_handler(space, memory, i - 1))
			return i;
	}
	return seen;
}

size_t
space_believe(struct space *space, const struct memory *memory, size_t seen)
{
	if (!seen || seen > SAMPLE_DEPTH)
		return seen;
	return believe_calls(space, memory,
			     believe_above(space, memory, seen));
}
