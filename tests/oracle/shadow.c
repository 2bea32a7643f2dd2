/* SPDX-License-Identifier: MIT */
/*
 * shadow.c - calls and returns, one instruction after the other.
 */
#include "tests/oracle/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define RT_SIGRETURN 15
#define APART 65536		/* so far off is another stack: more than any
				   frame has, the kernel's of a signal, too */

static bool
is_prefix(uint8_t byte)
{
	return byte == 0xf2 || byte == 0xf3 || byte == 0x66 || byte == 0x67 ||
	       byte == 0x2e || byte == 0x3e || byte == 0x26 || byte == 0x36 ||
	       byte == 0x64 || byte == 0x65 || (byte & 0xf0) == 0x40;
}

enum shadow_step
shadow_decode(const uint8_t *code, size_t len)
{
	size_t i = 0;

	while (i + 1 < len && is_prefix(code[i]))
		i++;
	if (i + 1 >= len)
		return STEP_OTHER;
	if (code[i] == 0xe8 || (code[i] == 0xff && (code[i + 1] >> 3 & 7) == 2))
		return STEP_CALL;
	if (code[i] == 0xc3 || code[i] == 0xc2)
		return STEP_RET;
	if ((code[i] & 0xf8) == 0x58)
		return STEP_POP;
	if (code[i] == 0x8f)
		return STEP_STORE;
	if (code[i] == 0x0f && code[i + 1] == 0x05)
		return STEP_SYSCALL;
	return STEP_OTHER;
}

static void
push(struct shadow *shadow, enum shadow_kind kind, uint64_t pc, uint64_t slot)
{
	if (shadow->n < SHADOW_MAX)
		shadow->frames[shadow->n++] =
			(struct shadow_frame){ .kind = kind, .pc = pc,
					       .slot = slot };
}

static struct shadow_frame *
top_of(struct shadow *shadow)
{
	return shadow->n ? &shadow->frames[shadow->n - 1] : NULL;
}

/* Back to what a signal interrupted. */
static void
pop_signal(struct shadow *shadow)
{
	while (shadow->n)
		if (shadow->frames[--shadow->n].kind == SHADOW_INTERRUPTED)
			return;
}

/* Frames that SP has gone past, on the stack that it is on. */
static size_t
pop_left(struct shadow *shadow, uint64_t sp)
{
	struct shadow_frame *top;
	size_t n = 0;

	for (; (top = top_of(shadow)); n++, shadow->n--)
		if (top->on_other || top->slot >= sp ||
		    (top->is_held && top->slot + 8 == sp))
			break;
	return n;
}

/* Does PC lie in a register now? */
static bool
has_in_register(const struct regs *regs, uint64_t pc)
{
	size_t i;

	for (i = 0; i < X86_COUNT; i++)
		if (regs->r[i] == pc)
			return true;
	return false;
}

/* Has the top's return address been taken off the stack, and kept? */
static bool
is_taken(struct shadow *shadow, enum shadow_step step,
	 const struct regs *before, const struct regs *after)
{
	struct shadow_frame *top = top_of(shadow);

	if (before->r[X86_RSP] != top->slot ||
	    after->r[X86_RSP] != top->slot + 8)
		return false;
	if (step == STEP_STORE)
		shadow->stored = *top;
	/* What lay there may be another's: of an exception's handler. */
	return step == STEP_STORE ||
	       (step == STEP_POP && has_in_register(after, top->pc));
}

/* The top's return address is, or was, elsewhere. True: all is said. */
static bool
hold(struct shadow *shadow, enum shadow_step step, const struct regs *before,
     const struct regs *after, uint64_t word)
{
	struct shadow_frame *top = top_of(shadow);
	uint64_t now = after->r[X86_RSP];

	if (!top)
		return false;
	if (top->is_held) {
		if (now == top->slot && word == top->pc)
			top->is_held = false;
		if (now != top->slot + 8)
			return !top->is_held;
		if (after->r[X86_RIP] == top->pc)
			shadow->n--;
		return true;
	}
	top->is_held = is_taken(shadow, step, before, after);
	return top->is_held;
}

/* A jump to SP, where musl's sigsetjmp has taken its return address away. */
static void
come_back(struct shadow *shadow, uint64_t sp)
{
	if (!shadow->has_jumped || shadow->stored.slot + 8 != sp)
		return;
	push(shadow, SHADOW_CALL, shadow->stored.pc, shadow->stored.slot);
	top_of(shadow)->is_held = true;
}

/* --- other stacks */

static bool
is_apart(uint64_t a, uint64_t b)
{
	return a - b > APART && b - a > APART;
}

/* Does SP, which no call, ret or pop has set, lie beyond what is known? */
static bool
is_elsewhere(const struct shadow *shadow, uint64_t before, uint64_t sp)
{
	return shadow->n && (sp > shadow->frames[0].slot + 8 ||
			     (sp < before && before - sp > APART));
}

