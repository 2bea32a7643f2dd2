/* SPDX-License-Identifier: MIT */
/*
 * ptrace_wait.h - waiting for the stops of traced threads, with a deadline.
 *
 * How long a thread stays stopped is decided here: not by what is read of it,
 * but by how soon we run again once it has stopped. On an idle machine that
 * is at once. On a busy one only a tracer that sleeps in wait(2) is handed
 * the CPU that the tracee gives up; one that naps and looks again waits for
 * others' time slices, milliseconds of it. wait(2) has no time limit, so a
 * timer's signal cuts it short. Who may, takes real-time priority meanwhile.
 *
 * All calls come from one thread, the tracer. It must have no children of its
 * own: their ends would be taken here.
 */
#ifndef SAMPLER_PTRACE_WAIT_H
#define SAMPLER_PTRACE_WAIT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct stop_wait {
	timer_t timer;
	struct sigaction old_action;
	bool is_open, has_timer;
	bool may_hurry, is_hurrying;	/* real-time priority */
	int old_nice;
	int schedstat_fd;	/* this thread's own, or -1 */
	uint64_t clear_ns;	/* when nobody was stopped, the last we know */
};

/*
 * SIGRTMAX is used up, for this process. The calling thread gets the highest
 * ordinary priority, if it may.
 */
void wait_open(struct stop_wait *wait);
void wait_close(struct stop_wait *wait);	/* legal on a zeroed one */

/* Between these this thread goes before others, if it may. */
void wait_hurry(struct stop_wait *wait);
void wait_relax(struct stop_wait *wait);

#define WAIT_ANY (-1)

/*
 * Wait for the STATUS (wait(2)) of TID or of any tracee, for LIMIT_NS, less
 * than a second; 0 does not wait. Returns who it is; 0: nobody yet; -1: there
 * is no such tracee. WAIT.clear_ns is brought up to date.
 */
pid_t wait_for_stop(struct stop_wait *wait, pid_t tid, uint64_t limit_ns,
		    int *status);

#endif
