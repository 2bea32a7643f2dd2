/* SPDX-License-Identifier: MIT */
/*
 * execloop.c - becomes itself again and again, from another thread each time.
 *
 *	execloop [TIMES] [SPINS]
 *
 * Even turns are busy in even_turn(), odd ones in odd_turn(); the last one
 * stays in last_turn().
 */
#include <pthread.h>
#include <stdlib.h>

#include "tests/targets/target.h"

static char **arguments;

FRAME static void
even_turn(unsigned long n)
{
	spin(n);
	STAY;
}

FRAME static void
odd_turn(unsigned long n)
{
	spin(n);
	STAY;
}

FRAME static void
last_turn(void)
{
	for (;;)
		spin(1000000);
}

static void *
become(void *unused)
{
	(void)unused;
	execv("/proc/self/exe", arguments);
	_exit(1);
}

int
main(int argc, char **argv)
{
	int turn = argc > 1 ? atoi(argv[1]) : 10;
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 100000000;
	char next[16], spins[32];
	char *again[] = { argv[0], next, spins, NULL };
	pthread_t thread;

	target_begin();
	if (turn <= 0)
		last_turn();
	if (turn % 2)
		odd_turn(n);
	else
		even_turn(n);
	snprintf(next, sizeof(next), "%d", turn - 1);
	snprintf(spins, sizeof(spins), "%lu", n);
	arguments = again;
	pthread_create(&thread, NULL, become, NULL);
	pthread_join(thread, NULL);
	return 1;
}
