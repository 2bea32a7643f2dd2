/* SPDX-License-Identifier: MIT */
#include "core/diff.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Of independent samples. */
static struct difference
judge(uint64_t now, uint64_t now_total, uint64_t base, uint64_t base_total)
{
	return diff_judge((struct watched){ now, now_total, 1 },
			  (struct watched){ base, base_total, 1 });
}

static enum verdict
verdict(uint64_t now, uint64_t now_total, uint64_t base, uint64_t base_total)
{
	return judge(now, now_total, base, base_total).verdict;
}

static void
a_doubled_share_is_more_and_back_it_is_less(void **state)
{
	(void)state;
	assert_int_equal(verdict(2000, 10000, 1000, 10000), DIFF_MORE);
	assert_int_equal(verdict(1000, 10000, 2000, 10000), DIFF_LESS);
	assert_int_equal(verdict(200, 1000, 1000, 10000), DIFF_MORE);
	assert_int_equal(verdict(1000, 10000, 100, 1000), DIFF_UNSURE);
}

static void
few_samples_tell_nothing(void **state)
{
	(void)state;
	assert_int_equal(verdict(2, 10, 1, 10), DIFF_UNSURE);
	assert_int_equal(verdict(1, 10, 0, 1000), DIFF_UNSURE);
	assert_int_equal(verdict(0, 0, 5, 10), DIFF_UNSURE);
	assert_int_equal(verdict(5, 10, 0, 0), DIFF_UNSURE);
	assert_int_equal(verdict(0, 0, 0, 0), DIFF_UNSURE);
}

static void
what_is_new_and_what_is_gone_has_a_word_of_its_own(void **state)
{
	(void)state;
	assert_int_equal(verdict(100, 1000, 0, 1000), DIFF_NEW);
	assert_int_equal(verdict(0, 1000, 100, 1000), DIFF_GONE);
	assert_int_equal(verdict(1000, 1000, 0, 1000), DIFF_NEW);
	assert_int_equal(verdict(0, 1000, 0, 1000), DIFF_UNSURE);
}

static void
what_is_sure_but_small_does_not_count(void **state)
{
	const uint64_t million = 1000000;
	struct difference d;

	(void)state;
	d = judge(500500 * million, million * million, 500000 * million,
		  million * million);
	assert_true(d.low > 0);
	assert_int_equal(d.verdict, DIFF_UNSURE);
	assert_int_equal(verdict(500 * million, million * million, 0,
				 million * million), DIFF_UNSURE);
	assert_int_equal(verdict(2000 * million, million * million, 0,
				 million * million), DIFF_NEW);
}

/* Newcombe 1998, table II: 56/70 against 48/80, there at 95 %. */
static void
the_interval_is_around_the_change_and_in_its_bounds(void **state)
{
	struct difference d = judge(56, 70, 48, 80);

	(void)state;
	assert_true(fabs(d.change - 0.2) < 1e-9);
	assert_true(d.low > 0.0 && d.low < 0.0524);
	assert_true(d.high > 0.3339 && d.high < 0.40);
	for (uint64_t now = 0; now <= 10; now++) {
		for (uint64_t base = 0; base <= 10; base++) {
			d = judge(now, 10, base, 10);
			assert_true(d.low <= d.change && d.change <= d.high);
			assert_true(d.low >= -1 && d.high <= 1);
		}
	}
}

static void
sides_can_be_swapped(void **state)
{
	(void)state;
	srand(5);
	for (int i = 0; i < 1000; i++) {
		uint64_t n = 1 + rand() % 5000, m = 1 + rand() % 5000;
		uint64_t a = rand() % (n + 1), b = rand() % (m + 1);
		struct difference one = judge(a, n, b, m);
		struct difference two = judge(b, m, a, n);

		assert_true(fabs(one.change + two.change) < 1e-12);
		assert_true(fabs(one.low + two.high) < 1e-12);
		assert_int_equal(one.verdict == DIFF_UNSURE,
				 two.verdict == DIFF_UNSURE);
	}
}

/* Of 100 that did not change about one looks as if it had. */
static void
chance_alone_is_seldom_taken_for_a_change(void **state)
{
	int wrong = 0;

	(void)state;
	srand(17);
	for (int i = 0; i < 4000; i++) {
		uint64_t now = 0, base = 0;

		for (int k = 0; k < 500; k++) {
			now += rand() % 10 == 0;
			base += rand() % 10 == 0;
		}
		wrong += verdict(now, 500, base, 500) != DIFF_UNSURE;
	}
	assert_in_range(wrong, 1, 80);
}

static void
more_than_all_is_all(void **state)
{
	(void)state;
	assert_true(judge(20, 10, 0, 10).share == 1);
}

static void
samples_that_tell_less_make_a_wider_interval(void **state)
{
	struct watched now = { 1300, 10000, 1 }, base = { 1000, 10000, 1 };
	struct difference one = diff_judge(now, base), two;

	(void)state;
	assert_int_equal(one.verdict, DIFF_MORE);
	now.inflation = base.inflation = 9;
	two = diff_judge(now, base);
	assert_int_equal(two.verdict, DIFF_UNSURE);
	assert_true(two.change == one.change);
	assert_true(fabs((two.high - two.low) / (one.high - one.low) - 3) <
		    0.1);
}

static void
a_change_has_a_word_and_a_size(void **state)
{
	struct difference d = judge(200, 1000, 50, 1000);
	char word[16];

	(void)state;
	assert_string_equal(diff_word(word, sizeof(word), &d), "+15.0");
	assert_int_equal(diff_step(&d), 2);
	d = judge(450, 10000, 800, 10000);
	assert_string_equal(diff_word(word, sizeof(word), &d), "-3.5");
	assert_int_equal(diff_step(&d), 1);
	d = judge(150, 10000, 0, 10000);
	assert_string_equal(diff_word(word, sizeof(word), &d), "new");
	assert_int_equal(diff_step(&d), 0);
	d = judge(0, 10000, 150, 10000);
	assert_string_equal(diff_word(word, sizeof(word), &d), "gone");
	d = judge(10, 1000, 10, 1000);
	assert_string_equal(diff_word(word, sizeof(word), &d), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_that_tell_less_make_a_wider_interval),
		cmocka_unit_test(a_doubled_share_is_more_and_back_it_is_less),
		cmocka_unit_test(few_samples_tell_nothing),
		cmocka_unit_test(
			what_is_new_and_what_is_gone_has_a_word_of_its_own),
		cmocka_unit_test(what_is_sure_but_small_does_not_count),
		cmocka_unit_test(
			the_interval_is_around_the_change_and_in_its_bounds),
		cmocka_unit_test(sides_can_be_swapped),
		cmocka_unit_test(chance_alone_is_seldom_taken_for_a_change),
		cmocka_unit_test(more_than_all_is_all),
		cmocka_unit_test(a_change_has_a_word_and_a_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
