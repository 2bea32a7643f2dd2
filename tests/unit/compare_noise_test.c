/* SPDX-License-Identifier: MIT */
/*
 * compare_noise_test.c - does a comparison tell what changed from chance?
 *
 * Pairs of profiles of a load whose truth is known (tests/unit/load.h): of
 * equal ones next to none may show a change, and of changed ones nearly all
 * must when they are as long as the comparison itself asked for.
 */
#include "core/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/load.h"

#define PAIRS 200
#define POWER_PAIRS 100

static void
add(struct comparison *comparison, enum side side, const struct load *load)
{
	struct profile *profile = load_profile(load);
	struct names *names = names_new(profile);

	comparison_add(comparison, side, profile, names, KIND_CPU);
	names_free(names);
	profile_free(profile);
}

static struct comparison *
compare(const struct load *base, const struct load *other)
{
	struct comparison *comparison = comparison_new(&compare_default);

	add(comparison, SIDE_BASE, base);
	add(comparison, SIDE_OTHER, other);
	comparison_judge(comparison);
	return comparison;
}

static bool
says_anything(const struct comparison *comparison)
{
	size_t count;
	const struct compared *rows = comparison_rows(comparison, &count);

	for (size_t i = 1; i < count; i++)
		if (change_is_one(rows[i].total.verdict) ||
		    change_is_one(rows[i].self.verdict))
			return true;
	return false;
}

