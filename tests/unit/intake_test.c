/* SPDX-License-Identifier: MIT */
/*
 * intake_test.c - main hears of samples that it has not taken.
 */
#include "app/intake.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool
rings(const struct intake *intake)
{
	struct pollfd bell = { intake_fd(intake), POLLIN, 0 };

	return poll(&bell, 1, 0) == 1;
}

static void
deliver(struct intake *intake)
{
	struct sink sink = intake_sink(intake);
	struct sample sample = {
		.time_ns = 1, .pid = 7, .tid = 7, .kind = KIND_CPU,
		.weight = 1,
	};

	sink.sample(sink.ctx, &sample);
}

static void
its_bell_rings_until_samples_are_taken(void **state)
{
	struct row_store *rows = row_store_new(-1);
	struct intake *intake = intake_new(rows);
	struct profile *taken = profile_new();

	(void)state;
	assert_false(rings(intake));
	for (int round = 0; round < 2; round++) {
		deliver(intake);
		deliver(intake);
		assert_true(rings(intake));
		intake_take(intake, taken, NULL, NULL);
		assert_false(rings(intake));
	}
	assert_int_equal(profile_total(taken, KIND_CPU), 4);
	profile_free(taken);
	intake_free(intake);
	row_store_free(rows);
}

/* Its file can be read before the first stack is whole. */
static void
its_bell_rings_for_a_module(void **state)
{
	struct mapping mapping = { .kind = MODULE_LIBRARY, .path = "/a.so" };
	struct row_store *rows = row_store_new(-1);
	struct intake *intake = intake_new(rows);
	struct profile *taken = profile_new();
	struct sink sink = intake_sink(intake);
	module_id id = sink.module(sink.ctx, 7, &mapping);

	(void)state;
	assert_true(rings(intake));
	intake_take(intake, taken, NULL, NULL);
	assert_false(rings(intake));
	assert_int_equal(profile_modules(taken), id + 1);
	profile_free(taken);
	intake_free(intake);
	row_store_free(rows);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_bell_rings_until_samples_are_taken),
		cmocka_unit_test(its_bell_rings_for_a_module),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
