/* SPDX-License-Identifier: MIT */
/*
 * coldpart.c - busy in the part of a function that the compiler has put far
 * away from the rest of it, with an unwind entry of its own. Expected:
 *
 *	main > calls_it > rarely.cold
 */
#include <stdlib.h>

#include "tests/targets/target.h"

__attribute__((cold)) FRAME static void
mark(volatile int *at)
{
	*at += 1;
}

FRAME static int
rarely(volatile int *at, int is_odd)
{
	char room[64];

	snprintf(room, sizeof(room), "%d", is_odd);
	if (is_odd) {
		mark(at);
		spin(100000000);
		mark(at);
	}
	return room[0] + *at;
}

FRAME static int
calls_it(volatile int *at)
{
	int sum = rarely(at, !(*at & 1));

	STAY;
	return sum;
}

int
main(void)
{
	volatile int count = 0;

	target_begin();
	for (;;)
		calls_it(&count);
}
