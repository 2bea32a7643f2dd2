/* SPDX-License-Identifier: MIT */
/*
 * blocks_test.c - slots to blocks, blocks to keys of a header, and back.
 */
#include "core/blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000000)

static frame_id
frame(struct profile *profile, const char *name)
{
	struct frame frame = { .name = strings_add(profile_strings(profile),
						   name, strlen(name)) };

	return profile_frame(profile, &frame);
}

/* Count WEIGHT on "a;b;c" in second AT. */
static void
count_at(struct profile *profile, uint64_t at, const char *text,
	 uint64_t weight)
{
	struct cell cell = { .weight = weight };
	char *copy = strdup(text), *rest = copy, *name;

	while ((name = strsep(&rest, ";")))
		cell.stack = profile_push(profile, cell.stack,
					  frame(profile, name));
	profile_add(profile, (at + 1000) * SECOND, &cell);
	free(copy);
}

static struct blocks *
blocks_now(struct profile *profile)
{
	struct names *names = names_new(profile);
	struct blocks *blocks = blocks_of(profile, names, KIND_CPU);

	names_free(names);
	return blocks;
}

static const struct block_row *
row(const struct blocks *blocks, const char *name)
{
	for (size_t i = 0; i < blocks->nrows; i++)
		if (strcmp(blocks->rows[i].name, name) == 0)
			return &blocks->rows[i];
	return NULL;
}

static void
a_second_is_a_block_and_recursion_counts_once(void **state)
{
	struct profile *profile = profile_new();
	struct blocks *blocks;

	(void)state;
	count_at(profile, 0, "main;f;f", 3);
	count_at(profile, 0, "main;f", 2);
	count_at(profile, 2, "main;g", 5);
	blocks = blocks_now(profile);
	assert_int_equal(blocks->seconds, 1);
	assert_int_equal(blocks->count, 3);
	assert_int_equal(blocks->samples[0], 5);
	assert_int_equal(blocks->samples[1], 0);
	assert_int_equal(row(blocks, "f")->total[0], 5);
	assert_int_equal(row(blocks, "f")->self[0], 5);
	assert_int_equal(row(blocks, "g")->self[2], 5);
	assert_int_equal(row(blocks, "main")->total[2], 5);
	assert_int_equal(row(blocks, "main")->self[2], 0);
	assert_string_equal(blocks->rows[0].name, "main");
	blocks_free(blocks);
	profile_free(profile);
}

static void
what_took_longer_has_longer_blocks(void **state)
{
	struct profile *profile = profile_new();
	struct blocks *blocks;
	uint64_t sum = 0;

	(void)state;
	for (uint64_t second = 0; second < 300; second++)
		count_at(profile, second, "main", 2);
	blocks = blocks_now(profile);
	assert_int_equal(blocks->seconds, 4);
	assert_int_equal(blocks->count, 75);
	for (size_t i = 0; i < blocks->count; i++)
		sum += blocks->samples[i];
	assert_int_equal(sum, 600);
	blocks_free(blocks);
	profile_free(profile);
}

static void
what_hardly_ran_has_no_row(void **state)
{
	struct profile *profile = profile_new();
	struct blocks *blocks;

	(void)state;
	count_at(profile, 0, "main;busy", 9970);
	count_at(profile, 1, "main;some", 20);
	count_at(profile, 1, "main;rare", 10);
	blocks = blocks_now(profile);
	assert_non_null(row(blocks, "some"));
	assert_null(row(blocks, "rare"));
	blocks_free(blocks);
	profile_free(profile);
}

static void
without_times_there_are_none(void **state)
{
	struct profile *profile = profile_new();
	struct cell cell = { .weight = 5 };

	(void)state;
	assert_null(blocks_now(profile));
	profile_add(profile, 0, &cell);
	assert_null(blocks_now(profile));
	profile_free(profile);
}

static void
set_key(void *ctx, const char *key, const char *value)
{
	assert_true(profile_set(ctx, key, value));
}

