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

static void
await_call(const struct waiter *waiter)
{
	int i;

	for (i = 0; i < PATIENCE_MS && !is_waiting(waiter->pid); i++)
		usleep(1000);
	assert_true(is_waiting(waiter->pid));
}

static struct waiter
start_waiter(void)
{
	struct waiter waiter;
	int event[2], outcome[2];

	assert_int_equal(pipe(event), 0);
	assert_int_equal(pipe(outcome), 0);
	waiter.pid = fork();
	if (waiter.pid == 0)
		wait_in_child(event[0], outcome[1]);
	close(event[0]);
	close(outcome[1]);
	waiter.event = event[1];
	waiter.outcome = outcome[0];
	await_call(&waiter);
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

/* What each test has: somebody who waits, and who may stop it. */
struct scene {
	struct waiter waiter;
	struct stopper *stopper;
};

static int
begin(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	scene->waiter = start_waiter();
	scene->stopper = calloc(1, sizeof(*scene->stopper));
	assert_non_null(scene->stopper);
	scene->stopper->stack_bytes = 16384;
	stop_open(scene->stopper);
	*state = scene;
	return 0;
}

static void
let_go(struct scene *scene)
{
	if (scene->stopper)
		stop_close(scene->stopper, SECOND);
	free(scene->stopper);
	scene->stopper = NULL;
}

static int
end(void **state)
{
	struct scene *scene = *state;

	let_go(scene);
	end_waiter(&scene->waiter);
	free(scene);
	return 0;
}

/* Stop the waiter in its call, which a sampler does by mistake only. */
static void
stop_in_call(struct scene *scene)
{
	struct stopper *stopper = scene->stopper;
	struct stop stop;

	if (stop_begin(stopper, scene->waiter.pid, NULL) == STOP_REFUSED)
		skip();
	assert_int_equal(stop_next(stopper, SECOND / 2, &stop), STOP_TAKEN);
	assert_int_equal(stop.tid, scene->waiter.pid);
	assert_true(stopper->regs.r[X86_RIP] != 0);
	assert_true(stopper->stack_len > 0);
}

/* What the call waits for comes, and the call returns with it. */
static void
expect_event(const struct scene *scene)
{
	assert_int_equal(write(scene->waiter.event, "x", 1), 1);
	assert_int_equal(outcome_of(&scene->waiter).result, 1);
}

/* The signal that was sent is handled, and the call fails with EINTR. */
static void
expect_cut(struct scene *scene)
{
	struct outcome seen;
	struct stop stop;

	while (scene->stopper->count)
		stop_next(scene->stopper, SECOND / 2, &stop);
	seen = outcome_of(&scene->waiter);
	assert_int_equal(seen.errnum, EINTR);
	assert_int_equal(seen.handled, 1);
}

static void
a_call_cut_by_the_stop_goes_on(void **state)
{
	struct scene *scene = *state;

	stop_in_call(scene);
	assert_int_equal(scene->stopper->restarts, 1);
	expect_event(scene);
}

/* Else every test here would pass whatever the code does. */
static void
without_repeating_it_fails(void **state)
{
	struct scene *scene = *state;
	struct outcome seen;

	scene->stopper->no_repeat = true;
	stop_in_call(scene);
	seen = outcome_of(&scene->waiter);
	assert_int_equal(seen.result, -1);
	assert_int_equal(seen.errnum, EINTR);
}

static void
the_end_lets_go_without_cutting_the_call(void **state)
{
	struct scene *scene = *state;

	stop_in_call(scene);
	let_go(scene);
	expect_event(scene);
}

static void
a_signal_that_waits_at_the_stop_cuts_the_call(void **state)
{
	struct scene *scene = *state;
	struct stop stop;

	if (stop_begin(scene->stopper, scene->waiter.pid, NULL) ==
	    STOP_REFUSED)
		skip();
	kill(scene->waiter.pid, SIGUSR1);
	stop_next(scene->stopper, SECOND / 2, &stop);
	expect_cut(scene);
}

/*
 * On one CPU with us the child cannot make its call again before the signal
 * is there.
 */
static void
a_signal_before_the_call_is_made_again_cuts_it(void **state)
{
	struct scene *scene = *state;
	cpu_set_t before, here;

	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&here);
	CPU_SET((size_t)sched_getcpu(), &here);
	sched_setaffinity(0, sizeof(here), &here);
	sched_setaffinity(scene->waiter.pid, sizeof(here), &here);
	stop_in_call(scene);
	kill(scene->waiter.pid, SIGUSR1);
	expect_cut(scene);
	sched_setaffinity(0, sizeof(before), &before);
}

static void
a_signal_after_the_call_is_made_again_cuts_it(void **state)
{
	struct scene *scene = *state;

	stop_in_call(scene);
	await_call(&scene->waiter);
	kill(scene->waiter.pid, SIGUSR1);
	expect_cut(scene);
}

/* It would not be seen by a thread that nobody traces. */
static void
a_signal_without_effect_cuts_nothing(void **state)
{
	struct scene *scene = *state;
	struct stop stop;

	stop_in_call(scene);
	await_call(&scene->waiter);
	kill(scene->waiter.pid, SIGWINCH);
	assert_int_equal(stop_next(scene->stopper, SECOND / 2, &stop),
			 STOP_GONE);
	assert_int_equal(scene->stopper->restarts, 2);
	expect_event(scene);
}

static void
a_thread_that_dies_is_forgotten(void **state)
{
	struct scene *scene = *state;
	struct stopper *stopper = scene->stopper;
	pid_t pid = scene->waiter.pid;
	struct stop stop;

	stop_in_call(scene);
	assert_int_equal(stopper->count, 1);
	kill(pid, SIGKILL);
	assert_int_equal(stop_next(stopper, SECOND / 2, &stop), STOP_GONE);
	assert_int_equal(stopper->count, 0);
	assert_int_equal(stop_begin(stopper, pid, NULL), STOP_GONE);
}

static void
a_beat_is_there_only_while_somebody_is_attached(void **state)
{
	struct scene *scene = *state;
	struct stop_watch watch = { .since_ns = 0 };

	scene->stopper->watch = &watch;
	stop_in_call(scene);
	assert_true(watch.since_ns > 0);
	assert_int_equal(watch.tids[0], scene->waiter.pid);
	usleep(150000);
	/* Late, but it is not stopped. */
	assert_false(stop_watch_is_late(&watch, SECOND / 10));
	kill(scene->waiter.pid, SIGUSR1);
	usleep(50000);
	/* Now it is, for its signal, and nobody comes. */
	assert_true(stop_watch_is_late(&watch, SECOND / 10));
	let_go(scene);
	assert_true(watch.since_ns == 0);
}

#define in_scene(test) cmocka_unit_test_setup_teardown(test, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		in_scene(a_call_cut_by_the_stop_goes_on),
		in_scene(without_repeating_it_fails),
		in_scene(the_end_lets_go_without_cutting_the_call),
		in_scene(a_signal_that_waits_at_the_stop_cuts_the_call),
		in_scene(a_signal_before_the_call_is_made_again_cuts_it),
		in_scene(a_signal_after_the_call_is_made_again_cuts_it),
		in_scene(a_signal_without_effect_cuts_nothing),
		in_scene(a_thread_that_dies_is_forgotten),
		in_scene(a_beat_is_there_only_while_somebody_is_attached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
