/* SPDX-License-Identifier: MIT */
/*
 * count_test.c - numbers as folded files write them.
 */
#include "formats/count.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"

#include <cmocka.h>

static bool
parses(const char *text, struct count *count)
{
	return count_parse(text, strlen(text), count);
}

/* The scale that suits TEXTS, and what they become by it, in WEIGHTS. */
static int
scale_all(const char *const *texts, size_t n, uint64_t *weights)
{
	struct count_range range = { 0 };
	struct count count;
	size_t i;
	int scale;

	for (i = 0; i < n; i++) {
		assert_true(parses(texts[i], &count));
		count_extend(&range, &count);
	}
	scale = count_scale(&range);
	for (i = 0; i < n; i++) {
		parses(texts[i], &count);
		weights[i] = count_scaled(&count, scale);
	}
	return scale;
}

static void
plain_and_point_forms_are_numbers(void **state)
{
	struct count count;

	(void)state;
	assert_true(parses("0", &count));
	assert_true(parses("12.", &count));
	assert_int_equal(count.digits, 12);
	assert_false(count.is_extended);
	assert_true(parses("12.50", &count));
	assert_int_equal(count.digits, 125);
	assert_int_equal(count.exponent, -1);
	assert_false(count.is_extended);
}

static void
signs_bare_points_and_exponents_are_extensions(void **state)
{
	static const char *const texts[] = { "+5", "-5", ".5", "1e3", "2.5E-1" };
	struct count count;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(texts); i++) {
		assert_true(parses(texts[i], &count));
		assert_true(count.is_extended);
	}
	parses("-5", &count);
	assert_true(count.is_negative);
	parses("1e3", &count);
	assert_int_equal(count_scaled(&count, 0), 1000);
}

static void
words_are_no_numbers(void **state)
{
	static const char *const texts[] = { "",     ".",   "-",   "+.",
					     "0x10", "1e",  "1e+", "12V",
					     "1,0",  "5%",  "e5",  "1.2.3",
					     "1 ",   "nan", "inf", "--1" };
	struct count count;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(texts); i++)
		assert_false(parses(texts[i], &count));
}

static void
fractions_are_kept_exactly_by_one_scale_for_all(void **state)
{
	static const char *const texts[] = { "60.5", "0.25", "6." };
	uint64_t weights[3];

	(void)state;
	assert_int_equal(scale_all(texts, 3, weights), 2);
	assert_int_equal(weights[0], 6050);
	assert_int_equal(weights[1], 25);
	assert_int_equal(weights[2], 600);
}

static void
zeroes_behind_the_point_ask_for_no_scale(void **state)
{
	static const char *const texts[] = { "20.00", "0.000" };
	uint64_t weights[2];

	(void)state;
	assert_int_equal(scale_all(texts, 2, weights), 0);
	assert_int_equal(weights[0], 20);
	assert_int_equal(weights[1], 0);
}

static void
more_than_nine_decimals_are_rounded(void **state)
{
	static const char *const texts[] = { "14.2343983248722834234", "1" };
	uint64_t weights[2];

	(void)state;
	assert_int_equal(scale_all(texts, 2, weights), 9);
	assert_int_equal(weights[0], 14234398325);
	assert_int_equal(weights[1], 1000000000);
}

static void
counts_beyond_63_bits_are_scaled_down_and_keep_their_shares(void **state)
{
	static const char *const texts[] = { "18446744073709551616",
					     "9223372036854775807" };
	uint64_t weights[2];

	(void)state;
	assert_int_equal(scale_all(texts, 2, weights), -1);
	assert_int_equal(weights[0], 1844674407370955161);
	assert_int_equal(weights[1], 922337203685477581);
}

static void
absurd_exponents_neither_wrap_nor_hang(void **state)
{
	static const char *const texts[] = { "1e999999999999", "1e-999999999",
					     "9999999999999999999e99", "1" };
	uint64_t weights[4];

	(void)state;
	assert_true(scale_all(texts, 4, weights) < 0);
	assert_true(weights[0] <= INT64_MAX);
	assert_int_equal(weights[1], 0);
	assert_true(weights[2] > weights[0]);
	assert_int_equal(weights[3], 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_and_point_forms_are_numbers),
		cmocka_unit_test(signs_bare_points_and_exponents_are_extensions),
		cmocka_unit_test(words_are_no_numbers),
		cmocka_unit_test(fractions_are_kept_exactly_by_one_scale_for_all),
		cmocka_unit_test(zeroes_behind_the_point_ask_for_no_scale),
		cmocka_unit_test(more_than_nine_decimals_are_rounded),
		cmocka_unit_test(
			counts_beyond_63_bits_are_scaled_down_and_keep_their_shares),
		cmocka_unit_test(absurd_exponents_neither_wrap_nor_hang),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
