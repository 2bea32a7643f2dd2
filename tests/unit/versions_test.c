/* SPDX-License-Identifier: MIT */
/*
 * versions_test.c - code that takes the place of other code.
 */
#include "symbols/versions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
add(struct versions *v, uint64_t start, uint64_t end, const char *name)
{
	uint32_t at;
	char *room = versions_room(v, strlen(name), &at);

	assert_non_null(room);
	memcpy(room, name, strlen(name));
	versions_add(v, start, end, at);
}

static uint64_t
at(uint64_t version, uint64_t addr)
{
	return version << VERSION_SHIFT | addr;
}

static void
expect(struct versions *v, uint64_t offset, const char *name, uint64_t start)
{
	uint64_t found_start;
	uint32_t found_name;
	const char *found = versions_find(v, offset, &found_start,
					  &found_name);

	if (!name) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, name);
	assert_int_equal(found_start, start);
}

static void
a_sample_keeps_the_name_of_its_time(void **state)
{
	struct versions *v = versions_new();

	(void)state;
	add(v, 0x1000, 0x1100, "first");
	versions_settle(v);
	expect(v, at(0, 0x1010), "first", 0x1000);
	add(v, 0x1000, 0x1080, "second");
	versions_settle(v);
	assert_int_equal(versions_now(v), 1);
	expect(v, at(0, 0x1010), "first", 0x1000);
	expect(v, at(1, 0x1010), "second", at(1, 0x1000));
	add(v, 0x1000, 0x1080, "third");
	versions_settle(v);
	assert_int_equal(versions_now(v), 2);
	expect(v, at(0, 0x1020), "first", 0x1000);
	expect(v, at(1, 0x1020), "second", at(1, 0x1000));
	expect(v, at(2, 0x1020), "third", at(2, 0x1000));
	/* What of the first was never covered is still there. */
	expect(v, at(0, 0x1090), "first", 0x1000);
	expect(v, at(2, 0x1090), "first", 0x1000);
	versions_free(v);
}

static void
what_nobody_saw_run_makes_no_version(void **state)
{
	struct versions *v = versions_new();

	(void)state;
	add(v, 0x1000, 0x1100, "first");
	versions_settle(v);
	expect(v, 0x2000, NULL, 0);
	add(v, 0x1000, 0x1100, "second");
	add(v, 0x2000, 0x2100, "late");
	versions_settle(v);
	assert_int_equal(versions_now(v), 0);
	expect(v, 0x1010, "second", 0x1000);
	expect(v, 0x2000, "late", 0x2000);
	/* The same once more is no change. */
	add(v, 0x1000, 0x1100, "second");
	versions_settle(v);
	assert_int_equal(versions_now(v), 0);
	versions_free(v);
}

static void
an_open_end_stops_at_what_is_there(void **state)
{
	struct versions *v = versions_new();

	(void)state;
	add(v, 0x1100, 0x1200, "known");
	versions_settle(v);
	add(v, 0x1000, 0x1000, "open");
	add(v, 0x5000, 0x5000, "alone");
	versions_settle(v);
	expect(v, 0x10ff, "open", 0x1000);
	expect(v, 0x1100, "known", 0x1100);
	expect(v, 0x5fff, "alone", 0x5000);
	expect(v, 0x6000, NULL, 0);
	versions_free(v);
}

static void
a_restart_forgets_all_but_what_was_seen(void **state)
{
	struct versions *v = versions_new();

	(void)state;
	add(v, 0x1000, 0x1100, "one");
	add(v, 0x2000, 0x2100, "two");
	add(v, 0x3000, 0x3100, "three");
	versions_settle(v);
	expect(v, 0x1000, "one", 0x1000);
	expect(v, 0x2000, "two", 0x2000);
	versions_restart(v);
	add(v, 0x2000, 0x2100, "two");
	versions_settle(v);
	assert_int_equal(versions_now(v), 1);
	expect(v, at(0, 0x1000), "one", 0x1000);
	expect(v, at(1, 0x1000), NULL, 0);
	expect(v, at(0, 0x2000), "two", 0x2000);
	expect(v, at(1, 0x2000), "two", 0x2000);
	expect(v, at(0, 0x3000), NULL, 0);
	/* And once more: the oldest name goes over, too. */
	versions_restart(v);
	versions_settle(v);
	expect(v, at(0, 0x1000), "one", 0x1000);
	expect(v, at(1, 0x2000), "two", 0x2000);
	expect(v, at(2, 0x2000), NULL, 0);
	versions_free(v);
}

/* Against a table of every address, with growth by layers. */
static void
layers_answer_as_one_table(void **state)
{
	enum { SPACE = 4096, ROUNDS = 40, BATCH = 500 };
	struct versions *v = versions_new();
	int *truth = calloc(SPACE, sizeof(*truth));
	unsigned seed = 1;
	char name[32];

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < BATCH; i++) {
			unsigned start = (unsigned)rand_r(&seed) % SPACE;
			unsigned len = (unsigned)rand_r(&seed) % 40 + 1;
			int id = round * BATCH + i + 1;

			snprintf(name, sizeof(name), "f%d", id);
			add(v, start, start + len, name);
			for (unsigned k = start; k < start + len; k++)
				if (k < SPACE)
					truth[k] = id;
		}
		versions_settle(v);
	}
	for (unsigned k = 0; k < SPACE; k++) {
		uint64_t start;
		uint32_t text;
		const char *found = versions_find(v, k, &start, &text);

		snprintf(name, sizeof(name), "f%d", truth[k]);
		assert_non_null(found);
		assert_string_equal(found, name);
	}
	assert_int_equal(versions_now(v), 0);
	free(truth);
	versions_free(v);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_keeps_the_name_of_its_time),
		cmocka_unit_test(what_nobody_saw_run_makes_no_version),
		cmocka_unit_test(an_open_end_stops_at_what_is_there),
		cmocka_unit_test(a_restart_forgets_all_but_what_was_seen),
		cmocka_unit_test(layers_answer_as_one_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
