/* SPDX-License-Identifier: MIT */
/*
 * folded_refusal_test.c - texts that are no folded stacks, and what is said.
 */
#include "tests/unit/folded_load.h"

static void
perf_report_with_children_is_refused_with_the_remedy(void **state)
{
	struct loaded in = load("count-first-children");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "--no-children"));
	unload(&in);
}

static void
a_picture_named_folded_is_called_a_picture(void **state)
{
	struct loaded in = load("picture");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "SVG"));
	unload(&in);
}

static void
prose_is_refused(void **state)
{
	char text[4096] = "";
	struct loaded in;
	int i;

	(void)state;
	for (i = 0; i < 40; i++)
		strcat(text, "It was the best of times; it was the worst.\n"
			     "Nobody knew.\n");
	strcat(text, "Chapter 2\n");
	in = load_text(text);
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "1 of its 81 lines"));
	unload(&in);
}

static void
a_program_with_a_number_in_it_is_refused(void **state)
{
	struct loaded in = load_text("def spin(n):\n"
				     "    i = 0\n"
				     "    while i < n:\n"
				     "        i += 1\n"
				     "    return i\n"
				     "while True:\n"
				     "    spin(10000)\n");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "2 of its 7 lines"));
	assert_non_null(strstr(in.err.text, "flametop --"));
	unload(&in);
}

static void
a_table_without_stacks_is_refused(void **state)
{
	struct loaded in = load_text("processor : 0\n"
				     "vendor_id : GenuineIntel\n"
				     "cpu family : 6\n"
				     "model : 143\n"
				     "stepping : 8\n");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "4 of its 5 lines"));
	unload(&in);
}

static void
a_text_without_one_stack_is_refused(void **state)
{
	struct loaded in = load_text("Size of a 0\nof b 0\nRss:  kB\n");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "2 of its 3 lines"));
	unload(&in);
}

static void
a_text_whose_counts_are_all_zero_is_refused(void **state)
{
	struct loaded in = load_text("a;b 0\na;c 0\na;d\n");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "none of its 3 lines"));
	unload(&in);
}

static void
our_own_file_of_which_no_line_is_understood_is_refused(void **state)
{
	struct loaded in = load_text("# flametop: v1\nmain;f x\nmain;g\n");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "2 were not understood"));
	assert_non_null(strstr(in.err.text, "the first is line 2"));
	unload(&in);
}

static void
our_own_file_without_a_sample_is_read(void **state)
{
	struct loaded in = load_text("# flametop: v1\n# event=cpu-clock\n");

	(void)state;
	assert_true(in.ok);
	unload(&in);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			perf_report_with_children_is_refused_with_the_remedy),
		cmocka_unit_test(a_picture_named_folded_is_called_a_picture),
		cmocka_unit_test(prose_is_refused),
		cmocka_unit_test(a_program_with_a_number_in_it_is_refused),
		cmocka_unit_test(a_table_without_stacks_is_refused),
		cmocka_unit_test(a_text_whose_counts_are_all_zero_is_refused),
		cmocka_unit_test(
			our_own_file_of_which_no_line_is_understood_is_refused),
		cmocka_unit_test(our_own_file_without_a_sample_is_read),
		cmocka_unit_test(a_text_without_one_stack_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
