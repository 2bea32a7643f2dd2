/* SPDX-License-Identifier: MIT */
/*
 * ptrace.c - sampling where perf events are refused, with no harm done.
 *
 * Each thread is looked at about HZ times a second, at moments of its own that
 * no target can be in step with: gaps are spread evenly between half a period
 * and one and a half. A look reads /proc; only a thread that runs is stopped,
 * one at a time (sampler/ptrace_stop.h), and unwound when it runs again.
 *
 * What a sample counts is CPU time. On a busy machine a thread is runnable
 * longer than it runs, and /proc does not tell the two apart, so of the looks
 * that find it runnable only that part counts which it has a CPU, by the
 * kernel's own account of its waiting (schedstat). Then shares between
 * threads are right, samples add up to CPU time, and a thread that only waits
 * is not stopped.
 *
 * The harm is bounded: when the stops take more than their budget of the
 * target's running time the period is doubled, and samples count double.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>

#include "sampler/clock.h"
#include "sampler/ptrace_process.h"
#include "sampler/ptrace_stop.h"
#include "sampler/refusal.h"
#include "sampler/sampler.h"
#include "sampler/space.h"
#include "sampler/waiting.h"

#define SECOND 1000000000ull
#define SOON_NS 1000000		/* wait for a stop so long at first, */
#define DEADLINE_NS 20000000	/* for that of a sleeper, */
#define PATIENCE_NS 200000000	/* of one that waits for a CPU; then not */
#define POLL_NS 10000000	/* without a look at WAKE_FD, meanwhile */
#define END_NS 500000000	/* stop() waits no longer for one */
#define SLACK_NS 1000000	/* many threads are looked at in groups */
#define SLACK_THREADS 8
#define WINDOW_NS (4 * SECOND)	/* the budget is kept over */
#define BUDGET_PERMILLE 10	/* of the target's time, by default */
#define SLOWDOWN_MAX 6
#define PROCESSES 1024		/* watched at once, with children */

struct ptrace_sampler {
	struct sampler_config config;
	const struct sink *sink;
	struct watched_process **processes;
	size_t count, capacity;
	uint64_t period_ns, random, skips;

	struct waiting waiting;
	struct stopper stopper;
};

/* --- a sample */

/* The thread runs again; what was read of it is in the stopper. */
static void
deliver(struct ptrace_sampler *s, struct watched_process *process,
	struct watched_thread *thread)
{
	struct raw_sample raw = {
		.time_ns = s->stopper.wait.clear_ns,
		.tid = thread->tid,
		.kind = KIND_CPU,
		.weight = thread->owed << process->slowdown,
		.has_regs = true,
		.regs = s->stopper.regs,
		.stack = s->stopper.stack,
		.stack_len = s->stopper.stack_len,
	};

	process->window_samples += thread->owed;
	thread->owed = 0;
	if (!process_verify(process, thread, s->sink))
		return;
	process_read_maps(process, raw.time_ns);
	space_sample(process->space, &raw);
}

/*
 * Wait LIMIT_NS for a stop, and make a sample of it. Returns whose it was, or
 * 0 if none came.
 */
static pid_t
take_next(struct ptrace_sampler *s, uint64_t limit_ns)
{
	uint64_t before = s->stopper.stopped_ns;
	struct watched_process *process;
	struct watched_thread *thread;
	struct stop stop;
	enum stop_result result = stop_next(&s->stopper, limit_ns, &stop);

	if (result == STOP_PENDING)
		return 0;
	process = stop.owner;
	if (!process)
		return stop.tid;
	process->window_stopped_ns += s->stopper.stopped_ns - before;
	thread = process_thread(process, stop.tid);
	if (thread && result == STOP_TAKEN) {
		deliver(s, process, thread);
	} else if (thread && thread->owed) {
		s->sink->lost(s->sink->ctx, thread->owed << process->slowdown);
		thread->owed = 0;
	}
	return stop.tid;
}

