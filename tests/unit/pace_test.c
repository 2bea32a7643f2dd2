/* SPDX-License-Identifier: MIT */
/*
 * pace_test.c - a slow terminal gets fewer pictures.
 */
#include "tui/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MS 1000000ull

/* One picture that takes MS_TAKEN to leave, looked at every 50 ms. */
static uint64_t
send_one(struct pace *pace, uint64_t now, uint64_t taken)
{
	pace_sent(pace, now);
	for (uint64_t at = 50 * MS; at < taken; at += 50 * MS)
		pace_look(pace, now + at, false);
	pace_look(pace, now + taken, true);
	return now + taken;
}

static void
a_quick_terminal_gets_all(void **state)
{
	struct pace pace = { 0 };
	uint64_t now = 1000 * MS;

	(void)state;
	for (int i = 0; i < 20; i++)
		now = send_one(&pace, now, 100 * MS);
	assert_int_equal(pace_distance(&pace), PACE_MIN_NS);
}

static void
a_slow_one_gets_a_quarter_of_its_time(void **state)
{
	struct pace pace = { 0 };

	(void)state;
	send_one(&pace, 1000 * MS, 400 * MS);
	assert_int_equal(pace_distance(&pace), 1600 * MS);
	send_one(&pace, 9000 * MS, 60000 * MS);
	assert_int_equal(pace_distance(&pace), PACE_MAX_NS);
}

/* Before it has drained it is known to be slow. */
static void
one_that_takes_nothing_is_slow_already(void **state)
{
	struct pace pace = { 0 };

	(void)state;
	pace_sent(&pace, 1000 * MS);
	pace_look(&pace, 1100 * MS, false);
	assert_int_equal(pace_distance(&pace), PACE_MIN_NS);
	pace_look(&pace, 1500 * MS, false);
	assert_int_equal(pace_distance(&pace), 2000 * MS);
	pace_look(&pace, 9500 * MS, false);
	assert_int_equal(pace_distance(&pace), PACE_MAX_NS);
}

static void
it_recovers_by_and_by(void **state)
{
	struct pace pace = { 0 };
	uint64_t now = send_one(&pace, 1000 * MS, 500 * MS), before;

	(void)state;
	before = pace_distance(&pace);
	now = send_one(&pace, now, 10 * MS);
	assert_true(pace_distance(&pace) < before);
	assert_true(pace_distance(&pace) > PACE_MIN_NS);
	for (int i = 0; i < 60; i++)
		now = send_one(&pace, now, 10 * MS);
	assert_true(pace_distance(&pace) < PACE_MIN_NS + MS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quick_terminal_gets_all),
		cmocka_unit_test(a_slow_one_gets_a_quarter_of_its_time),
		cmocka_unit_test(one_that_takes_nothing_is_slow_already),
		cmocka_unit_test(it_recovers_by_and_by),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
