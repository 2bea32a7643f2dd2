/* SPDX-License-Identifier: MIT */
/*
 * witness.c - sleeps in calls that a stop of the thread makes fail with EINTR
 * and that nobody restarts (signal(7)). Prints a line for each that failed;
 * expected is silence after "ready".
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

#include "tests/targets/target.h"

#define MINUTE_MS 60000

static void
complain(const char *call, long result)
{
	if (result < 0 && errno == EINTR)
		printf("%s: %s\n", call, strerror(errno));
}

static void *
in_epoll_wait(void *unused)
{
	int fd = epoll_create1(0);
	struct epoll_event event;

	(void)unused;
	for (;;)
		complain("epoll_wait", epoll_wait(fd, &event, 1, MINUTE_MS));
}

static void *
in_sigtimedwait(void *unused)
{
	struct timespec timeout = { .tv_sec = 60 };
	sigset_t set;

	(void)unused;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (;;)
		complain("sigtimedwait", sigtimedwait(&set, NULL, &timeout));
}

static void *
in_semop(void *unused)
{
	struct sembuf take = { .sem_op = -1 };
	int id = semget(IPC_PRIVATE, 1, 0600);

	(void)unused;
	for (;;)
		complain("semop", semop(id, &take, 1));
}

static void *
in_recv(void *unused)
{
	struct timeval timeout = { .tv_sec = 60 };
	int pair[2];
	char byte;

	(void)unused;
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &timeout,
		   sizeof(timeout));
	for (;;)
		complain("recv", recv(pair[0], &byte, 1, 0));
}

static void *
in_inotify(void *unused)
{
	int fd = inotify_init1(0);
	char event[512];

	(void)unused;
	for (;;)
		complain("read of inotify", read(fd, event, sizeof(event)));
}

static void *
in_poll(void *unused)
{
	(void)unused;
	for (;;)
		complain("poll", poll(NULL, 0, MINUTE_MS));
}

int
main(void)
{
	static void *(*const calls[])(void *) = {
		in_epoll_wait, in_sigtimedwait, in_semop,
		in_recv,       in_inotify,	in_poll,
	};
	pthread_t thread;
	size_t i;

	target_begin();
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		pthread_create(&thread, NULL, calls[i], NULL);
	printf("ready\n");
	for (;;)
		spin(1000000);
}
