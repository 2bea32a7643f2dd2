/* SPDX-License-Identifier: MIT */
/*
 * pool.c - a pool of THREADS that mostly sleep, as servers have it, and one
 * thread that is busy.
 *
 *	work > busy		all the time
 *	serve > answer		a moment twice a second, in each of the pool
 */
#include <pthread.h>
#include <stdlib.h>

#include "tests/targets/target.h"

FRAME static void
answer(void)
{
	spin(1000000);
	STAY;
}

static void *
serve(void *number)
{
	usleep((useconds_t)(((size_t)number * 7919 % 500) * 1000));
	for (;;) {
		answer();
		usleep(500000);
	}
	return NULL;
}

FRAME static void
busy(void)
{
	spin(100000000);
	STAY;
}

int
main(int argc, char **argv)
{
	size_t i, threads = argc > 1 ? (size_t)atoi(argv[1]) : 1;
	pthread_attr_t small;
	pthread_t thread;

	target_begin();
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (i = 0; i < threads; i++)
		pthread_create(&thread, &small, serve, (void *)i);
	puts("ready");
	for (;;)
		busy();
}
