/* SPDX-License-Identifier: MIT */
/*
 * ranges_test.c - overlapping ranges against a table of every address.
 */
#include "symbols/ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
add(struct ranges *ranges, uint64_t start, uint64_t end, const char *name)
{
	uint32_t at;

	assert_true(ranges_name(ranges, name, strlen(name), &at));
	ranges_add(ranges, start, end, at);
}

static void
expect(const struct ranges *ranges, uint64_t addr, const char *name,
       uint64_t start)
{
	uint64_t found_start;
	const char *found = ranges_find(ranges, addr, &found_start);

	if (!name) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, name);
	assert_int_equal(found_start, start);
}

static void
a_gap_belongs_to_nobody(void **state)
{
	struct ranges *ranges = ranges_new();

	(void)state;
	add(ranges, 0x30, 0x40, "b");
	add(ranges, 0x10, 0x20, "a");
	ranges_settle(ranges);
	expect(ranges, 0x0f, NULL, 0);
	expect(ranges, 0x10, "a", 0x10);
	expect(ranges, 0x1f, "a", 0x10);
	expect(ranges, 0x20, NULL, 0);
	expect(ranges, 0x3f, "b", 0x30);
	expect(ranges, 0x40, NULL, 0);
	expect(ranges, UINT64_MAX, NULL, 0);
	ranges_free(ranges);
}

static void
the_rest_of_an_outer_range_still_begins_where_it_began(void **state)
{
	struct ranges *ranges = ranges_new();

	(void)state;
	add(ranges, 0x10, 0x90, "outer");
	add(ranges, 0x30, 0x40, "inner");
	ranges_settle(ranges);
	expect(ranges, 0x2f, "outer", 0x10);
	expect(ranges, 0x30, "inner", 0x30);
	expect(ranges, 0x40, "outer", 0x10);
	expect(ranges, 0x8f, "outer", 0x10);
	expect(ranges, 0x90, NULL, 0);
	assert_int_equal(ranges_count(ranges), 3);
	ranges_free(ranges);
}

static void
the_later_of_two_wins_in_whatever_round_it_came(void **state)
{
	struct ranges *ranges = ranges_new();

	(void)state;
	add(ranges, 0x10, 0x50, "old");
	ranges_settle(ranges);
	add(ranges, 0x20, 0x30, "new");
	add(ranges, 0x28, 0x30, "newest");
	ranges_settle(ranges);
	expect(ranges, 0x1f, "old", 0x10);
	expect(ranges, 0x20, "new", 0x20);
	expect(ranges, 0x2f, "newest", 0x28);
	expect(ranges, 0x30, "old", 0x10);
	ranges_free(ranges);
}

static void
an_unknown_end_is_the_next_start_or_a_page_away(void **state)
{
	struct ranges *ranges = ranges_new();

	(void)state;
	add(ranges, 0x1000, 0x1000, "open");
	add(ranges, 0x1040, 0x1080, "next");
	add(ranges, 0x9000, 0x9000, "last");
	add(ranges, UINT64_MAX - 4, UINT64_MAX - 4, "edge");
	ranges_settle(ranges);
	expect(ranges, 0x103f, "open", 0x1000);
	expect(ranges, 0x1040, "next", 0x1040);
	expect(ranges, 0x9fff, "last", 0x9000);
	expect(ranges, 0xa000, NULL, 0);
	expect(ranges, UINT64_MAX - 1, "edge", UINT64_MAX - 4);
	ranges_free(ranges);
}

static void
nothing_at_all_is_a_gap(void **state)
{
	struct ranges *ranges = ranges_new();

	(void)state;
	expect(ranges, 5, NULL, 0);
	ranges_settle(ranges);
	expect(ranges, 5, NULL, 0);
	add(ranges, 9, 8, "backward");
	ranges_settle(ranges);
	expect(ranges, 8, NULL, 0);
	assert_int_equal(ranges_next(ranges, 0), UINT64_MAX);
	assert_int_equal(ranges_end(ranges, 8), UINT64_MAX);
	ranges_free(ranges);
}

#define SPACE 400

/* Compare with an array that holds the number of the last range put there. */
static void
any_mix_answers_like_a_table_of_every_address(void **state)
{
	(void)state;
	srandom(1);
	for (int round = 0; round < 300; round++) {
		struct ranges *ranges = ranges_new();
		uint32_t truth[SPACE] = { 0 }, starts[64] = { 0 };

		for (uint32_t i = 1; i < 60; i++) {
			uint32_t start = (uint32_t)random() % (SPACE - 40);
			uint32_t end = start + 1 + (uint32_t)random() % 39;

			starts[i] = start;
			ranges_add(ranges, start, end, i);
			for (uint32_t at = start; at < end; at++)
				truth[at] = i;
			if (random() % 20 == 0)
				ranges_settle(ranges);
		}
		ranges_settle(ranges);
		for (uint32_t at = 0; at < SPACE; at++) {
			uint64_t start = 0;
			uint32_t name = 0;

			ranges_lookup(ranges, at, &start, &name);
			assert_int_equal(name, truth[at]);
			assert_int_equal(start, starts[name]);
		}
		ranges_free(ranges);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gap_belongs_to_nobody),
		cmocka_unit_test(
			the_rest_of_an_outer_range_still_begins_where_it_began),
		cmocka_unit_test(
			the_later_of_two_wins_in_whatever_round_it_came),
		cmocka_unit_test(
			an_unknown_end_is_the_next_start_or_a_page_away),
		cmocka_unit_test(nothing_at_all_is_a_gap),
		cmocka_unit_test(any_mix_answers_like_a_table_of_every_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
