/* SPDX-License-Identifier: MIT */
#include "sampler/perf_ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/reader.h"
#include "sampler/perf_record.h"

#define SIZE 4096

struct fake {
	struct perf_event_mmap_page page;
	uint8_t data[SIZE];
	struct perf_ring ring;
};

static struct fake *
fake_new(uint64_t begin)
{
	struct fake *fake = calloc(1, sizeof(*fake));

	fake->page.data_head = fake->page.data_tail = begin;
	perf_ring_init(&fake->ring, &fake->page, fake->data, SIZE);
	return fake;
}

static void
fake_free(struct fake *fake)
{
	perf_ring_close(&fake->ring);
	free(fake);
}

/* As the kernel does: LEN bytes in all, a LOST record of COUNT at TIME. */
static void
produce(struct fake *fake, uint64_t count, uint64_t time, uint16_t len)
{
	struct writer w = { 0 };
	size_t i;

	writer_u32(&w, PERF_RECORD_LOST);
	writer_u16(&w, 0);
	writer_u16(&w, len);
	writer_u64(&w, 1);
	writer_u64(&w, count);
	while (w.len < len - 32u)
		writer_u64(&w, 0x6666666666666666);
	writer_u64(&w, 0);
	writer_u64(&w, time);
	writer_u64(&w, 1);
	writer_u64(&w, 1);
	for (i = 0; i < w.len; i++)
		fake->data[(fake->page.data_head + i) % SIZE] = w.bytes[i];
	fake->page.data_head += len;
	writer_free(&w);
}

static uint64_t
lost_of(const struct perf_ring *ring)
{
	struct perf_record record;

	assert_true(perf_record_decode(ring->record, ring->len, &record));
	return record.u.lost;
}

static void
records_that_wrap_come_in_one_piece(void **state)
{
	struct fake *fake = fake_new(SIZE * 7 - 24);

	(void)state;
	produce(fake, 5, 100, 56);
	perf_ring_look(&fake->ring);
	assert_non_null(fake->ring.record);
	assert_int_equal(fake->ring.time_ns, 100);
	assert_int_equal(lost_of(&fake->ring), 5);
	perf_ring_drop(&fake->ring);
	assert_null(fake->ring.record);
	assert_int_equal(fake->page.data_tail, SIZE * 7 + 32);
	fake_free(fake);
}

static void
many_records_of_all_lengths_come_out_as_they_went_in(void **state)
{
	struct fake *fake = fake_new(0);
	uint64_t in = 0, out = 0;

	(void)state;
	while (out < 2000) {
		while (fake->page.data_head - fake->page.data_tail < SIZE - 700)
			produce(fake, in, in + 1, (uint16_t)(56 + in % 80 * 8)),
				in++;
		perf_ring_look(&fake->ring);
		while (fake->ring.record) {
			assert_int_equal(lost_of(&fake->ring), out++);
			perf_ring_drop(&fake->ring);
		}
	}
	assert_int_equal(fake->ring.broken, 0);
	fake_free(fake);
}

static void
what_is_written_after_the_look_waits(void **state)
{
	struct fake *fake = fake_new(0);

	(void)state;
	produce(fake, 1, 10, 56);
	perf_ring_look(&fake->ring);
	produce(fake, 2, 20, 56);
	perf_ring_drop(&fake->ring);
	assert_null(fake->ring.record);
	perf_ring_look(&fake->ring);
	assert_int_equal(lost_of(&fake->ring), 2);
	fake_free(fake);
}

static void
a_length_of_zero_ends_in_no_loop(void **state)
{
	struct fake *fake = fake_new(0);

	(void)state;
	fake->page.data_head = 64;
	perf_ring_look(&fake->ring);
	assert_null(fake->ring.record);
	assert_int_equal(fake->ring.broken, 1);
	assert_int_equal(fake->page.data_tail, 64);
	produce(fake, 3, 30, 56);
	perf_ring_look(&fake->ring);
	assert_int_equal(lost_of(&fake->ring), 3);
	fake_free(fake);
}

static void
a_length_beyond_the_head_is_not_read(void **state)
{
	struct fake *fake = fake_new(0);

	(void)state;
	produce(fake, 1, 10, 56);
	fake->page.data_head = 48;
	perf_ring_look(&fake->ring);
	assert_null(fake->ring.record);
	assert_int_equal(fake->ring.broken, 1);
	fake_free(fake);
}

static void
several_rings_are_read_in_order_of_time(void **state)
{
	static const uint64_t times[3][4] = {
		{ 10, 40, 41, 90 }, { 20, 30, 70, 80 }, { 5, 50, 60, 65 },
	};
	struct fake *fakes[3];
	struct perf_ring rings[3], *ring;
	uint64_t last = 0, count = 0;
	int i, k;

	(void)state;
	for (i = 0; i < 3; i++) {
		fakes[i] = fake_new((uint64_t)i * 1000);
		for (k = 0; k < 4; k++)
			produce(fakes[i], 1, times[i][k], 56);
		rings[i] = fakes[i]->ring;
		perf_ring_look(&rings[i]);
	}
	while ((ring = perf_rings_oldest(rings, 3, 80))) {
		assert_true(ring->time_ns > last);
		last = ring->time_ns;
		count++;
		perf_ring_drop(ring);
	}
	assert_int_equal(count, 11);
	assert_int_equal(last, 80);
	for (i = 0; i < 3; i++)
		fake_free(fakes[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_that_wrap_come_in_one_piece),
		cmocka_unit_test(
			many_records_of_all_lengths_come_out_as_they_went_in),
		cmocka_unit_test(what_is_written_after_the_look_waits),
		cmocka_unit_test(a_length_of_zero_ends_in_no_loop),
		cmocka_unit_test(a_length_beyond_the_head_is_not_read),
		cmocka_unit_test(several_rings_are_read_in_order_of_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
