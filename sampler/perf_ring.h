/* SPDX-License-Identifier: MIT */
/*
 * perf_ring.h - the ring of one CPU, and several of them in order of time.
 *
 * The kernel writes at the head, we read at the tail. What is looked at stays
 * in the ring until it is dropped, so a record is used in place.
 */
#ifndef SAMPLER_PERF_RING_H
#define SAMPLER_PERF_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"

struct perf_ring {
	int fd;			/* polls readable; -1: none */
	int cpu;
	struct perf_event_mmap_page *page;
	const uint8_t *data;
	size_t size;		/* of DATA, a power of two */
	uint64_t tail, head;	/* HEAD as of the last perf_ring_look() */
	const void *record;	/* the one at the tail; NULL: none */
	size_t len;
	uint64_t time_ns;	/* of RECORD */
	uint64_t broken;	/* times the ring made no sense */
	uint64_t *joined;	/* a record that wraps, in one piece */
};

/* Map FD with SIZE bytes of data. RING owns both afterwards. */
bool perf_ring_open(struct perf_ring *ring, int fd, int cpu, size_t size,
		    struct error *err);

/* The same on memory that is given; nothing is owned but the join buffer. */
void perf_ring_init(struct perf_ring *ring, struct perf_event_mmap_page *page,
		    const void *data, size_t size);

void perf_ring_close(struct perf_ring *ring);

/* See what the kernel has written by now. */
void perf_ring_look(struct perf_ring *ring);

/* Done with ring->record; go to the next. */
void perf_ring_drop(struct perf_ring *ring);

/* The ring with the oldest record not after UNTIL_NS, or NULL. */
struct perf_ring *perf_rings_oldest(struct perf_ring *rings, size_t count,
				    uint64_t until_ns);

#endif