/*
 * One that is runnable comes to its stop when it gets a CPU. If that is not
 * at once we go on with others when we are before them all in the queue for a
 * CPU ourselves; else wait for it, or several would stop while we cannot run.
 * One that sleeps in the kernel is left to come when it likes.
 */
static void
take_sample(struct ptrace_sampler *s, struct watched_process *process,
	    struct watched_thread *thread)
{
	enum stop_result result = stop_begin(&s->stopper, thread->tid, process);
	bool is_first = s->stopper.wait.is_hurrying;
	uint64_t end = clock_now() + (is_first ? 0 : PATIENCE_NS);
	pid_t tid = thread->tid;
	long number;

	thread->is_refused = result == STOP_REFUSED;
	thread->owed = result == STOP_PENDING;
	if (!thread->owed)
		return;
	while (take_next(s, is_first ? SOON_NS : DEADLINE_NS) != tid &&
	       clock_now() < end)
		if (process_look(process, thread, &number) != PLACE_RUNNING)
			break;
}

/* --- a look */

static void
look_at(struct ptrace_sampler *s, struct watched_process *process,
	struct watched_thread *thread, uint64_t missed)
{
	enum thread_place place;
	long number;

	place = process_look(process, thread, &number);
	s->skips += place == PLACE_CALL;
	if (place != PLACE_RUNNING || process->is_held)
		return;
	if (!process_has_cpu(process, thread, clock_now()))
		return;
	if (missed)
		s->sink->lost(s->sink->ctx, missed << process->slowdown);
	/* It has not run since it was asked: the same stack once more. */
	if (thread->owed)
		thread->owed++;
	else
		take_sample(s, process, thread);
}

/* Move THREAD's next look past NOW; returns how many were missed. */
static uint64_t
schedule(struct ptrace_sampler *s, struct watched_thread *thread,
	 uint64_t period_ns, uint64_t now_ns)
{
	uint64_t missed = 0;

	thread->due_ns += period_ns / 2 + random_below(&s->random, period_ns);
	if (thread->due_ns + period_ns < now_ns) {
		missed = (now_ns - thread->due_ns) / period_ns;
		thread->due_ns = now_ns + random_below(&s->random, period_ns);
	}
	return missed;
}

/* Look at every thread of PROCESS that is due; returns when the next is. */
static uint64_t
look_at_due(struct ptrace_sampler *s, struct watched_process *process,
	    uint64_t now_ns)
{
	uint64_t period = s->period_ns << process->slowdown;
	uint64_t slack = process->count > SLACK_THREADS ? SLACK_NS : 0;
	uint64_t next = process->list_ns;
	size_t i;

	for (i = 0; i < process->count; i++) {
		struct watched_thread *thread = &process->threads[i];

		if (thread->due_ns <= now_ns + slack && !thread->has_vanished)
			look_at(s, process, thread,
				schedule(s, thread, period, now_ns));
		if (thread->due_ns < next && !thread->has_vanished)
			next = thread->due_ns;
	}
	return next;
}

/* --- the budget */

/*
 * Stopped time is held against the target's running time, which samples
 * measure, or the clock's when it runs less: so no thread is slowed by more
 * than the budget on the average, however many there are.
 */
static void
keep_budget(struct ptrace_sampler *s, struct watched_process *process,
	    uint64_t now_ns)
{
	uint64_t permille = s->config.stop_permille ? s->config.stop_permille :
			    BUDGET_PERMILLE;
	uint64_t length, ran, allowed;

	if (!process->window_ns)
		process->window_ns = now_ns;
	length = now_ns - process->window_ns;
	if (length < WINDOW_NS)
		return;
	ran = process->window_samples * s->period_ns << process->slowdown;
	allowed = (ran > length ? ran : length) / 1000 * permille;
	process->stopped_permille =
		(unsigned)(process->window_stopped_ns /
			   ((ran > length ? ran : length) / 1000));
	if (process->window_stopped_ns > allowed &&
	    process->slowdown < SLOWDOWN_MAX)
		process->slowdown++;
	else if (process->window_stopped_ns < allowed / 4 && process->slowdown)
		process->slowdown--;
	process->window_ns = now_ns;
	process->window_stopped_ns = process->window_samples = 0;
}

