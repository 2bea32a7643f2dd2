/* SPDX-License-Identifier: MIT */
/*
 * folded_unique_test.c - equal lines go together, and lose nothing.
 */
#include "formats/folded_unique.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/reading.h"

#include <cmocka.h>

static void
add(struct folded_unique *unique, const char *text)
{
	folded_unique_add(unique, (struct slice){ text, strlen(text) });
}

static void
equal_stacks_are_one_with_the_sum(void **state)
{
	struct folded_unique unique = { .cuts = true };

	(void)state;
	add(&unique, "a;b 5\na;c 1\n\na;b 7\n");
	add(&unique, "a;b 0.5\na;b -1\na;b 18446744073709551615\n");
	assert_int_equal(unique.lines, 7);
	assert_int_equal(unique.ntexts, 2);
	assert_int_equal(unique.texts[0].times, 5);
	assert_int_equal(unique.texts[0].line, 1);
	assert_int_equal(unique.texts[1].line, 2);
	/* Beyond 19 digits one is lost; 12 + 0.5 + 1. */
	assert_true(folded_unique_sum(&unique, &unique.texts[0]) ==
		    (unsigned __int128)18446744073709551610u * 1000000000 +
		    13500000000);
	assert_int_equal(unique.odds[0].range.negatives, 1);
	assert_int_equal(unique.odds[0].range.decimals, 1);
	folded_unique_fini(&unique);
}

static void
lines_without_a_count_stay_whole(void **state)
{
	struct folded_unique unique = { .cuts = true };

	(void)state;
	add(&unique, "a;b\na;b 1\na;b\n# comment\n");
	assert_int_equal(unique.ntexts, 2);
	assert_false(unique.texts[0].has_count);
	assert_int_equal(unique.texts[0].times, 2);
	assert_int_equal(unique.comments.len, 10);
	folded_unique_fini(&unique);
	unique.cuts = false;
	add(&unique, "a;b 1\na;b 2\n");
	assert_int_equal(unique.ntexts, 2);
	folded_unique_fini(&unique);
}

/* Texts of each length, so that none is taken for its beginning. */
static void
texts_of_all_lengths_are_told_apart(void **state)
{
	struct folded_unique unique = { .cuts = true };
	char line[320];
	size_t turn, len;

	(void)state;
	for (turn = 0; turn < 3; turn++)
		for (len = 1; len < 300; len++) {
			memset(line, 'x', len);
			strcpy(line + len, " 2\n");
			add(&unique, line);
		}
	assert_int_equal(unique.ntexts, 299);
	for (len = 1; len < 300; len++) {
		assert_int_equal(unique.texts[len - 1].len, len);
		assert_int_equal(unique.texts[len - 1].sum, 6);
	}
	folded_unique_fini(&unique);
}

static void
what_repeats_is_reported(void **state)
{
	static const char text[] = "a;b 1\nnoise\na;b 2\nnoise\n;c 3\n;c 3\n"
				   "other\n";
	struct reading r = reading_of(text, strlen(text));

	(void)state;
	assert_string_equal(r.folded, "[empty];c 6\na;b 3\n");
	assert_int_equal(r.report.lines, 7);
	assert_int_equal(r.report.ignored, 3);
	assert_int_equal(r.report.first_ignored[0], 2);
	assert_int_equal(r.report.first_ignored[1], 7);
	assert_int_equal(r.report.duplicates, 2);
	free(r.folded);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_stacks_are_one_with_the_sum),
		cmocka_unit_test(lines_without_a_count_stay_whole),
		cmocka_unit_test(texts_of_all_lengths_are_told_apart),
		cmocka_unit_test(what_repeats_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
