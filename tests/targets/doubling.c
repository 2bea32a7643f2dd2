/* SPDX-License-Identifier: MIT */
/*
 * doubling.c - a function whose share doubles on a signal.
 *
 *	doubling [SECONDS]
 *
 *	        hot  steady  even  rest		parts of a round
 *	before    4       4     4     8
 *	SIGUSR1   8       4     4     4
 */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "tests/targets/target.h"

#define UNIT 100000ul

static volatile sig_atomic_t has_doubled;

static void
on_signal(int number)
{
	(void)number;
	has_doubled = 1;
}

FRAME static void
hot(unsigned long parts)
{
	spin(parts * UNIT);
	STAY;
}

FRAME static void
steady(void)
{
	spin(4 * UNIT);
	STAY;
}

FRAME static void
even(void)
{
	spin(4 * UNIT);
	STAY;
}

FRAME static void
rest(unsigned long parts)
{
	spin(parts * UNIT);
	STAY;
}

int
main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 60);

	signal(SIGUSR1, on_signal);
	while (time(NULL) < end) {
		hot(has_doubled ? 8 : 4);
		steady();
		even();
		rest(has_doubled ? 4 : 8);
	}
	return 0;
}
