/* SPDX-License-Identifier: MIT */
/*
 * contend.c - threads that fight for one lock, so that much of their time is
 * in the C library. Expected: in each of them fights() calls the library's
 * functions for locks, or holds().
 */
#include <pthread.h>

#include "tests/targets/target.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

FRAME static void
holds(void)
{
	spin(300);
	STAY;
}

FRAME static void *
fights(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		holds();
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int
main(void)
{
	pthread_t thread;

	target_begin();
	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, fights, NULL);
	fights(NULL);
}
