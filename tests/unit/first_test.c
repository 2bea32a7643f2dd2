/* SPDX-License-Identifier: MIT */
/*
 * first_test.c - the first picture comes with names, and comes.
 */
#include "app/first.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MS 1000000ull
#define BEGAN (5000 * MS)

static void
samples_with_names_are_drawn_at_once(void **state)
{
	struct first first = { .began_ns = BEGAN };

	(void)state;
	assert_false(first_may_draw(&first, BEGAN, false, false));
	assert_true(first_may_draw(&first, BEGAN + 1 * MS, true, false));
	assert_true(first.is_over);
}

static void
samples_wait_for_their_names(void **state)
{
	struct first first = { .began_ns = BEGAN };

	(void)state;
	assert_false(first_may_draw(&first, BEGAN + 20 * MS, true, true));
	assert_false(first_may_draw(&first, BEGAN + 120 * MS, true, true));
	assert_true(first_may_draw(&first, BEGAN + 130 * MS, true, false));
}

static void
names_that_take_long_are_not_waited_for(void **state)
{
	struct first first = { .began_ns = BEGAN };

	(void)state;
	assert_false(first_may_draw(&first, BEGAN + 20 * MS, true, true));
	assert_int_equal(first_due_ns(&first), BEGAN + 220 * MS);
	assert_false(first_may_draw(&first, BEGAN + 219 * MS, true, true));
	assert_true(first_may_draw(&first, BEGAN + 220 * MS, true, true));
}

/* Later names come and go while what there was stays on the screen. */
static void
it_happens_once(void **state)
{
	struct first first = { .began_ns = BEGAN };

	(void)state;
	first_may_draw(&first, BEGAN + 20 * MS, true, false);
	assert_true(first_may_draw(&first, BEGAN + 30 * MS, true, true));
	assert_int_equal(first_due_ns(&first), 0);
}

/* Its first sample may come after minutes. */
static void
an_idle_target_is_told_to_be_idle(void **state)
{
	struct first first = { .began_ns = BEGAN };

	(void)state;
	assert_int_equal(first_due_ns(&first), BEGAN + 100 * MS);
	assert_false(first_may_draw(&first, BEGAN + 99 * MS, false, false));
	assert_true(first_may_draw(&first, BEGAN + 100 * MS, false, false));
	assert_false(first_may_draw(&first, BEGAN + 60000 * MS, true, true));
	assert_true(first_may_draw(&first, BEGAN + 60010 * MS, true, false));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_with_names_are_drawn_at_once),
		cmocka_unit_test(samples_wait_for_their_names),
		cmocka_unit_test(names_that_take_long_are_not_waited_for),
		cmocka_unit_test(it_happens_once),
		cmocka_unit_test(an_idle_target_is_told_to_be_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
