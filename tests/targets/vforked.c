/* SPDX-License-Identifier: MIT */
/*
 * vforked.c - one thread is held by vfork(2) for SECONDS, in the kernel where
 * no stop reaches it, and again and again; another is busy meanwhile.
 *
 *	vforked [MILLISECONDS]
 *
 * Prints a dot each time the first comes back.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "tests/targets/target.h"

FRAME static void *
work(void *unused)
{
	for (;;)
		spin(10000);
	return unused;
}

int
main(int argc, char **argv)
{
	useconds_t hold = (useconds_t)(argc > 1 ? atoi(argv[1]) : 1000) * 1000;
	pthread_t thread;
	pid_t child;

	target_begin();
	pthread_create(&thread, NULL, work, NULL);
	for (;;) {
		child = vfork();
		if (child == 0) {
			usleep(hold);
			_exit(0);
		}
		waitpid(child, NULL, 0);
		printf(".\n");
		spin(3000000);
	}
}
