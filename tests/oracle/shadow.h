/* SPDX-License-Identifier: MIT */
/*
 * shadow.h - the stack a thread must have, kept by watching its instructions.
 *
 * A call puts a return address there, a return takes it away, and a signal
 * puts what it interrupted below its handler:
 *
 *	call	push (return address, where on the stack it lies)
 *	ret	pop, if it takes what lies on top
 *	pop	of a return address into a register (vfork) or into memory
 *		(musl's sigsetjmp): it stays until something else happens to
 *		the stack, or a jump goes there
 *	signal	push what was interrupted, then where the handler returns to
 *	any	whatever lies below the stack pointer afterwards is gone
 *		(longjmp, exceptions); but when it goes to another stack (setcontext)
 *		those of the old one are put aside until it comes back, or
 *		are the callers of what is called there (OCaml 5)
 *
 * Nothing of it is an unwinder's knowledge, so it can judge one.
 */
#ifndef TESTS_ORACLE_SHADOW_H
#define TESTS_ORACLE_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/memory.h"

#define SHADOW_MAX 8192
#define INSTRUCTION_MAX 15
#define SHADOW_STACKS 16

enum shadow_kind {
	SHADOW_CALL,		/* PC is a return address, at SLOT */
	SHADOW_RESTORER,	/* PC is where a handler returns to, at SLOT */
	SHADOW_INTERRUPTED,	/* PC is the instruction a signal came before */
};

struct shadow_frame {
	enum shadow_kind kind;
	bool is_held;		/* not on the stack now */
	bool on_other;		/* what comes after it is on another stack */
	uint64_t pc, slot;
};

/* Frames of a stack that was left. */
struct shadow_aside {
	struct shadow_frame *frames;	/* owned */
	size_t n;			/* 0: none */
};

struct shadow {
	struct shadow_frame frames[SHADOW_MAX];	/* outermost first */
	size_t n;
	bool has_jumped;	/* the last step left frames without ret */
	bool is_new;		/* a stack whose first function is still to be
				   entered: nothing is known */
	struct shadow_aside asides[SHADOW_STACKS];
	size_t left;		/* the one put aside last */
	struct shadow_frame stored;	/* what was popped into memory last */
};

/* What the instruction at CODE is, as far as it matters here. */
enum shadow_step {
	STEP_OTHER, STEP_CALL, STEP_RET, STEP_POP, STEP_STORE, STEP_SYSCALL,
};
enum shadow_step shadow_decode(const uint8_t *code, size_t len);

/*
 * The instruction STEP at BEFORE was executed, and AFTER are the registers
 * now; TOP is the word at rsp there.
 */
void shadow_stepped(struct shadow *shadow, enum shadow_step step,
		    const struct regs *before, const struct regs *after,
		    uint64_t top);

/* A handler was entered instead; TOP is the word at its rsp. */
void shadow_signalled(struct shadow *shadow, const struct regs *interrupted,
		      const struct regs *handler, uint64_t top);

#endif
