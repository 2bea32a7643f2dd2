/* SPDX-License-Identifier: MIT */
/*
 * perf.c - sampling by perf_event_open(2), which stops nothing.
 *
 *	threads x CPUs --events--> a ring for each CPU
 *	rings --by time--> records --perf_deliver()--> space_sample() --> sink
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sampler/perf_attr.h"
#include "sampler/perf_state.h"

#define EVENTS_MAX 8192		/* beyond, one event a CPU if permitted */
#define OTHER_FDS 64		/* rings and the rest of the program */
#define SELDOM_MS 100		/* records without a sample wake nobody */
#define TIDY_NS 500000000u
#define LISTINGS_MAX 20

static uint64_t
clock_ns(clockid_t clock)
{
	struct timespec at;

	clock_gettime(clock, &at);
	return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

/* --- start */

/* False if the thread is not there any more. */
static bool
open_thread(struct perf *perf, const struct target *target, pid_t tid)
{
	uint32_t owner = perf->system_owner;
	struct perf_thread *thread;

	if (!owner)
		owner = perf_events_open(&perf->events, tid);
	if (!owner && !perf->events.is_full)
		return false;
	thread = perf_thread_known(perf, target, tid);
	thread->own = perf->system_owner ? 0 : owner;
	thread->source = owner;
	perf->unwatched += !owner;
	return true;
}

/* Open events on the threads that have none yet; returns how many were new. */
static size_t
open_threads(struct perf *perf, const struct target *target)
{
	size_t i, count, fresh = 0;
	pid_t *tids = target_list_threads(target, &count);

	for (i = 0; i < count; i++)
		if (sampler_wants(&perf->config, tids[i]) &&
		    !perf_threads_find(&perf->threads, tids[i]))
			fresh += open_thread(perf, target, tids[i]);
	free(tids);
	return fresh;
}

/* CAP_PERFMON alone gives events, but no look into the target's memory. */
static bool
can_read(const struct target *target, const struct maps *maps)
{
	struct memory memory = target_memory(target);
	uint64_t word;
	size_t i;

	for (i = 0; i < maps_count(maps) && i < 16; i++)
		if (memory.read(memory.ctx, maps_at(maps, i)->start, &word,
				sizeof(word)))
			return true;
	return false;
}

static bool
start_target(struct perf *perf, const struct target *target, struct error *err)
{
	pid_t pid = target_pid(target);
	struct perf_process *process;
	int rounds = 0;

	process = perf_process_add(perf, pid, target,
				   space_new(pid, target, perf->config.unwind,
					     perf->sink, &perf->waiting));
	/* One that has no event yet may make others meanwhile. */
	while (open_threads(perf, target) && ++rounds < LISTINGS_MAX)
		;
	if (!perf->events.count && !target_is_alive(target))
		return explain(err, ESRCH, "process %d has ended", (int)pid);
	if (!perf->events.count)
		return fail(err, 0, "no event could be opened on process %d; "
			    "try ulimit -n %u", (int)pid, EVENTS_MAX);
	if (perf->config.hold)
		return true;
	process->maps_ns = clock_ns(CLOCK_MONOTONIC);
	if (!target_read_maps(target, space_maps(process->space), err))
		return false;
	perf->is_memory_shut |= !can_read(target,
					  space_maps_now(process->space));
	return true;
}

/* How many events one for each thread and CPU would be. */
static size_t
events_needed(struct target *const *targets, size_t n)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t i, threads = 0;

	for (i = 0; i < n; i++)
		threads += target_threads(targets[i], NULL, 0);
	return threads * (cpus > 0 ? (size_t)cpus : 1);
}

static bool
perf_start(void *state, struct target *const *targets, size_t n,
	   const struct sampler_config *config, const struct sink *sink,
	   struct error *err)
{
	struct perf *perf = state;
	size_t i, needed = events_needed(targets, n);
	struct perf_wish wish = {
		.hz = config->hz,
		.stack_bytes = config->stack_bytes,
		.kernel = config->kernel,
		.children = config->follow,
		.new_threads = !config->tids,
		.on_exec = config->hold,
		.in_bulk = needed > PERF_MOST_DRAWN,
	};

	perf->sink = sink;
	perf->config = *config;
	perf->boot_ns = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
	perf->has_started = true;
	if (!perf_events_init(&perf->events, &wish, target_live_tid(targets[0]),
			      err))
		goto fail;
	if (needed > EVENTS_MAX ||
	    (long)needed > (long)perf->events.most_fd - OTHER_FDS)
		perf->system_owner =
			perf_events_open(&perf->events, PERF_WHOLE_SYSTEM);
	for (i = 0; i < n; i++)
		if (!start_target(perf, targets[i], err))
			goto fail;
	return true;

fail:
	sampler_perf.stop(state);
	return false;
}

/* --- run */

/* Everything that was written until now, in the order of time. */
static void
drain(struct perf *perf)
{
	struct perf_events *events = &perf->events;
	struct perf_record record;
	struct perf_ring *ring;
	uint64_t until = clock_ns(CLOCK_MONOTONIC);
	size_t i;

	if (!events->attr.use_clockid)
		until = UINT64_MAX;	/* times are of another clock */
	for (i = 0; i < events->nrings; i++)
		perf_ring_look(&events->rings[i]);
	while ((ring = perf_rings_oldest(events->rings, events->nrings,
					 until))) {
		perf->now_ns = clock_ns(CLOCK_MONOTONIC);
		if (perf_record_decode(ring->record, ring->len, &record))
			perf_deliver(perf, &record);
		perf_ring_drop(ring);
	}
	for (i = 0; i < events->nrings; i++) {
		if (events->rings[i].broken)
			perf->sink->lost(perf->sink->ctx,
					 events->rings[i].broken);
		events->rings[i].broken = 0;
	}
}

