/* SPDX-License-Identifier: MIT */
/*
 * target.h - what programs share that know their own stacks.
 *
 * FRAME keeps a function a frame of its own; STAY after a call keeps it from
 * becoming a jump, and two alike functions from becoming one. No target
 * outlives the test that forgot it by more than five minutes; or an hour, where
 * tests are long.
 */
#ifndef TESTS_TARGETS_TARGET_H
#define TESTS_TARGETS_TARGET_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FRAME __attribute__((noinline))
#define STAY __asm__ volatile("# line %c0" : : "i"(__LINE__))

/* N rounds of nothing, the same for everybody. */
static inline void
spin(unsigned long n)
{
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n));
}

static inline void
target_begin(void)
{
	alarm(getenv("FLAMETOP_LONG") ? 3600 : 300);
	setvbuf(stdout, NULL, _IOLBF, 0);
}

#endif
