/* SPDX-License-Identifier: MIT */
/*
 * fp.c - frame pointers and other rules of thumb.
 *
 *	rbp --> | caller's rbp   |
 *	        | return address |
 *	        | ...            |  the caller's rsp
 *
 * A word is believed to be a return address only if it points behind a call
 * instruction in executable memory. That is what keeps a register used for
 * something else, or old bytes of the stack, from making up callers. The one
 * exception is a chain of frame pointers in code that always keeps them: an
 * interpreter and a new goroutine push return addresses that no call made.
 */
#include <string.h>

#include "sampler/unwind/step.h"

#define CALL_MAX 7		/* bytes of the longest call without prefix */
#define LEAF_REACH 4096		/* a leaf without a frame is shorter */
#define SCAN_WORDS 64
#define FRAME_MAX (1 << 20)	/* bytes of a frame that a chain may skip */

/*
 * Length of the call FF /2 whose ModRM byte is at CODE, with its SIB byte and
 * its displacement; 0 if it is another instruction.
 */
static unsigned
indirect_call_length(const uint8_t *code)
{
	unsigned mod = code[0] >> 6, base = code[0] & 7, len = 2;

	if (((code[0] >> 3) & 7) != 2)
		return 0;
	if (mod != 3 && base == 4) {
		base = code[1] & 7;
		len++;
	}
	if (mod == 1)
		len += 1;
	else if (mod == 2 || (mod == 0 && base == 5))
		len += 4;	/* without base: a table, or rip's */
	return len;
}

static bool
read_code_before(const struct walk *walk, uint64_t ra, uint8_t code[CALL_MAX])
{
	return ra > CALL_MAX && walk_is_code(walk, ra - 1) &&
	       walk->memory->read(walk->memory->ctx, ra - CALL_MAX, code,
				  CALL_MAX);
}

bool
fp_is_after_call(const struct walk *walk, uint64_t ra)
{
	uint8_t code[CALL_MAX];
	unsigned len;

	if (!read_code_before(walk, ra, code))
		return false;
	if (code[CALL_MAX - 5] == 0xe8)
		return true;
	for (len = 2; len <= CALL_MAX; len++)
		if (code[CALL_MAX - len] == 0xff &&
		    indirect_call_length(code + CALL_MAX - len + 1) == len)
			return true;
	return false;
}

/* Does RA follow a direct call to the function that PC is in? */
static bool
is_called_here(const struct walk *walk, uint64_t ra)
{
	uint8_t code[CALL_MAX];
	uint64_t start;
	int32_t distance;

	if (!read_code_before(walk, ra, code) || code[CALL_MAX - 5] != 0xe8)
		return false;
	memcpy(&distance, code + CALL_MAX - 4, sizeof(distance));
	start = ra + (uint64_t)(int64_t)distance;
	return start <= walk->pc && walk->pc - start < LEAF_REACH;
}

/*
 * Go on at the return address in the stack word at SLOT, which must follow a
 * call, or end a signal's handler or, if IS_CHAINED, only lie in code.
 */
static enum step
return_through(const struct walk *walk, struct regs *regs, uint64_t slot,
	       bool is_chained)
{
	uint64_t ra;

	if (!walk_read_word(walk, slot, &ra))
		return STEP_UNREADABLE;
	if (ra == 0)
		return STEP_ROOT;
	if (!fp_is_after_call(walk, ra) && !signal_is_return(walk, ra) &&
	    !(is_chained && walk_is_code(walk, ra)))
		return STEP_NO_RULE;
	regs->r[X86_RIP] = ra;
	regs->r[X86_RSP] = slot + 8;
	return STEP_CALLER;
}

/* Is OUTER what the frame at FP would have saved: the end, or further up? */
static bool
is_chain(uint64_t fp, uint64_t outer)
{
	return outer == 0 ||
	       (outer % 8 == 0 && outer > fp && outer - fp < FRAME_MAX);
}

enum step
fp_step(const struct walk *walk, struct regs *regs, bool keeps_frames)
{
	uint64_t fp = regs->r[X86_RBP], outer;
	enum step step;

	/* The ABI's first frame has a frame pointer of zero. */
	if (fp == 0)
		return STEP_ROOT;
	if (fp % 8 || fp < regs->r[X86_RSP])
		return STEP_NO_RULE;
	if (!walk_read_word(walk, fp, &outer))
		return STEP_UNREADABLE;
	step = return_through(walk, regs, fp + 8,
			      keeps_frames && is_chain(fp, outer));
	if (step == STEP_CALLER)
		regs->r[X86_RBP] = outer;
	return step;
}

/*
 * Between two instructions of a prologue or an epilogue the frame pointer is
 * still, or already, the caller's; by it the caller itself would be skipped.
 */
enum step
fp_step_leaf(const struct walk *walk, struct regs *regs)
{
	uint8_t code[4] = { 0 };
	uint64_t top, outer;

	walk->memory->read(walk->memory->ctx, walk->pc, code, sizeof(code));
	if (!memcmp(code, "\x48\x89\xe5", 3) &&		/* mov %rsp,%rbp */
	    walk_read_word(walk, regs->r[X86_RSP], &outer) &&
	    outer == regs->r[X86_RBP])
		return return_through(walk, regs, regs->r[X86_RSP] + 8,
				      false);
	if (code[0] == 0x55 || code[0] == 0xc3 ||	/* push %rbp; ret */
	    !memcmp(code, "\xf3\x0f\x1e\xfa", 4))	/* endbr64 */
		return return_through(walk, regs, regs->r[X86_RSP], false);
	if (!walk_read_word(walk, regs->r[X86_RSP], &top))
		return STEP_UNREADABLE;
	if (!is_called_here(walk, top))
		return STEP_NO_RULE;
	return return_through(walk, regs, regs->r[X86_RSP], false);
}

enum step
fp_step_scan(const struct walk *walk, struct regs *regs)
{
	uint64_t slot = regs->r[X86_RSP];
	unsigned i;

	for (i = 0; i < SCAN_WORDS; i++, slot += 8) {
		enum step step = return_through(walk, regs, slot, false);

		if (step == STEP_CALLER || step == STEP_UNREADABLE)
			return step;
	}
	return STEP_NO_RULE;
}
