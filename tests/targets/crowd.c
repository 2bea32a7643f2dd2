/* SPDX-License-Identifier: MIT */
/*
 * crowd.c - many threads at once, all in crowd_work(), each named by number.
 *
 *	crowd [THREADS] [LATER]
 *
 * After a line "ready", LATER more threads are made one second on, each by
 * another of the first, so that only those who watch all of them see all.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "tests/targets/target.h"

static int later, named;

static void *member(void *may_make);

FRAME static void
crowd_work(void)
{
	spin(3000000);
	usleep(1000);
}

FRAME static void
make_another(void)
{
	pthread_t thread;
	static int no;

	sleep(1);
	pthread_create(&thread, NULL, member, &no);
}

static void *
member(void *may_make)
{
	char name[16];

	snprintf(name, sizeof(name), "crowd-%d",
		 __atomic_add_fetch(&named, 1, __ATOMIC_RELAXED));
	prctl(PR_SET_NAME, name);
	if (*(const int *)may_make &&
	    __atomic_fetch_sub(&later, 1, __ATOMIC_RELAXED) > 0)
		make_another();
	for (;;)
		crowd_work();
}

int
main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 200, i;
	static int yes = 1;
	pthread_t thread;

	target_begin();
	later = argc > 2 ? atoi(argv[2]) : 0;
	for (i = 0; i < threads; i++)
		if (pthread_create(&thread, NULL, member, &yes))
			return 1;
	printf("ready\n");
	pause();
	return 0;
}
