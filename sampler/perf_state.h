/* SPDX-License-Identifier: MIT */
/*
 * perf_state.h - what sampling by perf events keeps, and how records become
 * samples. Inside of the perf sampler.
 */
#ifndef SAMPLER_PERF_STATE_H
#define SAMPLER_PERF_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sampler/perf_events.h"
#include "sampler/perf_record.h"
#include "sampler/perf_threads.h"
#include "sampler/sampler.h"
#include "sampler/space.h"
#include "sampler/waiting.h"

struct perf_process {
	pid_t pid;
	const struct target *target;	/* NULL: a child that is followed */
	struct space *space;
	uint64_t maps_ns;	/* when /proc/PID/maps was read */
	bool awaits_program;	/* the next mapping is of its executable */
	bool is_over;
};

/* How the copies of the stack have done lately; see perf_copy.c. */
struct perf_copy {
	unsigned window, cut;		/* samples to grow by */
	unsigned samples, large;	/* and to shrink by */
	uint32_t wanted;		/* bytes; 0: it is well as it is */
};

struct perf {
	const struct sink *sink;
	struct sampler_config config;
	struct perf_events events;
	struct perf_threads threads;
	struct waiting waiting;
	struct perf_process *processes;
	size_t nprocesses, capacity;
	uint32_t *retired;	/* owners whose thread has ended */
	size_t nretired, retired_capacity;
	struct perf_copy copy;
	uint64_t now_ns;	/* CLOCK_MONOTONIC of this round */
	uint64_t boot_ns;	/* CLOCK_BOOTTIME less CLOCK_MONOTONIC */
	uint64_t tidied_ns;
	uint32_t system_owner;	/* 0: each thread has events of its own */
	size_t unwatched;	/* threads for which no descriptor was left */
	bool is_memory_shut;	/* of some target: no right to read it */
	bool has_started;
};

struct perf_process *perf_process_add(struct perf *perf, pid_t pid,
				      const struct target *target,
				      struct space *space);

/* Take note of a thread that was there before us. */
struct perf_thread *perf_thread_known(struct perf *perf,
				      const struct target *target, pid_t tid);

/* Do what RECORD says; samples go to the sink. */
void perf_deliver(struct perf *perf, const struct perf_record *record);

/* OWNER's events are closed when no thread takes its samples from them. */
void perf_retire(struct perf *perf, uint32_t owner);

/* The last sample of SPACE: was its copy long enough? */
void perf_copy_note(struct perf *perf, const struct space *space);

/* Other events for all threads, if another copy is wanted. */
void perf_copy_tidy(struct perf *perf);

/* Now and then: events for threads that stay, none for those that went. */
void perf_tidy(struct perf *perf);

#endif
