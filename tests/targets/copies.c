/* SPDX-License-Identifier: MIT */
/*
 * copies.c - functions of libc that have many names at one address:
 *
 *	main > copies > memcpy, by whatever name its variant has here
 *	     > measures > strlen, likewise
 *	     > asks > clock_gettime, which is __clock_gettime too
 */
#include <string.h>
#include <time.h>

#include "tests/targets/target.h"

#define SIZE (256 << 10)

static char from[SIZE], to[SIZE];

FRAME static void
copies(void *(*volatile copy)(void *, const void *, size_t))
{
	for (int i = 0; i < 300; i++)
		copy(to, from, SIZE);
	STAY;
}

FRAME static void
measures(size_t (*volatile measure)(const char *))
{
	for (int i = 0; i < 300; i++)
		measure(from);
	STAY;
}

FRAME static void
asks(void)
{
	struct timespec at;

	for (int i = 0; i < 50000; i++)
		clock_gettime(CLOCK_MONOTONIC, &at);
	STAY;
}

int
main(void)
{
	target_begin();
	memset(from, 'x', SIZE - 1);
	for (;;) {
		copies(memcpy);
		measures(strlen);
		asks();
	}
}