static void
keys_tell_all_of_it(void **state)
{
	struct profile *profile = profile_new(), *read = profile_new();
	struct blocks *blocks, *again;

	(void)state;
	count_at(profile, 0, "main;a name, with: all;=", 12);
	count_at(profile, 1, "main", 7);
	count_at(profile, 9, "main;f;f;g", 1);
	blocks = blocks_now(profile);
	blocks_each_key(blocks, set_key, read);
	assert_string_equal(profile_get(read, "block.samples"),
			    "12,7,,,,,,,,1");
	assert_string_equal(profile_get(read, "block.seconds"), "1");
	assert_string_equal(profile_get(read, "block.000"),
			    "12,7,,,,,,,,1;,7,,,,,,,,;main");
	assert_string_equal(profile_get(read, "block.001"),
			    "12,,,,,,,,,;=;=");
	again = blocks_read(read);
	assert_int_equal(again->nrows, blocks->nrows);
	for (size_t i = 0; i < blocks->nrows; i++) {
		assert_string_equal(again->rows[i].name, blocks->rows[i].name);
		assert_memory_equal(again->rows[i].total,
				    blocks->rows[i].total, 10 * 8);
		assert_memory_equal(again->rows[i].self, blocks->rows[i].self,
				    10 * 8);
	}
	blocks_free(again);
	blocks_free(blocks);
	profile_free(read);
	profile_free(profile);
}

/* How many rows are taken of a file with this one among them. */
static size_t
rows_with(const char *value)
{
	struct profile *profile = profile_new();
	struct blocks *blocks;
	size_t count;

	profile_set(profile, "block.seconds", "2");
	profile_set(profile, "block.samples", "5,5,5");
	profile_set(profile, "block.000", "5,5,5;,,;main");
	profile_set(profile, "block.001", value);
	profile_set(profile, "block.002", "1,,;=;last");
	blocks = blocks_read(profile);
	count = blocks->nrows;
	assert_string_equal(blocks->rows[count - 1].name, "last");
	blocks_free(blocks);
	profile_free(profile);
	return count;
}

static void
a_row_that_does_not_fit_is_left_out(void **state)
{
	(void)state;
	assert_int_equal(rows_with("5,,;=;f"), 3);
	assert_int_equal(rows_with("5,;=;f"), 2);
	assert_int_equal(rows_with("5,,,;=;f"), 2);
	assert_int_equal(rows_with("6,,;=;f"), 2);
	assert_int_equal(rows_with("1,,;2,,;f"), 2);
	assert_int_equal(rows_with("-1,,;=;f"), 2);
	assert_int_equal(rows_with("1,,"), 2);
	assert_int_equal(rows_with("1,,;=="), 2);
	assert_int_equal(rows_with(""), 2);
	assert_int_equal(rows_with("99999999999999999999999,,;=;f"), 2);
}

static bool
is_read(const char *seconds, const char *samples)
{
	struct profile *profile = profile_new();
	struct blocks *blocks;
	bool is_there;

	profile_set(profile, "block.seconds", seconds);
	profile_set(profile, "block.samples", samples);
	blocks = blocks_read(profile);
	is_there = blocks != NULL;
	blocks_free(blocks);
	profile_free(profile);
	return is_there;
}

static void
blocks_without_a_sound_width_are_none(void **state)
{
	char many[2 * BLOCKS_MAX + 3] = "1";

	(void)state;
	assert_true(is_read("1", "4,5"));
	assert_true(is_read("64", ",,5"));
	assert_false(is_read("3", "4,5"));
	assert_false(is_read("0", "4,5"));
	assert_false(is_read("", "4,5"));
	assert_false(is_read("1,2", "4,5"));
	assert_false(is_read("x", "4,5"));
	assert_false(is_read("1", "4"));
	assert_false(is_read("1", "4;5"));
	for (size_t i = 0; i < BLOCKS_MAX; i++)
		strcat(many, ",1");
	assert_false(is_read("1", many));
	assert_true(is_read("1", many + 2));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_second_is_a_block_and_recursion_counts_once),
		cmocka_unit_test(what_took_longer_has_longer_blocks),
		cmocka_unit_test(what_hardly_ran_has_no_row),
		cmocka_unit_test(without_times_there_are_none),
		cmocka_unit_test(keys_tell_all_of_it),
		cmocka_unit_test(a_row_that_does_not_fit_is_left_out),
		cmocka_unit_test(blocks_without_a_sound_width_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