/* --- the sampler */

static void
add_process(struct ptrace_sampler *s, struct target *target, bool is_ours)
{
	s->processes = grow(s->processes, s->count, &s->capacity,
			    sizeof(struct watched_process *));
	s->processes[s->count++] = process_watch(target, is_ours, &s->config,
						 s->sink, &s->waiting);
}

static bool
is_watched(const struct ptrace_sampler *s, pid_t pid)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (target_pid(s->processes[i]->target) == pid &&
		    !s->processes[i]->has_ended)
			return true;
	return false;
}

static void
follow_children(struct ptrace_sampler *s, const struct watched_process *parent)
{
	pid_t pids[PROCESSES];
	size_t i, n = process_children(parent, pids, ARRAY_LEN(pids));
	struct target *target;

	for (i = 0; i < n && s->count < PROCESSES; i++) {
		if (is_watched(s, pids[i]) ||
		    !target_open(pids[i], &target, NULL))
			continue;
		add_process(s, target, true);
		s->processes[s->count - 1]->is_refused =
			!refusal_allows_ptrace(target, NULL);
	}
}

static bool
has_pending(const struct ptrace_sampler *s,
	    const struct watched_process *process)
{
	size_t i;

	for (i = 0; i < s->stopper.count; i++)
		if (s->stopper.pending[i].owner == process)
			return true;
	return false;
}

/* Children come and go; the processes that were asked for stay. */
static void
bury_children(struct ptrace_sampler *s)
{
	size_t i, kept = 0;

	for (i = 0; i < s->count; i++) {
		struct watched_process *process = s->processes[i];

		if (process->own && process->has_ended &&
		    !has_pending(s, process))
			process_unwatch(process);
		else
			s->processes[kept++] = process;
	}
	s->count = kept;
}

static void
list_threads(struct ptrace_sampler *s, uint64_t now_ns)
{
	struct listing listing = { &s->config, s->sink, now_ns, s->period_ns,
				   &s->random };
	bool has_ended = false;
	size_t i;

	for (i = 0; i < s->count; i++) {
		struct watched_process *process = s->processes[i];

		if (process_list_threads(process, &listing) &&
		    s->config.follow && !process->has_ended)
			follow_children(s, process);
		keep_budget(s, process, now_ns);
		has_ended |= process->has_ended;
	}
	if (has_ended && s->config.follow)
		bury_children(s);
}

static bool
has_ended(const struct ptrace_sampler *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (!s->processes[i]->has_ended &&
		    !s->processes[i]->is_refused)
			return false;
	return true;
}

static void
ptrace_stop(void *state)
{
	struct ptrace_sampler *s = state;
	size_t i;

	stop_close(&s->stopper, END_NS);
	if (s->sink)
		waiting_finish(&s->waiting, s->sink);
	for (i = 0; i < s->count; i++)
		process_unwatch(s->processes[i]);
	free(s->processes);
	s->processes = NULL;
	s->count = 0;
}

static bool
ptrace_start(void *state, struct target *const *targets, size_t n,
	     const struct sampler_config *config, const struct sink *sink,
	     struct error *err)
{
	struct ptrace_sampler *s = state;
	size_t i;

	for (i = 0; i < n; i++)
		if (!refusal_allows_ptrace(targets[i], err))
			return false;
	s->config = *config;
	s->sink = sink;
	s->period_ns = SECOND / (config->hz ? config->hz : 1);
	if (getrandom(&s->random, sizeof(s->random), 0) < 0 || !s->random)
		s->random = clock_now() | 1;
	s->stopper.watch = config->watch;
	s->stopper.no_repeat = config->no_restart;
	s->stopper.stack_bytes = config->stack_bytes < STOP_STACK ?
				 config->stack_bytes : STOP_STACK;
	stop_open(&s->stopper);
	prctl(PR_SET_TIMERSLACK, 1);	/* for looks at the right moment */
	for (i = 0; i < n; i++)
		add_process(s, targets[i], false);
	return true;
}

