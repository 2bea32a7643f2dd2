/* SPDX-License-Identifier: MIT */
/*
 * eintr.c - works a little, then waits a little in one of five calls that
 * fail with EINTR when their thread is stopped; each in a thread of its own.
 *
 *	eintr [SECONDS] [SPINS]
 *
 * Prints for each call how often it was made and how often it failed so, when
 * it ends, by SIGTERM or after SECONDS. Expected are no failures.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

#include "tests/targets/target.h"

#define MS 1000000l		/* nanoseconds */

enum { EPOLL_WAIT, SEMTIMEDOP, SIGTIMEDWAIT, RECV, EPOLL_PWAIT, CALLS };

static long made[CALLS], failed[CALLS];
static unsigned long spins = 200000;

static void
count(int call, long result)
{
	made[call]++;
	failed[call] += result < 0 && errno == EINTR;
	spin(spins);
}

static void *
do_epoll_wait(void *unused)
{
	int fd = epoll_create1(0);
	struct epoll_event event;

	(void)unused;
	for (;;)
		count(EPOLL_WAIT, epoll_wait(fd, &event, 1, 1));
}

static void *
do_semtimedop(void *unused)
{
	struct timespec timeout = { .tv_nsec = MS };
	struct sembuf take = { .sem_op = -1 };
	int id = semget(IPC_PRIVATE, 1, 0600);

	(void)unused;
	for (;;)
		count(SEMTIMEDOP, semtimedop(id, &take, 1, &timeout));
}

static void *
do_sigtimedwait(void *unused)
{
	struct timespec timeout = { .tv_nsec = MS };
	sigset_t set;

	(void)unused;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	for (;;)
		count(SIGTIMEDWAIT, sigtimedwait(&set, NULL, &timeout));
}

static void *
do_recv(void *unused)
{
	struct timeval timeout = { .tv_usec = 1000 };
	int pair[2];
	char byte;

	(void)unused;
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &timeout,
		   sizeof(timeout));
	for (;;)
		count(RECV, recv(pair[0], &byte, 1, 0));
}

static void *
do_epoll_pwait(void *unused)
{
	int fd = epoll_create1(0);
	struct epoll_event event;
	sigset_t all;

	(void)unused;
	sigfillset(&all);	/* the end is main's */
	for (;;)
		count(EPOLL_PWAIT, epoll_pwait(fd, &event, 1, 1, &all));
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void *(*run)(void *);
	} calls[CALLS] = {
		[EPOLL_WAIT] = { "epoll_wait", do_epoll_wait },
		[SEMTIMEDOP] = { "semtimedop", do_semtimedop },
		[SIGTIMEDWAIT] = { "sigtimedwait", do_sigtimedwait },
		[RECV] = { "recv", do_recv },
		[EPOLL_PWAIT] = { "epoll_pwait", do_epoll_pwait },
	};
	const struct timespec second = { .tv_sec = 1 };
	unsigned left = argc > 1 ? (unsigned)atoi(argv[1]) : 60;
	pthread_t thread;
	sigset_t set;
	int i;

	target_begin();
	if (argc > 2)
		spins = strtoul(argv[2], NULL, 10);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (i = 0; i < CALLS; i++)
		pthread_create(&thread, NULL, calls[i].run, NULL);
	for (sigemptyset(&set), sigaddset(&set, SIGTERM); left; left--)
		if (sigtimedwait(&set, NULL, &second) == SIGTERM)
			break;
	for (i = 0; i < CALLS; i++)
		printf("%s %ld failed %ld\n", calls[i].name, made[i],
		       failed[i]);
	return 0;
}
