/* SPDX-License-Identifier: MIT */
/*
 * relay.c - each thread works in leg() for so many milliseconds of its own
 * time, makes the next one and ends; the main thread waits.
 *
 *	relay [MILLISECONDS]
 *
 * What watches a thread that has ended must go on for its descendants.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "tests/targets/target.h"

static long milliseconds;

static long
cpu_ms(void)
{
	struct timespec at;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
	return at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

FRAME static void
leg(void)
{
	while (cpu_ms() < milliseconds)
		spin(20000);
}

static void *
runner(void *unused)
{
	pthread_t next;

	leg();
	if (pthread_create(&next, NULL, runner, NULL) == 0)
		pthread_detach(next);
	return unused;
}

int
main(int argc, char **argv)
{
	pthread_t first;

	milliseconds = argc > 1 ? atol(argv[1]) : 300;
	target_begin();
	pthread_create(&first, NULL, runner, NULL);
	pause();
	return 0;
}
