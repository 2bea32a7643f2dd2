/* SPDX-License-Identifier: MIT */
/*
 * shares.c - four functions with 50, 30, 15 and 5 % of the time.
 *
 *	shares [THREADS] [SECONDS]
 *
 * They do units of equal work, 10, 6, 3 and 1 in each round of about two
 * milliseconds, below two callers:
 *
 *	work > left  > fifty, fifteen
 *	     > right > thirty, five
 *
 * Prints the units done when it ends by itself.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "tests/targets/target.h"

#define UNIT 100000ul

static unsigned long rounds;

FRAME static void
fifty(void)
{
	spin(10 * UNIT);
	STAY;
}

FRAME static void
thirty(void)
{
	spin(6 * UNIT);
	STAY;
}

FRAME static void
fifteen(void)
{
	spin(3 * UNIT);
	STAY;
}

FRAME static void
five(void)
{
	spin(1 * UNIT);
	STAY;
}

FRAME static void
left(void)
{
	fifty();
	fifteen();
	STAY;
}

FRAME static void
right(void)
{
	thirty();
	five();
	STAY;
}

static void *
work(void *end)
{
	do {
		left();
		right();
		__atomic_add_fetch(&rounds, 1, __ATOMIC_RELAXED);
	} while (time(NULL) < *(const time_t *)end);
	return NULL;
}

int
main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 1;
	time_t end = time(NULL) + (argc > 2 ? atoi(argv[2]) : 300);
	pthread_t thread;

	target_begin();
	while (--threads > 0)
		pthread_create(&thread, NULL, work, &end);
	work(&end);
	printf("fifty %lu thirty %lu fifteen %lu five %lu\n", rounds * 10,
	       rounds * 6, rounds * 3, rounds);
	return 0;
}
