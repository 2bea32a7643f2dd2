/* SPDX-License-Identifier: MIT */
/*
 * inflation_test.c - by hand, and at the edges.
 */
#include "core/inflation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* COUNT blocks of 100 samples, with one function that has X(i) of them. */
static struct blocks *
blocks_with(size_t count, uint64_t (*x)(size_t i))
{
	struct blocks *blocks = blocks_new(1, count, 1);

	blocks->rows[0].name = strdup("f");
	for (size_t i = 0; i < count; i++) {
		blocks->samples[i] = 100;
		blocks->rows[0].total[i] = blocks->rows[0].self[i] = x(i);
	}
	return blocks;
}

static uint64_t
even(size_t i)
{
	(void)i;
	return 50;
}

/* 45, 55, 45 ...: a variance of 25, as independent samples have. */
static uint64_t
by_turns(size_t i)
{
	return i % 2 ? 55 : 45;
}

/* All or nothing, for four blocks each. */
static uint64_t
phases(size_t i)
{
	return i / 4 % 2 ? 100 : 0;
}

static double
inflation_of(size_t count, uint64_t (*x)(size_t i), unsigned *seconds)
{
	struct blocks *blocks = blocks_with(count, x);
	struct inflation inflation;
	double total;

	inflation_init(&inflation, blocks);
	total = inflation.total ? inflation.total[0] : -1;
	*seconds = inflation.seconds;
	inflation_fini(&inflation);
	blocks_free(blocks);
	return total;
}

static void
steady_counts_are_as_good_as_independent_ones(void **state)
{
	unsigned seconds;

	(void)state;
	assert_true(inflation_of(64, even, &seconds) == 1);
	assert_int_equal(seconds, 1);
	/* 64 / 63 * 64 * 25 / (6400 * 0.25), and nothing is missing */
	assert_true(fabs(inflation_of(64, by_turns, &seconds) - 64.0 / 63) <
		    1e-9);
}

static void
phases_tell_blocks_to_be_longer(void **state)
{
	unsigned seconds;

	(void)state;
	assert_true(inflation_of(128, phases, &seconds) > 300);
	assert_int_equal(seconds, 4);
}

static void
too_few_blocks_are_none(void **state)
{
	unsigned seconds;

	(void)state;
	assert_true(inflation_of(4, phases, &seconds) == -1);
	assert_int_equal(seconds, 0);
	assert_true(inflation_of(5, even, &seconds) == 1);
}

static void
without_blocks_it_is_assumed(void **state)
{
	struct inflation inflation;

	(void)state;
	inflation_init(&inflation, NULL);
	assert_int_equal(inflation.blocks, 0);
	assert_true(inflation.typical == INFLATION_ASSUMED);
	inflation_fini(&inflation);
}

static uint64_t
idle_half_of_the_time(size_t i)
{
	return i % 2 ? 50 : 0;
}

static void
blocks_without_a_sample_tell_nothing(void **state)
{
	struct blocks *blocks = blocks_with(40, idle_half_of_the_time);
	struct inflation inflation;

	(void)state;
	for (size_t i = 0; i < blocks->count; i += 2)
		blocks->samples[i] = 0;
	inflation_init(&inflation, blocks);
	assert_int_equal(inflation.blocks, 20);
	assert_true(inflation.total[0] == 1);
	inflation_fini(&inflation);
	blocks_free(blocks);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steady_counts_are_as_good_as_independent_ones),
		cmocka_unit_test(phases_tell_blocks_to_be_longer),
		cmocka_unit_test(too_few_blocks_are_none),
		cmocka_unit_test(without_blocks_it_is_assumed),
		cmocka_unit_test(blocks_without_a_sample_tell_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
