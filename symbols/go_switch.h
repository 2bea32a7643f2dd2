/* SPDX-License-Identifier: MIT */
/*
 * go_switch.h - functions of Go's runtime that leave one stack for another.
 *
 *	systemstack	goroutine -> the thread's own stack (g0), and back
 *	morestack	the same, when a goroutine's stack has to grow
 *	asmcgocall	the same, to call C
 *	cgocallback	g0 -> goroutine, when C calls Go
 *	nanotime1 &c	as systemstack, with the old rsp in a register
 *
 * The address they left is in the runtime's records (g, m and gobuf of
 * src/runtime/runtime2.go), whose layout differs from version to version. But
 * these functions, which are assembly, read it from there themselves to come
 * back: so the offsets are taken out of their instructions. What does not
 * look as expected gets no rule, and a walk that meets it ends.
 *
 * The record of the running goroutine, g, is in r14 since Go 1.17. The walk
 * reads the records a little later than the registers, when the thread may be
 * somewhere else. So they are believed only if the frame pointer that was put
 * there is still the one that the registers lead to. That is the way of
 * samples without a trail (sampler/unwind/trail.h), which needs a record only
 * of who wanted more stack, where nothing else has kept that: of a version
 * whose instructions are others, only the stretches that leave a stack are
 * said.
 *
 * asyncPreempt changes no stack, but nothing has called it: a handler of a
 * signal made the thread go on there.
 */
#ifndef SYMBOLS_GO_SWITCH_H
#define SYMBOLS_GO_SWITCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/rows.h"
#include "symbols/pclntab.h"

/* Offsets in the runtime's records; plain value. */
struct go_layout {
	bool has_offsets;	/* all but G_BP */
	int32_t g_m;		/* g.m */
	int32_t m_curg;		/* m.curg */
	int32_t g_sp;		/* g.sched.sp; .pc lies behind it */
	int32_t g_bp;		/* g.sched.bp; 0: not known */
};

/* The code of FUNC; all borrowed. */
struct go_code {
	const struct pclntab *tab;
	const struct go_func *func;
	const uint8_t *bytes;	/* from func->start on */
	size_t len;
};

/* A stretch of code with a rule of its own. */
struct go_stretch {
	size_t from, to;	/* offsets in the function */
	bool is_full;		/* FULL with OPS, else RULE */
	struct rule rule;
	struct full_rule full;
	struct op ops[48];
	size_t nops;
};

#define GO_STRETCHES 4

/* Is NAME that of a function that changes stacks? */
bool go_switch_is(const char *name);

/* What CODE knows of it, which is any function; called with all of them. */
void go_switch_layout(const struct go_code *code, struct go_layout *layout);

/* Stretches of CODE, in order; returns how many. */
size_t go_switch_stretches(const struct go_code *code,
			   const struct go_layout *layout,
			   struct go_stretch out[GO_STRETCHES]);

#endif
