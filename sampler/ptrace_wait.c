/* SPDX-License-Identifier: MIT */
/*
 * ptrace_wait.c - waiting for the stops of traced threads, with a deadline.
 */
#include "sampler/ptrace_wait.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sampler/clock.h"
#include "sampler/ptrace_lines.h"

#define SPIN_NS 30000		/* a thread on another CPU stops sooner */
#define SIGNAL SIGRTMAX
#define NICE (-20)

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid	/* as timer_create(2) has it */
#endif

/* It has done its work when wait(2) returns. */
static void
on_time_out(int signal)
{
	(void)signal;
}

void
wait_open(struct stop_wait *wait)
{
	struct sigaction action = { .sa_handler = on_time_out };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
				  .sigev_signo = SIGNAL };
	sigset_t set;

	event.sigev_notify_thread_id = gettid();
	sigemptyset(&set);
	sigaddset(&set, SIGNAL);
	/* Not blocked here, the SIGCHLD of each stop wakes nobody. */
	sigaddset(&set, SIGCHLD);
	sigaction(SIGNAL, &action, &wait->old_action);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	wait->is_open = true;
	wait->has_timer = timer_create(CLOCK_MONOTONIC, &event,
				       &wait->timer) == 0;
	wait->schedstat_fd = open("/proc/thread-self/schedstat",
				  O_RDONLY | O_CLOEXEC);
	/* Late looks are lost samples; ours is little work. May be refused. */
	wait->old_nice = getpriority(PRIO_PROCESS, (id_t)gettid());
	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
	/* Who was given another policy shall keep it. */
	wait->may_hurry = (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) ==
			  SCHED_OTHER;
}

void
wait_close(struct stop_wait *wait)
{
	if (!wait->is_open)
		return;
	if (wait->has_timer)
		timer_delete(wait->timer);
	sigaction(SIGNAL, &wait->old_action, NULL);
	setpriority(PRIO_PROCESS, (id_t)gettid(), wait->old_nice);
	if (wait->schedstat_fd >= 0)
		close(wait->schedstat_fd);
	*wait = (struct stop_wait){ .is_open = false };
}

void
wait_hurry(struct stop_wait *wait)
{
	struct sched_param first = { .sched_priority = 1 };

	if (wait->is_hurrying || !wait->may_hurry)
		return;
	wait->may_hurry = sched_setscheduler(0, SCHED_RR |
					     SCHED_RESET_ON_FORK, &first) == 0;
	wait->is_hurrying = wait->may_hurry;
}

/* Without privilege the flag can be set, and not be taken back. */
void
wait_relax(struct stop_wait *wait)
{
	struct sched_param none = { .sched_priority = 0 };

	if (!wait->is_hurrying)
		return;
	sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &none);
	wait->is_hurrying = false;
}

/* What waitpid() answers, with "nobody yet" as 0. */
static pid_t
answer(pid_t got)
{
	return got < 0 && errno == EINTR ? 0 : got;
}

static pid_t
look(struct stop_wait *wait, pid_t tid, int *status)
{
	uint64_t before = clock_now();
	pid_t got = answer(waitpid(tid, status,
				   __WALL | __WNOTHREAD | WNOHANG));

	if (got == 0)
		wait->clear_ns = before;
	return got;
}

/* Nanoseconds that this thread has spent awake without a CPU. */
static uint64_t
own_delay(const struct stop_wait *wait)
{
	uint64_t run_ns, wait_ns;
	char text[128];
	ssize_t len = wait->schedstat_fd < 0 ? 0 :
		      pread(wait->schedstat_fd, text, sizeof(text), 0);

	return len > 0 && lines_schedstat(text, (size_t)len, &run_ns,
					  &wait_ns) ? wait_ns : 0;
}

/*
 * The stop wakes us, so what passes from then until we run is our own delay.
 * The timer goes on after the deadline, lest we come too late to sleep.
 */
static pid_t
sleep_for_stop(struct stop_wait *wait, pid_t tid, uint64_t limit_ns,
	       int *status)
{
	const struct timespec limit = { .tv_nsec = (long)limit_ns };
	const struct itimerspec on = { limit, limit };
	const struct itimerspec off = { { 0, 0 }, { 0, 0 } };
	uint64_t delay = own_delay(wait), now;
	pid_t got;

	if (timer_settime(wait->timer, 0, &on, NULL) != 0)
		return 0;
	got = answer(waitpid(tid, status, __WALL | __WNOTHREAD));
	now = clock_now();
	timer_settime(wait->timer, 0, &off, NULL);
	wait->clear_ns = now - (own_delay(wait) - delay);
	return got;
}

pid_t
wait_for_stop(struct stop_wait *wait, pid_t tid, uint64_t limit_ns,
	      int *status)
{
	uint64_t end = clock_now() + (limit_ns < SPIN_NS ? limit_ns : SPIN_NS);
	pid_t got;

	do {
		got = look(wait, tid, status);
	} while (got == 0 && wait->clear_ns < end);
	if (got == 0 && limit_ns > SPIN_NS && wait->has_timer)
		got = sleep_for_stop(wait, tid, limit_ns, status);
	return got;
}
