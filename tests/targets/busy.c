/* SPDX-License-Identifier: MIT */
/*
 * busy.c - THREADS threads that are busy for ever, and a main one that waits.
 *
 *	busy [THREADS] [SECONDS]
 *
 * Ends after SECONDS, if given, and prints how many million rounds were made.
 */
#include <pthread.h>
#include <stdlib.h>

#include "tests/targets/target.h"

#define THREADS 64
#define ROUNDS 10000

static struct {
	volatile unsigned long count;
	char apart[56];		/* of the next one's cache line */
} rounds[THREADS];

FRAME static void *
work(void *place)
{
	for (;; ++*(volatile unsigned long *)place)
		spin(ROUNDS);
	return NULL;
}

int
main(int argc, char **argv)
{
	int i, threads = argc > 1 ? atoi(argv[1]) : 1;
	unsigned left = argc > 2 ? (unsigned)atoi(argv[2]) : 300;
	unsigned long sum = 0;
	pthread_t thread;

	target_begin();
	for (i = 0; i < threads && i < THREADS; i++)
		pthread_create(&thread, NULL, work, (void *)&rounds[i].count);
	while (left)
		left = sleep(left);
	for (i = 0; i < THREADS; i++)
		sum += rounds[i].count;
	printf("%lu\n", sum * ROUNDS / 1000000);
	return 0;
}
