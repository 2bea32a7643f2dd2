/* SPDX-License-Identifier: MIT */
/*
 * student_test.c - against printed tables of the distribution.
 */
#include "core/student.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static bool
is_near(double a, double b)
{
	return fabs(a - b) <= 0.0006 * fabs(b);
}

static void
limits_are_those_of_tables(void **state)
{
	static const struct {
		double df, five, one, tenth;	/* per cent, both sides */
	} rows[] = {
		{ 1, 12.706, 63.657, 636.619 }, { 2, 4.303, 9.925, 31.599 },
		{ 3, 3.182, 5.841, 12.924 }, { 5, 2.571, 4.032, 6.869 },
		{ 9, 2.262, 3.250, 4.781 }, { 18, 2.101, 2.878, 3.922 },
		{ 30, 2.042, 2.750, 3.646 }, { 120, 1.980, 2.617, 3.373 },
		{ INFINITY, 1.960, 2.576, 3.291 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_true(is_near(student_limit(0.05, rows[i].df),
				    rows[i].five));
		assert_true(is_near(student_limit(0.01, rows[i].df),
				    rows[i].one));
		assert_true(is_near(student_limit(0.001, rows[i].df),
				    rows[i].tenth));
	}
}

static void
one_degree_of_freedom_is_an_arc_tangent(void **state)
{
	(void)state;
	for (double t = 0.01; t < 1000; t *= 1.7)
		assert_true(fabs(student_both_sides(t, 1) -
				 (1 - atan(t) * 2 / M_PI)) < 1e-12);
}

static void
it_is_a_probability_everywhere(void **state)
{
	double last;

	(void)state;
	for (double df = 0.5; df < 1e9; df *= 3) {
		last = 1;
		for (double t = 0; t < 1e6; t = t * 1.5 + 0.01) {
			double p = student_both_sides(t, df);

			assert_true(p >= 0 && p <= last + 1e-12);
			assert_true(fabs(p - student_both_sides(-t, df)) <
				    1e-15);
			last = p;
		}
		assert_true(student_both_sides(0, df) == 1);
		assert_true(student_both_sides(INFINITY, df) == 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_those_of_tables),
		cmocka_unit_test(one_degree_of_freedom_is_an_arc_tangent),
		cmocka_unit_test(it_is_a_probability_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
