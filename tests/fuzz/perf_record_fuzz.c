/* SPDX-License-Identifier: MIT */
/*
 * perf_record_fuzz.c - any bytes at all, as one record and as a ring of them.
 *
 * Nothing may crash or hang; what a record points to lies within it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/perf_record.h"
#include "sampler/perf_ring.h"

#define RING 65536

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
check_inside(const void *at, size_t len, const void *record, size_t size)
{
	uintptr_t start = (uintptr_t)at, begin = (uintptr_t)record;

	if (len && (start < begin || start + len > begin + size))
		abort();
}

static void
check_record(const void *bytes, size_t len)
{
	struct perf_record record;

	perf_record_time(bytes, len);
	if (!perf_record_decode(bytes, len, &record))
		return;
	if (record.type == PERF_RECORD_SAMPLE) {
		check_inside(record.u.sample.kernel,
			     record.u.sample.nkernel * 8, bytes, len);
		check_inside(record.u.sample.stack,
			     record.u.sample.stack_len, bytes, len);
	}
	if (record.type == PERF_RECORD_MMAP2)
		check_inside(record.u.mmap.path,
			     strlen(record.u.mmap.path) + 1, bytes, len);
	if (record.type == PERF_RECORD_COMM)
		check_inside(record.u.comm.name,
			     strlen(record.u.comm.name) + 1, bytes, len);
}

static void
check_ring(const uint8_t *bytes, size_t len, uint64_t begin)
{
	struct perf_event_mmap_page *page = calloc(1, sizeof(*page));
	uint8_t *data = calloc(1, RING);
	struct perf_ring ring;
	size_t i;

	for (i = 0; i < len && i < RING; i++)
		data[(begin + i) % RING] = bytes[i];
	page->data_tail = begin;
	page->data_head = begin + i;
	perf_ring_init(&ring, page, data, RING);
	perf_ring_look(&ring);
	while (ring.record) {
		check_record(ring.record, ring.len);
		perf_ring_drop(&ring);
	}
	perf_ring_close(&ring);
	free(data);
	free(page);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	uint64_t *aligned = calloc(1, len + 8);

	memcpy(aligned, bytes, len);
	check_record(aligned, len);
	free(aligned);
	check_ring(bytes, len, 0);
	check_ring(bytes, len, RING - 40);
	return 0;
}
