/* SPDX-License-Identifier: MIT */
/*
 * perf_events.h - opening events, knowing them by id, drawing their periods.
 *
 * A ring belongs to a dummy event on ourselves, one for each CPU, so that it
 * outlives every thread of the target. Threads' events write into the ring of
 * their CPU:
 *
 *	           CPU 0    CPU 1
 *	ourselves  dummy    dummy    own the rings
 *	thread 7   event    event    inherited by the threads it makes
 *	thread 8   event    event
 *
 * The period is random, so that no program can walk in step with us. Setting
 * one restarts the event's clock, and reaches no inherited copy of it; so an
 * event gets a new period when it has itself just fired, less the time that
 * has gone since. Samples that came by a period that stayed are weighted by
 * it instead: all weights are right on average.
 */
#ifndef SAMPLER_PERF_EVENTS_H
#define SAMPLER_PERF_EVENTS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base.h"
#include "sampler/perf_ring.h"

/* With more events than this, periods are drawn once. */
#define PERF_MOST_DRAWN 500

#define PERF_WHOLE_SYSTEM ((pid_t)-1)	/* instead of a thread */

struct perf_event {
	uint64_t id;
	int fd;
	uint32_t owner;		/* number of the perf_events_open() it is of */
	uint64_t period;	/* in force */
	bool is_fresh;		/* drawn since it last fired */
	bool is_first;		/* has not fired yet */
	uint64_t first_period, first_end_ns;	/* what is older was by it */
};

struct perf_events {
	struct perf_event_attr attr;
	struct perf_event *events;	/* by id, which only grows */
	size_t count, capacity;
	struct perf_ring *rings;
	size_t nrings;
	uint64_t period;	/* mean, in nanoseconds or cycles' stead */
	uint64_t random;
	uint32_t owners;	/* given out so far */
	int most_fd;		/* higher descriptors are left to others */
	bool is_full;		/* out of descriptors */
	bool has_small_rings;
};

struct perf_wish {
	unsigned hz;
	unsigned stack_bytes;
	bool kernel;
	bool children;		/* follow forks */
	bool new_threads;	/* follow clones */
	bool on_exec;		/* begin with the thread's exec */
	bool in_bulk;		/* wake us seldom: no period is drawn anew */
};

/*
 * Find out what this kernel and our rights allow, on thread TID, and open the
 * rings. On failure ERR names the remedy.
 */
bool perf_events_init(struct perf_events *events, const struct perf_wish *wish,
		      pid_t tid, struct error *err);
void perf_events_fini(struct perf_events *events);

/*
 * Open an event on TID (or PERF_WHOLE_SYSTEM) for each CPU. Returns their
 * owner number, or 0 when none could be opened: the thread is gone, or
 * IS_FULL says so.
 */
uint32_t perf_events_open(struct perf_events *events, pid_t tid);

/* Close OWNER's events, and with them what was inherited from them. */
void perf_events_close(struct perf_events *events, uint32_t owner);

struct perf_event *perf_events_find(struct perf_events *events, uint64_t id);

/*
 * EVENT has fired itself (not an inherited copy) at FIRED_NS: how many
 * samples is this one worth? Draws the next period if it is not too late.
 */
uint64_t perf_events_fired(struct perf_events *events, struct perf_event *event,
			   uint64_t fired_ns, uint64_t now_ns);

/* An inherited copy with this PERIOD fired: the same question. */
uint64_t perf_events_weigh(struct perf_events *events, uint64_t period);

/* "cpu-clock" or "cycles". */
const char *perf_events_name(const struct perf_events *events);

#endif
