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

#include "core/reader.h"
#include "sampler/unwind/step.h"

#define LEAF_REACH 4096		/* a leaf without a frame is shorter */
#define SCAN_WORDS 64
#define FRAME_MAX (1 << 20)	/* bytes of a frame that a chain may skip */

/* Does RA follow a direct call to the function that PC is in? */
static bool
is_called_here(const struct walk *walk, uint64_t ra)
{
	uint64_t start;

	return code_called(walk, ra, &start) && start <= walk->pc &&
	       walk->pc - start < LEAF_REACH;
}

/*
 * Go on at the return address in the stack word at SLOT, which must follow a
 * call, or end a signal's handler or, if IS_CHAINED, only lie in code.
 */
static enum step
return_through(const struct walk *walk, struct regs *regs, uint64_t slot,
	       bool is_chained)
{
	struct code_facts facts;
	uint64_t ra;

	if (!walk_read_word(walk, slot, &ra))
		return STEP_UNREADABLE;
	if (ra == 0)
		return STEP_ROOT;
	facts = code_at(walk, ra);
	if (!facts.is_after_call && !facts.is_signal_return &&
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

/*
 * The caller by the saved frame pointer. KEEPS_FRAMES: the code here always
 * saves it, so its chain proves a return address.
 */
static enum step
step_by_chain(const struct walk *walk, struct regs *regs, bool keeps_frames)
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

#define CODE_AHEAD 32

/* The bytes of code at the pc, as far as they can be read; how many. */
static size_t
read_code(const struct walk *walk, uint8_t code[CODE_AHEAD])
{
	size_t n = CODE_AHEAD;

	while (n && !walk->memory->read(walk->memory->ctx, walk->pc, code, n))
		n /= 2;
	return n;
}

/*
 * An instruction that takes a frame down, from CODE: what it does to rsp and
 * rbp in REGS. False if it is another one, or memory cannot be read.
 */
static bool
take_down(const struct walk *walk, struct reader *code, struct regs *regs)
{
	uint64_t *rsp = &regs->r[X86_RSP], *rbp = &regs->r[X86_RBP];
	uint8_t byte = reader_u8(code), second;

	if (byte == 0xc9) {				/* leave */
		*rsp = *rbp + 8;
		return walk_read_word(walk, *rbp, rbp);
	}
	if (byte == 0x41) {				/* pop %r8 to %r15 */
		*rsp += 8;
		return reader_u8(code) >> 3 == 0x58 >> 3;
	}
	if (byte >> 3 == 0x58 >> 3 && byte != 0x5c) {	/* pop, not %rsp */
		*rsp += 8;
		return byte != 0x5d || walk_read_word(walk, *rsp - 8, rbp);
	}
	if (byte != 0x48)
		return false;
	byte = reader_u8(code);
	second = reader_u8(code);
	if (byte == 0x83 && second == 0xc4)		/* add $x,%rsp */
		*rsp += (uint64_t)(int64_t)(int8_t)reader_u8(code);
	else if (byte == 0x81 && second == 0xc4)
		*rsp += (uint64_t)(int64_t)(int32_t)reader_u32(code);
	else if (byte == 0x8d && second == 0x65)	/* lea x(%rbp),%rsp */
		*rsp = *rbp + (uint64_t)(int64_t)(int8_t)reader_u8(code);
	else
		return false;
	return !code->failed;
}

/*
 * A leaf on its way out: by the instructions from its pc to its ret REGS are
 * what they will be before that ret.
 */
static bool
is_leaving(const struct walk *walk, struct regs *regs)
{
	uint8_t bytes[CODE_AHEAD];
	struct reader code = reader_of(bytes, read_code(walk, bytes));

	for (;;) {
		struct reader next = code;
		uint8_t byte = reader_u8(&next);

		if (byte == 0xf3 || byte == 0xf2)	/* rep ret, bnd ret */
			byte = reader_u8(&next);
		if (next.failed)
			return false;
		if (byte == 0xc3)
			return true;
		if (!take_down(walk, &code, regs))
			return false;
	}
}

/*
 * How many bytes above rsp the return address of a leaf lies, by the
 * instruction at its pc; false if that says nothing. Between two instructions
 * of a prologue or an epilogue the frame pointer is still, or already, the
 * caller's; by it the caller itself would be skipped. A stub of the PLT has
 * pushed nothing, or the number of its function.
 */
static bool
is_without_frame(const struct walk *walk, const struct regs *regs,
		 uint64_t *above)
{
	uint8_t code[CODE_AHEAD] = { 0 }, before = 0;
	uint64_t outer;

	*above = 0;
	read_code(walk, code);
	if (code[0] == 0x55 ||				/* push %rbp */
	    !memcmp(code, "\xf3\x0f\x1e\xfa", 4) ||	/* endbr64 */
	    !memcmp(code, "\xff\x25", 2) ||		/* jmp *x(%rip) */
	    !memcmp(code, "\xf2\xff\x25", 3) ||	/* bnd jmp */
	    (code[0] == 0x68 && code[5] == 0xe9))	/* push $x; jmp */
		return true;
	*above = 8;
	if (!memcmp(code, "\x48\x89\xe5", 3))		/* mov %rsp,%rbp */
		return walk_read_word(walk, regs->r[X86_RSP], &outer) &&
		       outer == regs->r[X86_RBP];
	return code[0] == 0xe9 &&			/* jmp after push $x */
	       walk->memory->read(walk->memory->ctx, walk->pc - 5, &before,
				  1) && before == 0x68;
}

/* A leaf that has not made its frame yet, or has none or has left it. */
static enum step
step_from_leaf(const struct walk *walk, struct regs *regs)
{
	struct regs left = *regs;
	uint64_t top, above;
	enum step step;

	if (is_leaving(walk, &left)) {
		step = return_through(walk, &left, left.r[X86_RSP], false);
		if (step == STEP_CALLER)
			*regs = left;
		return step;
	}
	if (is_without_frame(walk, regs, &above))
		return return_through(walk, regs, regs->r[X86_RSP] + above,
				      false);
	if (!walk_read_word(walk, regs->r[X86_RSP], &top))
		return STEP_UNREADABLE;
	if (!is_called_here(walk, top))
		return STEP_NO_RULE;
	return return_through(walk, regs, regs->r[X86_RSP], false);
}

/* The first of N words of the stack that looks like a return address. */
static enum step
step_by_scan(const struct walk *walk, struct regs *regs, unsigned n)
{
	uint64_t slot = regs->r[X86_RSP];
	unsigned i;

	for (i = 0; i < n; i++, slot += 8) {
		enum step step = return_through(walk, regs, slot, false);

		if (step == STEP_CALLER || step == STEP_UNREADABLE)
			return step;
	}
	return STEP_NO_RULE;
}

/*
 * Code whose functions usually have rules. This one has none, so nothing that
 * is tried is more than a guess, the end of the chain included.
 */
static enum step
step_by_guess(const struct walk *walk, struct regs *regs)
{
	enum step step = STEP_NO_RULE;

	if (walk->is_leaf)
		step = step_by_scan(walk, regs, 1);
	if (step != STEP_CALLER)
		step = step_by_chain(walk, regs, false);
	if (step != STEP_CALLER && step != STEP_UNREADABLE)
		step = step_by_scan(walk, regs, SCAN_WORDS);
	return step;
}

/*
 * A leaf whose code keeps frame pointers, by them. It may have none itself:
 * then what it has in rbp proves no end.
 */
static enum step
step_by_usual_chain(const struct walk *walk, struct regs *regs,
		    bool *is_guess)
{
	enum step step = step_by_chain(walk, regs, true), scan;

	if (!walk->is_leaf || (step != STEP_ROOT && step != STEP_NO_RULE))
		return step;
	*is_guess = true;
	scan = step_by_scan(walk, regs, SCAN_WORDS);
	return scan == STEP_CALLER ? scan : step;
}

enum step
thumb_step(const struct walk *walk, struct regs *regs, bool keeps_frames,
	   bool *is_guess)
{
	enum step step = STEP_NO_RULE;

	if (code_at(walk, regs->r[X86_RIP]).is_signal_return)
		return signal_step(walk, regs);
	if (walk->is_leaf)
		step = step_from_leaf(walk, regs);
	if (step != STEP_NO_RULE)
		return step;
	if (keeps_frames)
		return step_by_usual_chain(walk, regs, is_guess);
	*is_guess = true;
	return step_by_guess(walk, regs);
}
