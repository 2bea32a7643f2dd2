/* SPDX-License-Identifier: MIT */
/*
 * leadgone.c - the main thread ends, another works on in worker(). What /proc
 * says of the process as a whole is then empty.
 */
#include <pthread.h>

#include "tests/targets/target.h"

FRAME static void *
worker(void *unused)
{
	(void)unused;
	for (;;)
		spin(1000000);
}

int
main(void)
{
	pthread_t thread;

	target_begin();
	pthread_create(&thread, NULL, worker, NULL);
	usleep(50000);
	pthread_exit(NULL);
}
