/* SPDX-License-Identifier: MIT */
/*
 * contexts.c - stacks that are left for others and come back: by swapcontext,
 * setcontext and longjmp, while a timer's signals fall anywhere.
 *
 * What a stack has on top when it is left is what such code finds there when
 * it comes back and has not put its return address there yet: here an address
 * behind a call, one of a function, zero, and one of the stack. argv[1] is
 * how often all is done.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>

#define KEPT __attribute__((noinline, noclone))
#define FIBERS 4
#define ROOM 262144		/* so far apart that they are told apart */

static char rooms[FIBERS][ROOM];
static ucontext_t here, fibers[FIBERS], again;
static volatile unsigned sink;
static sigjmp_buf back;
static unsigned times;

KEPT static unsigned
work(unsigned n)
{
	unsigned i, total = 0;

	for (i = 0; i < n; i++)
		total += sink + i;
	return total;
}

static void
on_timer(int number)
{
	(void)number;
	sink += work(3);
}

/* Leave FROM for TO with WORD on top of the stack. */
KEPT static void
leave(ucontext_t *from, ucontext_t *to, void *word)
{
	void *volatile top[2] = { word, word };
	struct itimerval once = { { 0, 0 }, { 0, 300 + sink++ % 37 * 100 } };

	setitimer(ITIMER_REAL, &once, NULL);
	swapcontext(from, to);
	sink += top[0] != top[1];
}

static void
let_signals_in(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(how, &set, NULL);
}

static void
body(int number)
{
	void *const words[] = { __builtin_return_address(0), (void *)work,
				NULL, &number };
	unsigned i;

	let_signals_in(SIG_UNBLOCK);
	for (i = 0; i < times; i++) {
		sink += work(2);
		leave(&fibers[number], &here,
		      i % 2 ? words[i / 2 % 4] :
			      __builtin_extract_return_addr(words[0]));
	}
	if (number == 1)
		siglongjmp(back, 1);
	if (number == 2)
		setcontext(&again);
}

/* Back to a point that was passed already, on the same stack. */
KEPT static void
pass_twice(void)
{
	volatile int passed = 0;

	getcontext(&again);
	sink += work(2);
	if (!passed++)
		setcontext(&again);
}

KEPT static void
run_fibers(void)
{
	unsigned i, round;

	for (i = 0; i < FIBERS; i++) {
		getcontext(&fibers[i]);
		fibers[i].uc_stack.ss_sp = rooms[i];
		fibers[i].uc_stack.ss_size = ROOM;
		fibers[i].uc_link = &here;
		makecontext(&fibers[i], (void (*)(void))body, 1, (int)i);
	}
	for (round = 0; round < times; round++)
		for (i = 0; i < FIBERS; i++)
			leave(&here, &fibers[i],
			      round % 3 ? NULL : __builtin_return_address(0));
}

/* They end: by their link, by a jump, by a context that was passed. */
KEPT static void
end_fibers(void)
{
	volatile unsigned ended = 0;

	leave(&here, &fibers[0], NULL);
	if (!sigsetjmp(back, 1))
		leave(&here, &fibers[1], NULL);
	getcontext(&again);
	if (!ended++)
		leave(&here, &fibers[2], NULL);
	leave(&here, &fibers[3], (void *)work);
}

int
main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_timer,
				    .sa_flags = SA_RESTART };

	times = argc > 1 ? (unsigned)atoi(argv[1]) : 4;
	sigaction(SIGALRM, &action, NULL);
	let_signals_in(SIG_BLOCK);
	pass_twice();
	run_fibers();
	let_signals_in(SIG_UNBLOCK);
	pass_twice();
	end_fibers();
	printf("%u\n", sink);
	return 0;
}