/*
 * Sleep until UNTIL_NS; true if something is to be read at WAKE_FD. A stop
 * that has not come is what we sleep for then, so that it will be short.
 */
static bool
sleep_until(struct ptrace_sampler *s, int wake_fd, uint64_t until_ns)
{
	struct pollfd wake = { .fd = wake_fd, .events = POLLIN };
	uint64_t now = clock_now(), left = until_ns > now ? until_ns - now : 0;
	struct timespec t = { .tv_sec = (time_t)(left / SECOND),
			      .tv_nsec = (long)(left % SECOND) };

	if (s->stopper.count) {
		take_next(s, left < POLL_NS ? left : POLL_NS);
		t = (struct timespec){ .tv_nsec = 0 };
	}
	return ppoll(&wake, 1, &t, NULL) > 0;
}

static bool
ptrace_run(void *state, int timeout_ms, int wake_fd)
{
	struct ptrace_sampler *s = state;
	uint64_t end = clock_now() + (uint64_t)timeout_ms * 1000000, now, next;
	size_t i;

	do {
		now = clock_now();
		waiting_turn(&s->waiting, s->sink);
		list_threads(s, now);
		if (has_ended(s)) {
			while (take_next(s, 0))
				;
			return false;
		}
		next = end;
		for (i = 0; i < s->count; i++) {
			uint64_t due = look_at_due(s, s->processes[i], now);

			if (due < next)
				next = due;
		}
		if (sleep_until(s, wake_fd, next))
			return true;
	} while (clock_now() < end);
	return true;
}

/* The first trouble there is, in the order of its weight. */
static void
write_note(const struct ptrace_sampler *s, unsigned refused,
	   struct sampler_status *out)
{
	size_t i, asked = stop_count_asked(&s->stopper);

	if (refused) {
		snprintf(out->note, sizeof(out->note), "%u threads refused "
			 "to be stopped: traced by another, or no longer "
			 "permitted", refused);
		return;
	}
	for (i = 0; i < s->count; i++) {
		const struct watched_process *process = s->processes[i];

		if (!process->slowdown || process->has_ended)
			continue;
		snprintf(out->note, sizeof(out->note), "rate lowered to %u Hz: "
			 "stops took %u.%u %% of the target's time",
			 s->config.hz >> process->slowdown,
			 process->stopped_permille / 10,
			 process->stopped_permille % 10);
		return;
	}
	if (asked)
		snprintf(out->note, sizeof(out->note), "%zu threads have not "
			 "come to their stop: asleep in the kernel, or no CPU "
			 "for them", asked);
}

static void
ptrace_status(void *state, struct sampler_status *out)
{
	const struct ptrace_sampler *s = state;
	unsigned refused = 0;
	size_t i, j;

	*out = (struct sampler_status){
		.event = "ptrace",
		.stops = s->stopper.stops,
		.restarts = s->stopper.restarts,
		.skips = s->skips,
		.stopped_ns = s->stopper.stopped_ns,
		.stop_max_ns = s->stopper.stop_max_ns,
	};
	for (i = 0; i < s->count; i++) {
		const struct watched_process *process = s->processes[i];

		/* One that is held for its exec, and hides since. */
		for (j = 0; j < process->count; j++)
			refused += process->is_held ||
				   process->threads[j].is_refused;
		out->threads_total += (unsigned)process->count;
	}
	out->threads_seen = out->threads_total - refused;
	write_note(s, refused, out);
}

const struct sampler_ops sampler_ptrace = {
	.name = "ptrace",
	.is_stopping = true,
	.state_size = sizeof(struct ptrace_sampler),
	.start = ptrace_start,
	.run = ptrace_run,
	.status = ptrace_status,
	.stop = ptrace_stop,
};