/* Sleep until something is written, WAKE_FD is readable or a target ends. */
static void
wait_for_work(struct perf *perf, int timeout_ms, int wake_fd)
{
	size_t i, n = 0, most = perf->events.nrings + perf->nprocesses + 1;
	struct pollfd *polls = xcalloc(most, sizeof(*polls));

	for (i = 0; i < perf->events.nrings; i++)
		polls[n++].fd = perf->events.rings[i].fd;
	for (i = 0; i < perf->nprocesses; i++)
		if (perf->processes[i].target && !perf->processes[i].is_over)
			polls[n++].fd = target_pidfd(perf->processes[i].target);
	polls[n++].fd = wake_fd;
	for (i = 0; i < n; i++)
		polls[i].events = POLLIN;
	if (timeout_ms < 0 || timeout_ms > SELDOM_MS)
		timeout_ms = SELDOM_MS;
	poll(polls, n, timeout_ms);
	free(polls);
}

/* Ask first, drain then: nothing comes after the last record of the dead. */
static bool
is_any_alive(const struct perf *perf)
{
	size_t i;

	for (i = 0; i < perf->nprocesses; i++) {
		const struct perf_process *process = &perf->processes[i];

		if (!process->is_over && (!process->target ||
					  target_is_alive(process->target)))
			return true;
	}
	return false;
}

static void
end_targets(struct perf *perf)
{
	size_t i;

	for (i = 0; i < perf->nprocesses; i++) {
		struct perf_process *process = &perf->processes[i];

		if (process->is_over || !process->target ||
		    target_is_alive(process->target))
			continue;
		process->is_over = true;
		perf->sink->process(perf->sink->ctx, process->pid, false);
	}
}

static bool
perf_run(void *state, int timeout_ms, int wake_fd)
{
	struct perf *perf = state;
	bool is_alive;

	wait_for_work(perf, timeout_ms, wake_fd);
	is_alive = is_any_alive(perf);
	drain(perf);
	waiting_turn(&perf->waiting, perf->sink);
	end_targets(perf);
	if (perf->now_ns > perf->tidied_ns + TIDY_NS) {
		perf->tidied_ns = perf->now_ns;
		perf_tidy(perf);
	}
	return is_alive;
}

/* --- the rest */

static void
add_note(struct sampler_status *out, const char *text)
{
	size_t len = strlen(out->note);

	snprintf(out->note + len, sizeof(out->note) - len, "%s%s",
		 len ? "; " : "", text);
}

static void
add_kernel_note(struct sampler_status *out)
{
	long paranoid = perf_sysctl("paranoid", 2);
	char text[128];

	if (paranoid > 1)
		snprintf(text, sizeof(text), "no kernel frames, "
			 "perf_event_paranoid is %ld: sudo flametop, or sudo "
			 "sysctl kernel.perf_event_paranoid=1", paranoid);
	else
		snprintf(text, sizeof(text), "no kernel frames: a security "
			 "module forbids them");
	add_note(out, text);
}

static void
perf_status(void *state, struct sampler_status *out)
{
	const struct perf *perf = state;
	size_t i;

	*out = (struct sampler_status){ 0 };
	snprintf(out->event, sizeof(out->event), "%s",
		 perf_events_name(&perf->events));
	out->has_kernel = !perf->events.attr.exclude_kernel;
	if (perf->config.kernel && !out->has_kernel)
		add_kernel_note(out);
	if (perf->is_memory_shut)
		add_note(out, "large stacks are cut, its memory may not be "
			      "read: try sudo, or CAP_SYS_PTRACE");
	if (perf->events.has_small_rings)
		add_note(out, "small rings: raise "
			      "kernel.perf_event_mlock_kb");
	if (perf->events.is_full)
		add_note(out, "some threads are not watched: raise ulimit -n");
	out->threads_seen = (unsigned)(perf->threads.count - perf->unwatched);
	for (i = 0; i < perf->nprocesses; i++)
		if (perf->processes[i].target && !perf->processes[i].is_over)
			out->threads_total += (unsigned)target_threads(
				perf->processes[i].target, NULL, 0);
		else if (!perf->processes[i].is_over)
			out->threads_total += (unsigned)perf_threads_of(
				&perf->threads, perf->processes[i].pid);
	/* The kernel takes the events away (begin_new_exec()). */
	if (out->threads_total > 0 && out->threads_seen == 0)
		add_note(out, "no thread is watched: it runs a program now "
			      "that hides itself (set-uid?); try sudo");
}

static void
perf_stop(void *state)
{
	struct perf *perf = state;
	size_t i;

	if (!perf->has_started)
		return;
	drain(perf);
	perf_events_fini(&perf->events);
	waiting_finish(&perf->waiting, perf->sink);
	for (i = 0; i < perf->nprocesses; i++)
		space_free(perf->processes[i].space);
	free(perf->processes);
	free(perf->retired);
	perf_threads_fini(&perf->threads);
	*perf = (struct perf){ 0 };
}

const struct sampler_ops sampler_perf = {
	.name = "perf",
	.state_size = sizeof(struct perf),
	.start = perf_start,
	.run = perf_run,
	.status = perf_status,
	.stop = perf_stop,
};
