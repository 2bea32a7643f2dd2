/* SPDX-License-Identifier: MIT */
/*
 * churn.c - threads that live for some milliseconds, one after the other.
 *
 *	churn [THREADS] [MILLISECONDS] [PAUSE_MS]
 *
 * Each is busy in brief() for MILLISECONDS of its own time (20 by default).
 * Prints how many there were after THREADS (without end by default).
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "tests/targets/target.h"

static long cpu_ms(void)
{
	struct timespec at;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
	return at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

FRAME static void *
brief(void *milliseconds)
{
	while (cpu_ms() < *(const long *)milliseconds)
		spin(20000);
	return NULL;
}

int
main(int argc, char **argv)
{
	long threads = argc > 1 ? atol(argv[1]) : -1;
	long milliseconds = argc > 2 ? atol(argv[2]) : 20;
	unsigned pause_ms = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
	pthread_t thread;
	long i;

	target_begin();
	for (i = 0; i != threads; i++) {
		if (pthread_create(&thread, NULL, brief, &milliseconds))
			return 1;
		pthread_join(thread, NULL);
		usleep(pause_ms * 1000);
	}
	printf("%ld threads\n", i);
	return 0;
}
