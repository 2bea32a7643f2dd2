/* SPDX-License-Identifier: MIT */
/*
 * signals.c - counts what arrives of the signals that a child of it sends.
 *
 *	signals [QUEUED] [WAKES]
 *
 * First QUEUED signals with numbers, to a thread that is busy: they must
 * arrive in order, none missing. Then WAKES signals at about the moment at
 * which a thread begins to wait for them in epoll_pwait(2): each must be
 * handled and end its wait. Prints what was wrong.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "tests/targets/target.h"

#define WAIT_MS 2000

static volatile sig_atomic_t arrived, disorder, woken;

static void
on_number(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	disorder += info->si_value.sival_int != arrived;
	arrived++;
}

static void
on_wake(int signal)
{
	(void)signal;
	woken = 1;
}

static void
send_numbers(pid_t to, int count)
{
	union sigval value = { 0 };

	while (value.sival_int < count) {
		if (sigqueue(to, SIGRTMIN, value) == 0)
			value.sival_int++;
		else if (errno != EAGAIN)
			_exit(1);
		spin(20000);
	}
}

/* One for each turn that *TURN announces, a little later. */
static void
send_wakes(pid_t to, const _Atomic int *turn, int count)
{
	int i;

	for (i = 1; i <= count; i++) {
		while (atomic_load(turn) < i)
			spin(100);
		spin((unsigned long)rand() % 300000);
		kill(to, SIGUSR1);
	}
}

static long
wait_for_wakes(_Atomic int *turn, int count)
{
	struct epoll_event event;
	int fd = epoll_create1(0), i;
	sigset_t none, usr1;
	long lost = 0;

	sigemptyset(&none);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	for (i = 1; i <= count; i++) {
		woken = 0;
		atomic_store(turn, i);
		spin((unsigned long)rand() % 300000);
		if (epoll_pwait(fd, &event, 1, WAIT_MS, &none) != -1 ||
		    errno != EINTR || !woken)
			lost++;
	}
	return lost;
}

int
main(int argc, char **argv)
{
	int queued = argc > 1 ? atoi(argv[1]) : 10000;
	int wakes = argc > 2 ? atoi(argv[2]) : 5000;
	struct sigaction number = { .sa_sigaction = on_number,
				    .sa_flags = SA_SIGINFO };
	struct sigaction wake = { .sa_handler = on_wake };
	_Atomic int *turn = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	long lost;

	target_begin();
	sigaction(SIGRTMIN, &number, NULL);
	sigaction(SIGUSR1, &wake, NULL);
	sleep(1);
	if (fork() == 0) {
		send_numbers(getppid(), queued);
		send_wakes(getppid(), turn, wakes);
		_exit(0);
	}
	while (arrived < queued)
		spin(100000);
	lost = wait_for_wakes(turn, wakes);
	printf("%d arrived, %d in disorder, %ld waits not ended\n",
	       (int)arrived, (int)disorder, lost);
	return 0;
}