static const struct compared *
row(const struct comparison *comparison, const char *name)
{
	size_t count;
	const struct compared *rows = comparison_rows(comparison, &count);

	for (size_t i = 1; i < count; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

/* How many of PAIRS equal ones show any change. */
static int
wrong_of(double phases, double seconds)
{
	int wrong = 0;

	for (unsigned i = 0; i < PAIRS; i++) {
		struct load one = { .seed = 2 * i + 1, .hz = 99,
				    .seconds = seconds, .phases = phases,
				    .regex = 1 };
		struct load two = one;
		struct comparison *comparison;

		two.seed++;
		comparison = compare(&one, &two);
		wrong += says_anything(comparison);
		comparison_free(comparison);
	}
	print_message("%d of %d equal pairs of %.0f s, phases %.1f\n", wrong,
		      PAIRS, seconds, phases);
	return wrong;
}

static void
equal_loads_show_no_change_with_phases_or_without(void **state)
{
	(void)state;
	assert_true(wrong_of(0, 60) <= PAIRS / 20);
	assert_true(wrong_of(0.5, 60) <= PAIRS / 20);
	assert_true(wrong_of(1, 60) <= PAIRS / 20);
	assert_true(wrong_of(1, 120) <= PAIRS / 20);
}

/*
 * The truth: how much the share of handleRegex varies from one run to the
 * next, against independent samples.
 */
static double
true_inflation(double phases, double *share)
{
	const double seconds = 60, hz = 99;
	double sum = 0, squares = 0, mean;
	const int runs = 400;

	for (int i = 0; i < runs; i++) {
		struct load load = { .seed = 5000 + (uint64_t)i, .hz = hz,
				     .seconds = seconds, .phases = phases,
				     .regex = 1 };
		struct comparison *c = comparison_new(&compare_default);
		double one;

		add(c, SIDE_BASE, &load);
		comparison_judge(c);
		one = row(c, "handleRegex")->total.share[SIDE_BASE];
		sum += one;
		squares += one * one;
		comparison_free(c);
	}
	mean = sum / runs;
	*share = mean;
	return (squares - sum * mean) / (runs - 1) * seconds * hz /
	       (mean * (1 - mean));
}

static int
compare_doubles(const void *va, const void *vb)
{
	double a = *(const double *)va, b = *(const double *)vb;

	return (a > b) - (a < b);
}

/* Samples asked for on each side, for each of POWER_PAIRS short pairs. */
static void
ask(double phases, double *needs, double *margin)
{
	*margin = 0;
	for (unsigned i = 0; i < POWER_PAIRS; i++) {
		struct load one = { .seed = 900 + 2 * i, .hz = 99,
				    .seconds = 60, .phases = phases,
				    .regex = 1 };
		struct load two = one;
		struct comparison *c;
		const struct compared *regex;

		two.seed++;
		two.regex = 1.2;
		c = compare(&one, &two);
		regex = row(c, "handleRegex");
		needs[i] = regex->total.needs *
			   (double)comparison_side(c, SIDE_BASE)->samples;
		*margin += fmax(regex->total.share[0],
				regex->total.share[1]) * 0.1 / POWER_PAIRS;
		comparison_free(c);
	}
}

static void
what_grew_is_found_with_the_samples_that_were_asked_for(void **state)
{
	const double phases = 0.6;
	double share, inflation = true_inflation(phases, &share);
	double needs[POWER_PAIRS], sorted[POWER_PAIRS], margin, enough;
	int found = 0;

	(void)state;
	ask(phases, needs, &margin);
	memcpy(sorted, needs, sizeof(needs));
	qsort(sorted, POWER_PAIRS, sizeof(*sorted), compare_doubles);
	enough = 2.8 * 2.8 * inflation * 2 * share * (1 - share) /
		 (margin * margin);
	for (unsigned i = 0; i < POWER_PAIRS; i++) {
		struct load one = { .seed = 70000 + 2 * i, .hz = 99,
				    .seconds = needs[i] / 99,
				    .phases = phases, .regex = 1 };
		struct load two = one;
		struct comparison *c;

		two.seed++;
		two.regex = 1.2;
		c = compare(&one, &two);
		found += row(c, "handleRegex")->verdict == CHANGE_REGRESSED;
		comparison_free(c);
	}
	print_message("inflation %.1f: %.0f samples are enough, %.0f asked "
		      "for (median), found in %d of %d\n", inflation, enough,
		      sorted[POWER_PAIRS / 2], found, POWER_PAIRS);
	assert_true(sorted[POWER_PAIRS / 2] <= 1.5 * enough);
	assert_true(found >= POWER_PAIRS * 8 / 10);
}

static void
ten_times_the_rate_makes_no_difference(void **state)
{
	int wrong = 0;

	(void)state;
	for (unsigned i = 0; i < 20; i++) {
		struct load slow = { .seed = 2 * i + 1, .hz = 100,
				     .seconds = 60, .phases = 0.3,
				     .regex = 1 };
		struct load fast = slow;
		struct comparison *c;

		fast.seed++;
		fast.hz = 1000;
		c = compare(&slow, &fast);
		wrong += comparison_whole(c)->p <= 0.05 || says_anything(c);
		assert_true(fabs(comparison_side(c, SIDE_OTHER)->cores - 1) <
			    0.02);
		comparison_free(c);
	}
	assert_true(wrong <= 1);
}

static enum change
opposite(enum change change)
{
	switch (change) {
	case CHANGE_REGRESSED:
		return CHANGE_IMPROVED;
	case CHANGE_IMPROVED:
		return CHANGE_REGRESSED;
	case CHANGE_NEW:
		return CHANGE_GONE;
	case CHANGE_GONE:
		return CHANGE_NEW;
	case CHANGE_UNWATCHED:
	case CHANGE_UNKNOWN:
	case CHANGE_NONE:
	case CHANGE_MOVED:
		break;
	}
	return change;
}

static void
assert_mirrored(const struct estimate *a, const struct estimate *b)
{
	assert_true(a->change == -b->change);
	assert_true(fabs(a->half - b->half) < 1e-12);
	assert_true(fabs(a->p - b->p) < 1e-12);
	assert_int_equal(a->verdict, opposite(b->verdict));
}

static void
swapped_sides_change_signs_and_nothing_else(void **state)
{
	int changes = 0;

	(void)state;
	for (unsigned i = 0; i < 20; i++) {
		struct load one = { .seed = i + 1, .hz = 99, .seconds = 100,
				    .phases = i % 2 * 0.4, .regex = 1 };
		struct load two = { .seed = i + 99, .hz = 250, .seconds = 50,
				    .regex = 2, .regex_name = i % 4 == 3 ?
							      "grep" : NULL };
		struct comparison *there = compare(&one, &two);
		struct comparison *back = compare(&two, &one);
		const struct compared *rows;
		size_t count;

		rows = comparison_rows(there, &count);
		for (size_t k = 1; k < count; k++) {
			const struct compared *other = row(back, rows[k].name);

			assert_mirrored(&rows[k].total, &other->total);
			assert_mirrored(&rows[k].self, &other->self);
			assert_int_equal(rows[k].verdict,
					 opposite(other->verdict));
			changes += change_is_one(other->verdict);
		}
		assert_int_equal(comparison_whole(there)->changed,
				 comparison_whole(back)->changed);
		assert_true(comparison_whole(there)->p ==
			    comparison_whole(back)->p);
		comparison_free(there);
		comparison_free(back);
	}
	assert_true(changes > 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			equal_loads_show_no_change_with_phases_or_without),
		cmocka_unit_test(
			what_grew_is_found_with_the_samples_that_were_asked_for),
		cmocka_unit_test(ten_times_the_rate_makes_no_difference),
		cmocka_unit_test(swapped_sides_change_signs_and_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
