/* SPDX-License-Identifier: MIT */
/*
 * base.c - where a frame begins whose rbp nobody knows.
 *
 * A thread that sleeps in the kernel can be read without being stopped, but of
 * its registers only rip and rsp are told. A frame that is counted from rbp
 * has made itself, and how is written at the beginning of its function:
 *
 *	push %rbp
 *	mov  %rsp,%rbp		here rsp is the base,
 *	push %rbx
 *	sub  $40,%rsp		and from here on rsp + 48 is
 *
 * What the rest of the function pushes, or makes room for as it goes, is
 * skipped: above the base must lie a return address, of a call that leads to
 * this very function if it is a direct one.
 */
#include <string.h>

#include "sampler/unwind/instruction.h"
#include "sampler/unwind/step.h"

#define REACH 16384		/* bytes from a function's beginning */
#define CHUNK 512
#define PUSH_REACH 16		/* from push %rbp to the mov, */
#define HEAD_REACH 64		/* from the first byte to it */
#define BUDGET 32		/* instructions that make a frame */
#define SLOTS 2048		/* words that are looked through */
#define NEAR_SLOTS 8		/* so many arguments may have been pushed */

static const uint8_t move[] = { 0x48, 0x89, 0xe5 };	/* mov %rsp,%rbp */

/* Where the last one in BYTES is, with a push %rbp before it; or NULL. */
static const uint8_t *
last_move(const uint8_t *bytes, size_t len)
{
	for (size_t i = len - sizeof(move); i > PUSH_REACH; i--)
		if (!memcmp(bytes + i, move, sizeof(move)) &&
		    memchr(bytes + i - PUSH_REACH, 0x55, PUSH_REACH))
			return bytes + i;
	return NULL;
}

/* The address of the nearest before the walk's pc. */
static bool
find_move(const struct walk *walk, uint64_t *addr)
{
	const struct memory *memory = walk->memory;
	uint8_t bytes[CHUNK + PUSH_REACH + sizeof(move)];
	const uint8_t *found;
	uint64_t at = walk->pc;

	while (walk->pc - at < REACH && at > sizeof(bytes)) {
		at -= CHUNK;
		if (!memory->read(memory->ctx, at, bytes, sizeof(bytes)) &&
		    !memory->read(memory->ctx, at, bytes, CHUNK))
			return false;
		found = last_move(bytes, walk->pc - at < sizeof(bytes) ?
						 walk->pc - at :
						 sizeof(bytes));
		if (found) {
			*addr = at + (uint64_t)(found - bytes);
			return true;
		}
	}
	return false;
}

#define RSP 4			/* the encoding's number */

/* How much I takes off rsp; false where the frame is made, or not known. */
static bool
takes(const struct instruction *i, uint64_t *size)
{
	*size = 0;
	if (i->opcode >= 0x50 && i->opcode <= 0x57) {
		*size = 8;
		return true;
	}
	if ((i->opcode == 0x83 || i->opcode == 0x81) && i->mod == 3 &&
	    i->rm == RSP && !(i->rex & 1)) {
		*size = (uint64_t)i->immediate;
		return i->reg == 5;
	}
	/* Calls, jumps and returns; pops. */
	return i->opcode != 0xe8 && i->opcode != 0xe9 && i->opcode != 0xeb &&
	       i->opcode != 0xff && i->opcode != 0xc3 && i->opcode != 0xc9 &&
	       (i->opcode & ~7u) != 0x58 && (i->opcode & ~15u) != 0x70 &&
	       (i->opcode & ~15u) != 0x180;
}

/* Bytes from rsp to the base, as made from the move at ADDR on. */
static uint64_t
depth_after(const struct walk *walk, uint64_t addr)
{
	const struct memory *memory = walk->memory;
	uint8_t code[INSTRUCTION_MAX];
	struct instruction i;
	uint64_t depth = 0, size;

	addr += sizeof(move);
	for (unsigned n = 0; n < BUDGET && addr < walk->pc; n++) {
		if (!memory->read(memory->ctx, addr, code, sizeof(code)) ||
		    !instruction_decode(code, sizeof(code), &i) ||
		    !takes(&i, &size))
			break;
		depth += size;
		addr += i.len;
	}
	return depth;
}

/* What a stub of the PLT at ADDR jumps to; ADDR if it is none. */
static uint64_t
behind_stub(const struct walk *walk, uint64_t addr)
{
	const struct memory *memory = walk->memory;
	uint8_t code[11];
	size_t at = 0;
	int32_t distance;
	uint64_t target;

	if (!memory->read(memory->ctx, addr, code, sizeof(code)))
		return addr;
	if (!memcmp(code, "\xf3\x0f\x1e\xfa", 4))	/* endbr64 */
		at = 4;
	at += code[at] == 0xf2;				/* bnd */
	if (code[at] != 0xff || code[at + 1] != 0x25)	/* jmp *x(%rip) */
		return addr;
	memcpy(&distance, code + at + 2, sizeof(distance));
	return walk_read_word(walk, addr + at + 6 +
				    (uint64_t)(int64_t)distance, &target) ?
		       target : addr;
}

enum caller { CALLER_NONE, CALLER_MAYBE, CALLER_SURE };

/*
 * Has the call before RA called the function whose move is at MOVE? An
 * indirect one may have.
 */
static enum caller
judge_caller(const struct walk *walk, uint64_t ra, uint64_t move_at)
{
	uint64_t start;

	if (!code_at(walk, ra).is_after_call)
		return CALLER_NONE;
	if (!code_called(walk, ra, &start))
		return CALLER_MAYBE;
	start = behind_stub(walk, start);
	return start <= move_at && move_at - start <= HEAD_REACH ?
		       CALLER_SURE : CALLER_NONE;
}

bool
base_find(const struct walk *walk, const struct regs *regs, uint64_t *base,
	  bool *is_guess)
{
	uint64_t at = regs->r[X86_RSP], move_at, ra;

	if (walk->is_leaf || !find_move(walk, &move_at))
		return false;
	at += depth_after(walk, move_at);
	for (unsigned i = 0; i < SLOTS; i++, at += 8) {
		enum caller caller;

		if (!walk_read_word(walk, at + 8, &ra))
			return false;
		caller = judge_caller(walk, ra, move_at);
		if (caller == CALLER_NONE)
			continue;
		*base = at;
		*is_guess |= i > 0 && (caller != CALLER_SURE ||
				       i > NEAR_SLOTS);
		return true;
	}
	return false;
}
