/* SPDX-License-Identifier: MIT */
/*
 * perf_ring.c - the ring of one CPU.
 *
 * Time order over the rings: each is in order by itself, so the oldest of
 * their next records is the oldest of all - of those that have been written.
 * The caller therefore takes the time first, looks at all rings then, and
 * leaves what is younger for the next round.
 */
#include "sampler/perf_ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sampler/perf_record.h"

bool
perf_ring_open(struct perf_ring *ring, int fd, int cpu, size_t size,
	       struct error *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *mem = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED,
			 fd, 0);

	if (mem == MAP_FAILED)
		return fail(err, errno, "cannot map a ring of %zu KiB",
			    size / 1024);
	perf_ring_init(ring, mem, (const uint8_t *)mem + page, size);
	ring->fd = fd;
	ring->cpu = cpu;
	return true;
}

void
perf_ring_init(struct perf_ring *ring, struct perf_event_mmap_page *page,
	       const void *data, size_t size)
{
	*ring = (struct perf_ring){
		.fd = -1,
		.page = page,
		.data = data,
		.size = size,
		.tail = page->data_tail,
		.head = page->data_tail,
		.joined = xcalloc(1, PERF_RECORD_SIZE),
	};
}

void
perf_ring_close(struct perf_ring *ring)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	free(ring->joined);
	ring->joined = NULL;
	if (ring->fd < 0)
		return;
	munmap(ring->page, page + ring->size);
	close(ring->fd);
	ring->fd = -1;
}

/* LEN bytes at the tail, in one piece. */
static const void *
piece(const struct perf_ring *ring, size_t len)
{
	size_t at = ring->tail & (ring->size - 1), first = ring->size - at;

	if (len <= first)
		return ring->data + at;
	memcpy(ring->joined, ring->data + at, first);
	memcpy((uint8_t *)ring->joined + first, ring->data, len - first);
	return ring->joined;
}

static void
find_record(struct perf_ring *ring)
{
	const struct perf_event_header *header;
	uint64_t left = ring->head - ring->tail;

	ring->record = NULL;
	if (left == 0)
		return;
	header = left < sizeof(*header) ? NULL : piece(ring, sizeof(*header));
	if (!header || header->size < sizeof(*header) || header->size % 8 ||
	    header->size > left || header->size > ring->size) {
		/* Nothing behind it can be trusted, either. */
		ring->broken++;
		ring->tail = ring->head;
		__atomic_store_n(&ring->page->data_tail, ring->tail,
				 __ATOMIC_RELEASE);
		return;
	}
	ring->len = header->size;
	ring->record = piece(ring, ring->len);
	ring->time_ns = perf_record_time(ring->record, ring->len);
}

void
perf_ring_look(struct perf_ring *ring)
{
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	if (!ring->record)
		find_record(ring);
}

void
perf_ring_drop(struct perf_ring *ring)
{
	ring->tail += ring->len;
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
	find_record(ring);
}

struct perf_ring *
perf_rings_oldest(struct perf_ring *rings, size_t count, uint64_t until_ns)
{
	struct perf_ring *oldest = NULL;
	size_t i;

	for (i = 0; i < count; i++)
		if (rings[i].record && rings[i].time_ns <= until_ns &&
		    (!oldest || rings[i].time_ns < oldest->time_ns))
			oldest = &rings[i];
	return oldest;
}
