/* SPDX-License-Identifier: MIT */
/*
 * folded_test.c - what folded files mean, oddity by oddity.
 *
 * Each file in tests/fixtures has one.
 */
#include "tests/unit/folded_load.h"

/* --- bytes and encodings */

static void
a_byte_order_mark_is_no_part_of_a_frame(void **state)
{
	struct loaded in = load("bom");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 3);
	unload(&in);
}

static void
utf16_of_either_order_is_read(void **state)
{
	static const char *const names[] = { "utf16-le", "utf16-be" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(names); i++) {
		struct loaded in = load(names[i]);

		assert_true(in.ok);
		assert_int_equal(weight_of(&in, "main > gr\xc3\xb6\xc3\x9f" "e"),
				 3);
		assert_int_equal(total(&in), 7);
		unload(&in);
	}
}

static void
bytes_that_are_no_text_are_spelled_out(void **state)
{
	struct loaded in = load("not-utf8");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > caf\\xe9 > \\x1b[2J"), 3);
	assert_int_equal(weight_of(&in, "main > x\\x00y"), 4);
	unload(&in);
}

/* --- line ends */

static void
carriage_returns_blanks_and_a_missing_last_newline_do_not_matter(void **state)
{
	struct loaded in = load("line-ends");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 3);
	assert_int_equal(weight_of(&in, "main > write"), 4);
	assert_int_equal(weight_of(&in, "main > close"), 5);
	assert_int_equal(in.report.lines, 3);
	assert_int_equal(in.report.ignored, 0);
	unload(&in);
}

static void
a_line_may_have_any_length(void **state)
{
	size_t depth = 200000, i;
	char *text = xcalloc(depth * 2 + 8, 1);
	struct loaded in;

	(void)state;
	for (i = 0; i < depth; i++)
		memcpy(text + 2 * i, i % 2 ? "a;" : "b;", 2);
	strcpy(text + 2 * depth, "c 7\n");
	in = load_bytes(text, strlen(text));
	assert_true(in.ok);
	assert_int_equal(total(&in), 7);
	assert_int_equal(profile_get_stack(in.profile, (stack_id)depth)->depth,
			 depth);
	unload(&in);
}

/* --- comments */

static void
comments_and_blank_lines_are_no_stacks(void **state)
{
	struct loaded in = load("comments");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(total(&in), 42);
	assert_int_equal(in.report.lines, 9);
	assert_int_equal(in.report.ignored, 1);
	assert_int_equal(in.report.first_ignored[0], 7);
	unload(&in);
}

/* --- counts */

static void
unusual_counts_are_read_and_reported(void **state)
{
	struct loaded in = load("extended");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > plus"), 3);
	assert_int_equal(weight_of(&in, "main > exponent"), 40);
	assert_int_equal(weight_of(&in, "P7 > T7 > app.py:run:1"), 50);
	assert_int_equal(total(&in), 96);
	assert_int_equal(in.report.extended, 3);
	assert_int_equal(in.report.ignored, 1);
	unload(&in);
}

/* --- two columns */

static void
two_columns_on_every_line_are_a_difference(void **state)
{
	struct loaded in = load("two-columns");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 5);
	assert_int_equal(weight_of(&in, "main > port 80"), 1);
	assert_non_null(strstr(in.report.note, "the first sums to 63"));
	unload(&in);
}

static void
one_line_with_a_number_before_its_count_is_a_frame(void **state)
{
	struct loaded in = load("number-in-name");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > port 80"), 60);
	assert_string_equal(in.report.note, "");
	unload(&in);
}

/* --- what is missing */

static void
a_count_without_a_stack_is_kept(void **state)
{
	struct loaded in = load("no-stack");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "[no stack]"), 42);
	assert_int_equal(total(&in), 45);
	unload(&in);
}

static void
empty_frames_are_shown_but_for_those_at_the_end(void **state)
{
	struct loaded in = load("empty-frames");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "[empty] > main > [empty] > read"), 3);
	assert_int_equal(weight_of(&in, "main > read"), 4);
	assert_int_equal(weight_of(&in, "[no stack]"), 5);
	assert_int_equal(in.report.empties, 5);
	assert_int_equal(kind_of(&in, "[empty]"), FRAME_NOTE);
	unload(&in);
}

/* --- a blank behind the semicolon */

static void
a_blank_behind_every_semicolon_is_part_of_it(void **state)
{
	struct loaded in = load("padded");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > app::run"), 5);
	assert_int_equal(weight_of(&in,
				   "main > app::run > app::<A as B>::read"), 3);
	unload(&in);
}

static void
a_blank_behind_some_semicolons_is_part_of_the_name(void **state)
{
	struct loaded in = load("padded-once");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > fn >  2]"), 3);
	unload(&in);
}

