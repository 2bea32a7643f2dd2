/* SPDX-License-Identifier: MIT */
/*
 * clock.c - asks for the time without end: most of it in the kernel's page
 * [vdso]. Expected below main: asks_time, libc's clock_gettime, [vdso].
 */
#include <time.h>

#include "tests/targets/target.h"

FRAME static void
asks_time(void)
{
	struct timespec at;
	int i;

	for (i = 0; i < 1000; i++)
		clock_gettime(CLOCK_MONOTONIC, &at);
	STAY;
}

int
main(void)
{
	target_begin();
	for (;;)
		asks_time();
}
