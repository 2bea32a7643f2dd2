/* SPDX-License-Identifier: MIT */
#include "core/slots.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000000)
#define HOUR (3600 * SECOND)

static void
sum_cells(void *ctx, const struct cell *cell)
{
	*(uint64_t *)ctx += cell->weight;
}

static uint64_t
sum_between(const struct slots *slots, uint64_t from, uint64_t to)
{
	uint64_t sum = 0;

	slots_each(slots, from, to, sum_cells, &sum);
	return sum;
}

/* One count a second from FROM to TO, on a stack of its own if IS_NEW. */
static void
fill(struct slots *slots, uint64_t from, uint64_t to, bool is_new)
{
	struct cell cell = { .stack = 1, .thread = 7, .kind = KIND_FAULT,
			     .weight = 1 };

	for (uint64_t s = from; s < to; s++) {
		if (is_new)
			cell.stack = (stack_id)s;
		slots_add(slots, s * SECOND, &cell);
	}
}

static void
slots_older_than_an_hour_are_ten_seconds(void **state)
{
	struct slots *slots = slots_new(SIZE_MAX / 2);

	(void)state;
	fill(slots, 100000, 100000 + 3 * 3600, false);
	assert_in_range(slots_count(slots), 3600 + 720, 3600 + 720 + 12);
	assert_int_equal(sum_between(slots, 0, UINT64_MAX), 3 * 3600);
	assert_int_equal(sum_between(slots, 100200 * SECOND, 100201 * SECOND),
			 10);
	assert_int_equal(sum_between(slots, 110000 * SECOND, 110001 * SECOND),
			 1);
	slots_free(slots);
}

static void
slots_older_than_a_day_are_one(void **state)
{
	struct slots *slots = slots_new(SIZE_MAX / 2);

	(void)state;
	fill(slots, 0, 30 * 3600, true);
	assert_in_range(slots_count(slots), 3600 + 8280, 3600 + 8280 + 16);
	assert_int_equal(sum_between(slots, 0, UINT64_MAX), 30 * 3600);
	/* What is old is not part of a window that is new. */
	assert_int_equal(sum_between(slots, 29 * HOUR, UINT64_MAX), 3600);
	slots_free(slots);
}

static void
a_long_silence_ages_too(void **state)
{
	struct slots *slots = slots_new(SIZE_MAX / 2);

	(void)state;
	fill(slots, 0, 1000, false);
	fill(slots, 300000, 300010, false);
	assert_int_equal(slots_count(slots), 11);
	assert_int_equal(sum_between(slots, 0, UINT64_MAX), 1010);
	assert_int_equal(sum_between(slots, 300000 * SECOND, UINT64_MAX), 10);
	slots_free(slots);
}

static void
beyond_the_bound_the_oldest_are_merged(void **state)
{
	struct slots *slots = slots_new(64 << 10);

	(void)state;
	fill(slots, 0, 3000, false);
	assert_true(slots_bytes(slots) < 72 << 10);
	assert_true(slots_count(slots) > 100);
	assert_int_equal(sum_between(slots, 0, UINT64_MAX), 3000);
	assert_int_equal(sum_between(slots, 2990 * SECOND, UINT64_MAX), 10);
	slots_free(slots);
}

static void
count_threads(void *ctx, const struct cell *cell)
{
	size_t *threads = ctx;

	threads[cell->thread ? 1 : 0] += cell->weight;
	assert_int_equal(cell->kind, KIND_RUNNABLE);
}

static void
without_room_new_counts_lose_their_thread(void **state)
{
	struct slots *slots = slots_new(64 << 10);
	struct cell cell = { .stack = 1, .kind = KIND_RUNNABLE, .weight = 1 };
	size_t threads[2] = { 0, 0 };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		cell.thread = (thread_id)i + 1;
		slots_add(slots, SECOND, &cell);
	}
	slots_each(slots, 0, UINT64_MAX, count_threads, threads);
	assert_int_equal(threads[0] + threads[1], 20000);
	assert_true(threads[0] > 10000);
	assert_true(threads[1] > 1000);
	assert_true(slots_bytes(slots) < 160 << 10);
	slots_free(slots);
}

static void
taking_empties_the_source(void **state)
{
	struct slots *src = slots_new(SIZE_MAX / 2);
	struct slots *dst = slots_new(SIZE_MAX / 2);
	uint64_t noted = 0;

	(void)state;
	fill(src, 5, 8, false);
	fill(dst, 0, 6, false);
	slots_take(dst, src, sum_cells, &noted);
	assert_int_equal(noted, 3);
	assert_int_equal(slots_count(src), 0);
	assert_int_equal(slots_bytes(src), 0);
	assert_int_equal(slots_count(dst), 8);
	assert_int_equal(sum_between(dst, 5 * SECOND, 6 * SECOND), 2);
	slots_free(src);
	slots_free(dst);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_older_than_an_hour_are_ten_seconds),
		cmocka_unit_test(slots_older_than_a_day_are_one),
		cmocka_unit_test(a_long_silence_ages_too),
		cmocka_unit_test(beyond_the_bound_the_oldest_are_merged),
		cmocka_unit_test(without_room_new_counts_lose_their_thread),
		cmocka_unit_test(taking_empties_the_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
