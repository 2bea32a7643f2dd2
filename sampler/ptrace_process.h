/* SPDX-License-Identifier: MIT */
/*
 * ptrace_process.h - the processes and threads that sampling by ptrace(2)
 * watches, kept up to date from /proc.
 *
 * Nothing tells us of new threads, exec or new mappings without being the
 * tracer all the time, so /proc is asked: the threads every 20 to 100 ms (the
 * oftener the less it is since some came or went), the program's identity with
 * each sample, the mappings when an address is in none of them.
 */
#ifndef SAMPLER_PTRACE_PROCESS_H
#define SAMPLER_PTRACE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/ptrace_lines.h"
#include "sampler/ptrace_stop.h"
#include "sampler/sampler.h"
#include "sampler/space.h"

struct watched_thread {
	pid_t tid;
	uint64_t start;
	char comm[16];
	int syscall_fd;		/* of /proc/PID/task/TID/syscall, or -1 */
	bool has_vanished;	/* ended, or its id is another thread's now */
	bool is_refused;	/* the last attempt to attach was */
	uint64_t due_ns;	/* look again */
	uint64_t owed;		/* samples, by a stop that has not come */

	/*
	 * The part of its runnable time that it has a CPU, of SHARE_ALL; what
	 * schedstat said last, and the sums of late that the share is from.
	 */
	uint32_t share, credit;
	uint64_t run_ns, wait_ns, share_ns;
	uint64_t ran_ns, waited_ns;
};
#define SHARE_ALL 65536u

struct watched_process {
	const struct target *target;
	struct target *own;	/* the same, if it is ours to free */
	struct space *space;
	uint64_t image;		/* which program it runs (procstat.h) */
	bool is_held;		/* waits for its exec: no samples */
	bool is_refused;	/* a child that we may not trace */
	bool has_ended;
	struct watched_thread *threads;		/* by tid */
	size_t count, capacity;
	pid_t *tids;				/* as last listed */
	size_t tid_count;
	uint64_t list_ns, change_ns;	/* next listing; threads came or went */
	bool was_listed;

	uint32_t share;		/* of a thread that nothing is known of */
	struct maps *seen;	/* as last read */
	uint64_t image_ns, maps_ns, maps_cost_ns;	/* last exec, reading */

	/* This window's stops, and what the rate was lowered to. */
	uint64_t window_ns, window_stopped_ns, window_samples;
	unsigned slowdown;	/* period is doubled so often */
	unsigned stopped_permille;	/* in the last window */
};

/*
 * Watch TARGET (taken over if IS_OURS). HOLD: not before its next exec.
 * Returns a new process the caller frees.
 */
struct watched_process *process_watch(struct target *target, bool is_ours,
				      const struct sampler_config *config,
				      const struct sink *sink,
				      struct waiting *waiting);

/* No thread may be attached any more. */
void process_unwatch(struct watched_process *process);

/*
 * List the threads if it is time for it, and tell the sink who came and went,
 * and what samples are lost as a thread ran before it was seen. New ones are
 * due within PERIOD_NS, at random. Returns whether it was time.
 */
struct listing {
	const struct sampler_config *config;
	const struct sink *sink;
	uint64_t now_ns, period_ns;
	uint64_t *random;
};
bool process_list_threads(struct watched_process *process,
			  const struct listing *listing);

/*
 * The processes that its threads have started and that live: at most MAX.
 * Returns how many were written.
 */
size_t process_children(const struct watched_process *process, pid_t *pids,
			size_t max);

/* Valid until the next listing; or NULL. */
struct watched_thread *process_thread(struct watched_process *process,
				      pid_t tid);

/* Where is THREAD now? *NUMBER is its call's. */
enum thread_place process_look(const struct watched_process *process,
			       struct watched_thread *thread, long *number);

/*
 * THREAD is runnable: shall this look count? True as often as it then has a
 * CPU, and is not waiting for one.
 */
bool process_has_cpu(struct watched_process *process,
		     struct watched_thread *thread, uint64_t now_ns);

/*
 * After a stop: its name may be new, and the program another one. False if
 * the sample is of a program that is gone, or none is wanted yet.
 */
bool process_verify(struct watched_process *process,
		    struct watched_thread *thread, const struct sink *sink);

/*
 * Bring the mappings up to date, unless that was done not long ago: it holds
 * up the target's own mmap(2). Ten times a second when it is young, every 10 s
 * when it is old. So a library that takes another's place is named wrongly for
 * a while. Returns whether they were read.
 */
bool process_read_maps(struct watched_process *process, uint64_t now_ns);

/* A number evenly in [0, BOUND). */
uint64_t random_below(uint64_t *state, uint64_t bound);

#endif
