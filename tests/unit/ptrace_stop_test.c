/* SPDX-License-Identifier: MIT */
#include "sampler/ptrace_stop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sampler/procstat.h"
#include "sampler/ptrace_lines.h"

#define PATIENCE_MS 5000
#define SECOND 1000000000ull

/* How the child's one epoll_wait() ended. */
struct outcome {
	int result, errnum, handled;
};

/* A child that waits in epoll_wait() without a time limit. */
struct waiter {
	pid_t pid;
	int event, outcome;	/* write to the one, read from the other */
};

static volatile sig_atomic_t handled;

static void
on_signal(int signal)
{
	(void)signal;
	handled++;
}

static void
wait_in_child(int event, int outcome)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct epoll_event ready = { .events = EPOLLIN };
	int epoll = epoll_create1(0);
	struct outcome seen;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigaction(SIGUSR1, &action, NULL);
	epoll_ctl(epoll, EPOLL_CTL_ADD, event, &ready);
	seen.result = (int)syscall(SYS_epoll_wait, epoll, &ready, 1, -1);
	seen.errnum = seen.result < 0 ? errno : 0;
	/* The thread sanitizer runs handlers at the next call it knows. */
	usleep(1);
	seen.handled = handled;
	if (write(outcome, &seen, sizeof(seen)) != sizeof(seen))
		_exit(1);
	for (;;)
		pause();
}

static bool
is_waiting(pid_t pid)
{
	char path[64], text[256];
	long number;
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/syscall", (int)pid);
	len = proc_read(AT_FDCWD, path, text, sizeof(text));
	return len > 0 && lines_syscall(text, (size_t)len, &number) ==
	       PLACE_CALL && number == SYS_epoll_wait;
}

static struct waiter
start_waiter(void)
{
	struct waiter waiter;
	int event[2], outcome[2];
	int i;

	assert_int_equal(pipe(event), 0);
	assert_int_equal(pipe(outcome), 0);
	waiter.pid = fork();
	if (waiter.pid == 0)
		wait_in_child(event[0], outcome[1]);
	close(event[0]);
	close(outcome[1]);
	waiter.event = event[1];
	waiter.outcome = outcome[0];
	for (i = 0; i < PATIENCE_MS && !is_waiting(waiter.pid); i++)
		usleep(1000);
	assert_true(is_waiting(waiter.pid));
	return waiter;
}

static struct outcome
outcome_of(const struct waiter *waiter)
{
	struct pollfd ready = { .fd = waiter->outcome, .events = POLLIN };
	struct outcome seen = { .result = -99 };

	if (poll(&ready, 1, PATIENCE_MS) == 1)
		assert_int_equal(read(waiter->outcome, &seen, sizeof(seen)),
				 sizeof(seen));
	return seen;
}

static void
end_waiter(struct waiter *waiter)
{
	kill(waiter->pid, SIGKILL);
	waitpid(waiter->pid, NULL, 0);
	close(waiter->event);
	close(waiter->outcome);
}

static struct stopper *
new_stopper(void)
{
	struct stopper *stopper = calloc(1, sizeof(*stopper));

	assert_non_null(stopper);
	stopper->stack_bytes = 16384;
	stop_open(stopper);
	return stopper;
}

static void
free_stopper(struct stopper *stopper)
{
	stop_close(stopper, SECOND);
	free(stopper);
}

/* Stop WAITER in its call, which a sampler does by mistake only. */
static void
stop_in_call(struct stopper *stopper, const struct waiter *waiter)
{
	struct stop stop;

	if (stop_begin(stopper, waiter->pid, NULL) == STOP_REFUSED)
		skip();
	assert_int_equal(stop_next(stopper, SECOND / 2, &stop), STOP_TAKEN);
	assert_int_equal(stop.tid, waiter->pid);
	assert_true(stopper->regs.r[X86_RIP] != 0);
	assert_true(stopper->stack_len > 0);
}

static bool
write_event(const struct waiter *waiter)
{
	return write(waiter->event, "x", 1) == 1;
}

static void
a_call_cut_by_the_stop_goes_on(void **state)
{
	struct waiter waiter = start_waiter();
	struct stopper *stopper = new_stopper();
	struct outcome seen;

	(void)state;
	stop_in_call(stopper, &waiter);
	assert_int_equal(stopper->restarts, 1);
	assert_true(write_event(&waiter));
	seen = outcome_of(&waiter);
	assert_int_equal(seen.result, 1);
	free_stopper(stopper);
	end_waiter(&waiter);
}

/* Else every test here would pass whatever the code does. */
static void
without_repeating_it_fails(void **state)
{
	struct waiter waiter = start_waiter();
	struct stopper *stopper = new_stopper();
	struct outcome seen;

	(void)state;
	stopper->no_repeat = true;
	stop_in_call(stopper, &waiter);
	seen = outcome_of(&waiter);
	assert_int_equal(seen.result, -1);
	assert_int_equal(seen.errnum, EINTR);
	free_stopper(stopper);
	end_waiter(&waiter);
}

static void
the_end_lets_go_without_cutting_the_call(void **state)
{
	struct waiter waiter = start_waiter();
	struct stopper *stopper = new_stopper();
	struct outcome seen;

	(void)state;
	stop_in_call(stopper, &waiter);
	free_stopper(stopper);
	assert_true(write_event(&waiter));
	seen = outcome_of(&waiter);
	assert_int_equal(seen.result, 1);
	end_waiter(&waiter);
}

