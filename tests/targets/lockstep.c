/* SPDX-License-Identifier: MIT */
/*
 * lockstep.c - two functions by turns, each for five milliseconds of its own
 * time: a sampler with a fixed period near ten milliseconds sees one of them
 * far too often. Expected: tick and tock with half of the time each.
 */
#include <time.h>

#include "tests/targets/target.h"

#define TURN_NS 5000000

static long
cpu_ns(void)
{
	struct timespec at;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
	return at.tv_sec * 1000000000 + at.tv_nsec;
}

FRAME static void
tick(long until)
{
	while (cpu_ns() < until)
		spin(5000);
}

FRAME static void
tock(long until)
{
	while (cpu_ns() < until)
		spin(5001);
}

int
main(void)
{
	long at = cpu_ns();

	target_begin();
	for (;;) {
		tick(at += TURN_NS);
		tock(at += TURN_NS);
	}
}