static bool
is_of(const struct shadow_aside *aside, uint64_t sp)
{
	return aside->n && aside->frames[aside->n - 1].slot < sp &&
	       sp <= aside->frames[0].slot + 8;
}

static void
put_aside(struct shadow *shadow)
{
	size_t size = shadow->n * sizeof(*shadow->frames), i = 0;

	while (i < SHADOW_STACKS - 1 && shadow->asides[i].n)
		i++;
	free(shadow->asides[i].frames);
	shadow->asides[i].frames = xcalloc(1, size);
	memcpy(shadow->asides[i].frames, shadow->frames, size);
	shadow->asides[i].n = shadow->n;
	shadow->left = i;
	shadow->n = 0;
}

static void
take_up(struct shadow *shadow, size_t i)
{
	shadow->n = shadow->asides[i].n;
	shadow->asides[i].n = 0;
	memcpy(shadow->frames, shadow->asides[i].frames,
	       shadow->n * sizeof(*shadow->frames));
}

/*
 * To the stack where SP is now. What left it by a call has its return address
 * elsewhere until that is pushed again.
 */
static void
change_stack(struct shadow *shadow, uint64_t sp)
{
	struct shadow_frame *top;
	size_t i = 0;

	put_aside(shadow);
	while (i < SHADOW_STACKS && !is_of(&shadow->asides[i], sp))
		i++;
	shadow->is_new = i == SHADOW_STACKS;
	if (shadow->is_new)
		return;
	take_up(shadow, i);
	top = top_of(shadow);
	top->is_held = top->slot + 8 == sp;
	if (!top->is_held)
		pop_left(shadow, sp);
}

/*
 * A new stack's first function is entered by ret: what it will return to was
 * put there by hand. Or who left the other stack calls it, and is its caller.
 */
static void
begin_stack(struct shadow *shadow, enum shadow_step step, uint64_t word,
	    uint64_t sp)
{
	if (step != STEP_RET && step != STEP_CALL)
		return;
	shadow->is_new = false;
	if (step == STEP_CALL) {
		take_up(shadow, shadow->left);
		top_of(shadow)->on_other = true;
	}
	push(shadow, step == STEP_CALL ? SHADOW_CALL : SHADOW_RESTORER, word,
	     sp);
}

/*
 * Between stacks of one chain: has the stack pointer come back from BEFORE to
 * where the top was left, or does it leave the top to call on a stack known?
 */
static bool
goes_back(struct shadow *shadow, uint64_t before, uint64_t sp)
{
	struct shadow_frame *top = top_of(shadow);

	if (!top || !top->on_other || !is_apart(before, sp) ||
	    is_apart(top->slot, sp))
		return false;
	top->on_other = false;
	return true;
}

static bool
goes_up(struct shadow *shadow, uint64_t before, uint64_t sp)
{
	struct shadow_frame *top = top_of(shadow);

	if (!top || !is_apart(before, sp))
		return false;
	top->on_other = true;
	return true;
}

/* What the stack pointer does that no call, ret or pop is. True: all is said. */
static bool
move(struct shadow *shadow, uint64_t before, uint64_t sp)
{
	if (goes_back(shadow, before, sp))
		return true;
	if (is_elsewhere(shadow, before, sp)) {
		change_stack(shadow, sp);
		shadow->has_jumped = true;
		return true;
	}
	return !shadow->is_new && goes_up(shadow, before, sp);
}

void
shadow_stepped(struct shadow *shadow, enum shadow_step step,
	       const struct regs *before, const struct regs *after,
	       uint64_t top)
{
	uint64_t sp = before->r[X86_RSP], now = after->r[X86_RSP];

	shadow->has_jumped = false;
	if (step == STEP_SYSCALL && before->r[X86_RAX] == RT_SIGRETURN) {
		pop_signal(shadow);
		return;
	}
	if (step == STEP_OTHER && move(shadow, sp, now))
		return;
	if (shadow->is_new)
		begin_stack(shadow, step, top, now);
	else if (step == STEP_CALL && now == sp - 8)
		push(shadow, SHADOW_CALL, top, now);
	else if (!hold(shadow, step, before, after, top))
		shadow->has_jumped = pop_left(shadow, now) > 0 &&
				     step != STEP_RET;
	come_back(shadow, now);
}

void
shadow_signalled(struct shadow *shadow, const struct regs *interrupted,
		 const struct regs *handler, uint64_t top)
{
	push(shadow, SHADOW_INTERRUPTED, interrupted->r[X86_RIP],
	     interrupted->r[X86_RSP]);
	if (shadow->n)
		shadow->frames[shadow->n - 1].on_other =
			interrupted->r[X86_RSP] - handler->r[X86_RSP] > APART;
	push(shadow, SHADOW_RESTORER, top, handler->r[X86_RSP]);
}
