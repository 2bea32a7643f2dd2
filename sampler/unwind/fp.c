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

#define LEAF_REACH 4096		/* a leaf without a frame is shorter */
#define SCAN_WORDS 64
#define FIRST_REACH 32		/* bytes from its xor %ebp,%ebp to its call */
#define ARGC_MAX 65536
#define ENVIRONMENT_MAX 4096
#define AUXV_TYPES 64		/* linux/auxvec.h has some 50 */
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
	uint8_t code[6] = { 0 }, before = 0;
	uint64_t outer;

	*above = 0;
	if (!walk->memory->read(walk->memory->ctx, walk->pc, code,
				sizeof(code)))
		walk->memory->read(walk->memory->ctx, walk->pc, code, 1);
	if (code[0] == 0x55 || code[0] == 0xc3 ||	/* push %rbp; ret */
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

/*
 * By what the code from here to its ret does to the stack. It has been
 * followed without knowing which calls return, so the address must be one.
 */
static enum step
step_by_flow(const struct walk *walk, struct state *state)
{
	struct state caller = *state;
	struct code_facts facts;
	struct rule rule;
	enum step step;

	if (!code_rule(walk, state->regs.r[X86_RIP], &rule))
		return STEP_NO_RULE;
	step = compact_step(walk, &rule, &caller);
	if (step != STEP_CALLER)
		return step;
	facts = code_at(walk, caller.regs.r[X86_RIP]);
	if (!facts.is_after_call && !facts.is_signal_return)
		return STEP_NO_RULE;
	*state = caller;
	return STEP_CALLER;
}

/*
 * Does what the kernel leaves on the stack of a new process begin at ADDR?
 *
 *	argc, argv[0] ... argv[argc - 1], 0, environment ..., 0, type of auxv
 */
static bool
is_process_stack(const struct walk *walk, uint64_t addr)
{
	uint64_t argc, word = 1, at;
	unsigned i;

	if (!walk_read_word(walk, addr, &argc) || argc > ARGC_MAX)
		return false;
	at = addr + 8;
	if (argc && (!walk_read_word(walk, at, &word) || word <= addr))
		return false;
	at += argc * 8;
	if (!walk_read_word(walk, at, &word) || word)
		return false;
	for (i = 0, word = 1; i < ENVIRONMENT_MAX && word; i++) {
		at += 8;
		if (!walk_read_word(walk, at, &word) ||
		    (word && word <= addr))
			return false;
	}
	return !word && walk_read_word(walk, at + 8, &word) && word &&
	       word < AUXV_TYPES;
}

/*
 * Is this the first function of its thread, one without a way to a ret? A
 * process begins on a stack that looks like no other; a new thread's first
 * function puts zero into rbp (psABI 3.4.1) shortly before it calls.
 */
static bool
is_first(const struct walk *walk, const struct regs *regs)
{
	uint8_t code[FIRST_REACH];

	if (is_process_stack(walk, regs->r[X86_RSP]))
		return true;
	return !walk->is_leaf && regs->r[X86_RBP] == 0 &&
	       walk->memory->read(walk->memory->ctx,
				  regs->r[X86_RIP] - sizeof(code), code,
				  sizeof(code)) &&
	       memmem(code, sizeof(code), "\x31\xed", 2);
}

/* A leaf that has not made its frame yet, or has none or has left it. */
static enum step
step_from_leaf(const struct walk *walk, struct regs *regs)
{
	uint64_t top, above;
	enum step step;

	if (is_without_frame(walk, regs, &above)) {
		step = return_through(walk, regs, regs->r[X86_RSP] + above,
				      false);
		return step == STEP_ROOT ? STEP_NO_RULE : step;
	}
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
 * Code that keeps frame pointers, by them. A leaf may have none itself, and
 * code in which they have no meaning has zero in rbp from the first function
 * on: the end is where nothing else is found.
 */
static enum step
step_by_usual_chain(const struct walk *walk, struct regs *regs,
		    bool *is_guess)
{
	enum step step = step_by_chain(walk, regs, true), scan;

	if (walk->is_leaf ? step != STEP_ROOT && step != STEP_NO_RULE :
	    step != STEP_ROOT || walk->is_by_chain)
		return step;
	scan = step_by_scan(walk, regs, SCAN_WORDS);
	*is_guess |= walk->is_leaf || scan == STEP_CALLER;
	return scan == STEP_CALLER ? scan : step;
}

/* By frame pointers, and by what else may be tried where they fail. */
static enum step
step_by_pointer(const struct walk *walk, struct state *state,
		bool keeps_frames, bool *is_guess)
{
	enum step step;

	if (!(state->known & REG_BIT(X86_RBP)))
		return STEP_NEEDS;
	*is_guess |= !keeps_frames;
	step = keeps_frames ?
	       step_by_usual_chain(walk, &state->regs, is_guess) :
	       step_by_guess(walk, &state->regs);
	state->known = REGS_COMPACT;
	return step;
}

enum step
thumb_step(const struct walk *walk, struct state *state, bool keeps_frames,
	   bool *is_guess)
{
	uint64_t rip = state->regs.r[X86_RIP];
	enum step step = STEP_NO_RULE;

	if (code_at(walk, rip).is_signal_return ||
	    (walk->is_leaf &&
	     code_at(walk, rip - SIGNAL_RETURN_LEN).is_signal_return)) {
		step = signal_step(walk, &state->regs);
		state->known = step == STEP_SIGNAL ? REGS_ALL : REGS_COMPACT;
		return step;
	}
	if (walk->is_leaf || !walk->is_by_chain)
		step = step_by_flow(walk, state);
	if (step == STEP_NO_RULE && is_first(walk, &state->regs))
		return STEP_ROOT;
	if (step == STEP_NO_RULE && walk->is_leaf) {
		step = step_from_leaf(walk, &state->regs);
		state->known &= REGS_COMPACT;
	}
	if (step != STEP_NO_RULE)
		return step;
	return step_by_pointer(walk, state, keeps_frames, is_guess);
}