static void
a_signal_that_waits_at_the_stop_cuts_the_call(void **state)
{
	struct waiter waiter = start_waiter();
	struct stopper *stopper = new_stopper();
	struct outcome seen;
	struct stop stop;

	(void)state;
	if (stop_begin(stopper, waiter.pid, NULL) == STOP_REFUSED)
		skip();
	kill(waiter.pid, SIGUSR1);
	stop_next(stopper, SECOND / 2, &stop);
	while (stopper->count)
		stop_next(stopper, SECOND / 2, &stop);
	seen = outcome_of(&waiter);
	assert_int_equal(seen.errnum, EINTR);
	assert_int_equal(seen.handled, 1);
	free_stopper(stopper);
	end_waiter(&waiter);
}

/*
 * On one CPU with us the child cannot make its call again before the signal
 * is there.
 */
static void
a_signal_before_the_call_is_made_again_cuts_it(void **state)
{
	struct waiter waiter = start_waiter();
	struct stopper *stopper = new_stopper();
	cpu_set_t before, here;
	struct outcome seen;
	struct stop stop;

	(void)state;
	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&here);
	CPU_SET((size_t)sched_getcpu(), &here);
	sched_setaffinity(0, sizeof(here), &here);
	sched_setaffinity(waiter.pid, sizeof(here), &here);
	stop_in_call(stopper, &waiter);
	kill(waiter.pid, SIGUSR1);
	while (stopper->count)
		stop_next(stopper, SECOND / 2, &stop);
	seen = outcome_of(&waiter);
	assert_int_equal(seen.errnum, EINTR);
	assert_int_equal(seen.handled, 1);
	sched_setaffinity(0, sizeof(before), &before);
	free_stopper(stopper);
	end_waiter(&waiter);
}

static void
a_signal_after_the_call_is_made_again_cuts_it(void **state)
{
	struct waiter waiter = start_waiter();
	struct stopper *stopper = new_stopper();
	struct outcome seen;
	struct stop stop;

	(void)state;
	stop_in_call(stopper, &waiter);
	while (!is_waiting(waiter.pid))
		usleep(1000);
	kill(waiter.pid, SIGUSR1);
	while (stopper->count)
		stop_next(stopper, SECOND / 2, &stop);
	seen = outcome_of(&waiter);
	assert_int_equal(seen.errnum, EINTR);
	assert_int_equal(seen.handled, 1);
	free_stopper(stopper);
	end_waiter(&waiter);
}

/* It would not be seen by a thread that nobody traces. */
static void
a_signal_without_effect_cuts_nothing(void **state)
{
	struct waiter waiter = start_waiter();
	struct stopper *stopper = new_stopper();
	struct outcome seen;
	struct stop stop;

	(void)state;
	stop_in_call(stopper, &waiter);
	while (!is_waiting(waiter.pid))
		usleep(1000);
	kill(waiter.pid, SIGWINCH);
	assert_int_equal(stop_next(stopper, SECOND / 2, &stop), STOP_GONE);
	assert_int_equal(stopper->restarts, 2);
	assert_true(write_event(&waiter));
	seen = outcome_of(&waiter);
	assert_int_equal(seen.result, 1);
	free_stopper(stopper);
	end_waiter(&waiter);
}

static void
a_thread_that_dies_is_forgotten(void **state)
{
	struct waiter waiter = start_waiter();
	struct stopper *stopper = new_stopper();
	struct stop stop;

	(void)state;
	stop_in_call(stopper, &waiter);
	assert_int_equal(stopper->count, 1);
	kill(waiter.pid, SIGKILL);
	assert_int_equal(stop_next(stopper, SECOND / 2, &stop), STOP_GONE);
	assert_int_equal(stopper->count, 0);
	assert_int_equal(stop_begin(stopper, waiter.pid, NULL), STOP_GONE);
	free_stopper(stopper);
	end_waiter(&waiter);
}

static void
a_beat_is_there_only_while_somebody_is_attached(void **state)
{
	struct waiter waiter = start_waiter();
	struct stopper *stopper = new_stopper();
	struct stop_watch watch = { .since_ns = 0 };

	(void)state;
	stopper->watch = &watch;
	stop_in_call(stopper, &waiter);
	assert_true(watch.since_ns > 0);
	assert_int_equal(watch.tids[0], waiter.pid);
	usleep(150000);
	/* Late, but it is not stopped. */
	assert_false(stop_watch_is_late(&watch, SECOND / 10));
	kill(waiter.pid, SIGUSR1);
	usleep(50000);
	/* Now it is, for its signal, and nobody comes. */
	assert_true(stop_watch_is_late(&watch, SECOND / 10));
	free_stopper(stopper);
	assert_true(watch.since_ns == 0);
	end_waiter(&waiter);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_cut_by_the_stop_goes_on),
		cmocka_unit_test(without_repeating_it_fails),
		cmocka_unit_test(the_end_lets_go_without_cutting_the_call),
		cmocka_unit_test(a_signal_that_waits_at_the_stop_cuts_the_call),
		cmocka_unit_test(
			a_signal_before_the_call_is_made_again_cuts_it),
		cmocka_unit_test(a_signal_after_the_call_is_made_again_cuts_it),
		cmocka_unit_test(a_signal_without_effect_cuts_nothing),
		cmocka_unit_test(a_thread_that_dies_is_forgotten),
		cmocka_unit_test(
			a_beat_is_there_only_while_somebody_is_attached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
