/* SPDX-License-Identifier: MIT */
/*
 * spread_test.c - what is known of a function's samples, by its name.
 */
#include "core/spread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/inflation.h"

#define SECOND UINT64_C(1000000000)

static stack_id
stack_of(struct profile *profile, const char *name)
{
	struct frame frame = { .name = strings_add(profile_strings(profile),
						   name, strlen(name)) };

	return profile_push(profile, 0, profile_frame(profile, &frame));
}

/* In [FROM, UNTIL) seconds "f" and "g" by turns, four seconds each. */
static void
add(struct profile *profile, uint64_t from, uint64_t until)
{
	for (uint64_t at = from; at < until; at++) {
		struct cell cell = {
			.weight = 50,
			.stack = stack_of(profile, at / 4 % 2 ? "f" : "g"),
		};

		profile_add(profile, at * SECOND, &cell);
		cell.stack = stack_of(profile, "even");
		profile_add(profile, at * SECOND, &cell);
	}
}

static double
inflation(const struct profile *profile, struct names *names, uint64_t from,
	  uint64_t until, const char *name)
{
	struct spread *spread = spread_of(profile, names, KIND_CPU,
					  from * SECOND, until * SECOND);
	double found = spread_inflation(spread, name);

	spread_free(spread);
	return found;
}

static void
phases_are_seen_in_the_part_that_has_them(void **state)
{
	struct profile *profile = profile_new();
	struct names *names = names_new(profile);

	(void)state;
	add(profile, 10, 110);
	assert_true(inflation(profile, names, 0, 999, "f") > 50);
	assert_true(inflation(profile, names, 0, 999, "even") == 1);
	assert_true(inflation(profile, names, 0, 999, "unknown") > 50);
	assert_true(inflation(profile, names, 10, 12, "f") ==
		    INFLATION_ASSUMED);
	names_free(names);
	profile_free(profile);
}

static void
what_is_not_known_is_one(void **state)
{
	struct profile *profile = profile_new();
	struct names *names = names_new(profile);

	(void)state;
	assert_true(inflation(profile, names, 0, 999, "f") == 1);
	assert_true(spread_inflation(NULL, "f") == 1);
	profile_set(profile, "block.seconds", "1");
	profile_set(profile, "block.samples", "9,9,9,9,9,9,9,9");
	profile_set(profile, "block.000", "9,9,9,9,,,,;=;f");
	assert_true(inflation(profile, names, 0, 999, "f") > 8);
	names_free(names);
	profile_free(profile);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_are_seen_in_the_part_that_has_them),
		cmocka_unit_test(what_is_not_known_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