/* --- sums */

static void
equal_stacks_are_added_up(void **state)
{
	struct loaded in = load("duplicates");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 8);
	assert_int_equal(weight_of(&in, "main"), 3);
	assert_int_equal(in.report.duplicates, 2);
	unload(&in);
}

static void
stacks_that_count_nothing_are_kept(void **state)
{
	struct loaded in = load("zeroes");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(total(&in), 0);
	assert_int_equal(weight_of(&in, "main > read"), 0);
	unload(&in);
}

static void
negative_counts_count_by_their_size_and_are_told(void **state)
{
	struct loaded in = load("negative");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 3);
	assert_int_equal(total(&in), 7);
	assert_non_null(strstr(in.report.note, "1 negative count"));
	assert_int_equal(in.report.extended, 1);
	unload(&in);
}

static void
fractions_are_exact_and_their_scale_is_kept(void **state)
{
	struct loaded in = load("fractions");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(total(&in), 6675);
	assert_int_equal(weight_of(&in, "main > write"), 25);
	assert_string_equal(profile_get(in.profile, "scale"), "2");
	assert_non_null(strstr(in.report.note, "times 10^2"));
	unload(&in);
}

static void
huge_counts_keep_their_shares_and_are_told(void **state)
{
	struct loaded in = load("huge");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 1844674407370955161);
	assert_int_equal(weight_of(&in, "main > write"), 922337203685477581);
	assert_string_equal(profile_get(in.profile, "scale"), "-1");
	assert_non_null(strstr(in.report.note, "too large"));
	unload(&in);
}

/* --- other layouts */

static void
without_any_count_each_line_is_a_sample(void **state)
{
	struct loaded in = load("no-counts");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "<0.1.0> > lists:map/2 > sleep"), 2);
	assert_int_equal(total(&in), 3);
	assert_non_null(strstr(in.report.note, "no counts"));
	unload(&in);
}

static void
counts_before_the_stack_are_perf_reports_leaf_first(void **state)
{
	struct loaded in = load("count-first");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read_all"), 3333);
	assert_int_equal(weight_of(&in, "main > run > read_all"), 2667);
	assert_int_equal(weight_of(&in, "main"), 4000);
	assert_string_equal(profile_get(in.profile, "scale"), "2");
	assert_int_equal(in.report.ignored, 2);
	unload(&in);
}

static void
what_was_ignored_is_reported_with_its_first_lines(void **state)
{
	struct loaded in = load("report");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(in.report.lines, 8);
	assert_int_equal(in.report.ignored, 4);
	assert_int_equal(in.report.first_ignored[0], 1);
	assert_int_equal(in.report.first_ignored[1], 3);
	assert_int_equal(in.report.first_ignored[2], 4);
	assert_int_equal(in.report.extended, 1);
	assert_int_equal(in.report.duplicates, 1);
	assert_int_equal(in.report.empties, 1);
	unload(&in);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_byte_order_mark_is_no_part_of_a_frame),
		cmocka_unit_test(utf16_of_either_order_is_read),
		cmocka_unit_test(bytes_that_are_no_text_are_spelled_out),
		cmocka_unit_test(
			carriage_returns_blanks_and_a_missing_last_newline_do_not_matter),
		cmocka_unit_test(a_line_may_have_any_length),
		cmocka_unit_test(comments_and_blank_lines_are_no_stacks),
		cmocka_unit_test(unusual_counts_are_read_and_reported),
		cmocka_unit_test(two_columns_on_every_line_are_a_difference),
		cmocka_unit_test(
			one_line_with_a_number_before_its_count_is_a_frame),
		cmocka_unit_test(a_count_without_a_stack_is_kept),
		cmocka_unit_test(
			empty_frames_are_shown_but_for_those_at_the_end),
		cmocka_unit_test(a_blank_behind_every_semicolon_is_part_of_it),
		cmocka_unit_test(
			a_blank_behind_some_semicolons_is_part_of_the_name),
		cmocka_unit_test(equal_stacks_are_added_up),
		cmocka_unit_test(stacks_that_count_nothing_are_kept),
		cmocka_unit_test(
			negative_counts_count_by_their_size_and_are_told),
		cmocka_unit_test(fractions_are_exact_and_their_scale_is_kept),
		cmocka_unit_test(huge_counts_keep_their_shares_and_are_told),
		cmocka_unit_test(without_any_count_each_line_is_a_sample),
		cmocka_unit_test(
			counts_before_the_stack_are_perf_reports_leaf_first),
		cmocka_unit_test(
			what_was_ignored_is_reported_with_its_first_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
