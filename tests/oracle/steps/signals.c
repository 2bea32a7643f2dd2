/* SPDX-License-Identifier: MIT */
/*
 * signals.c - handlers on both kinds of stack, nested, and left by longjmp.
 *
 * The timer's signals fall on any instruction of what they interrupt. argv[1]
 * is how often all is done; with argv[2] no handler has a stack of its own.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

static volatile unsigned sink;
static sigjmp_buf back;

KEPT static unsigned
leaf(unsigned n)
{
	return n * 7 + 1;
}

KEPT static unsigned
work(unsigned n)
{
	char room[64];
	unsigned i, total = 0;

	memset(room, (int)n, sizeof(room));
	for (i = 0; i < n; i++)
		total += leaf(i) + (unsigned)room[i % sizeof(room)];
	return total;
}

KEPT static void
on_timer(int number)
{
	(void)number;
	sink += work(3);
}

KEPT static void
on_inner(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	sink += work(4);
}

KEPT static void
on_outer(int number)
{
	(void)number;
	sink += work(2);
	raise(SIGUSR2);
	sink += work(2);
}

KEPT static void
on_leave(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static void
handle(int number, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler,
				    .sa_flags = flags };

	sigaction(number, &action, NULL);
}

int
main(int argc, char **argv)
{
	static char room[65536];
	stack_t stack = { .ss_sp = room, .ss_size = sizeof(room) };
	struct sigaction inner = { .sa_sigaction = on_inner,
				   .sa_flags = SA_SIGINFO | SA_ONSTACK };
	int i, times = argc > 1 ? atoi(argv[1]) : 20;

	if (argc < 3)
		sigaltstack(&stack, NULL);
	sigaction(SIGUSR2, &inner, NULL);
	handle(SIGUSR1, on_outer, 0);
	handle(SIGALRM, on_timer, SA_RESTART);
	handle(SIGURG, on_leave, SA_NODEFER);
	for (i = 0; i < times; i++) {
		struct itimerval once = { { 0, 0 }, { 0, 1000 + i % 7 * 3000 } };

		setitimer(ITIMER_REAL, &once, NULL);
		sink += work(20);
		raise(i % 2 ? SIGUSR1 : SIGUSR2);
		if (!sigsetjmp(back, 1))
			raise(SIGURG);
	}
	printf("%u\n", sink);
	return 0;
}
