/* SPDX-License-Identifier: MIT */
/*
 * svg_difference_test.c - two profiles as one picture.
 */
#include "formats/svg.h"

#include "tests/unit/writing.h"

static void
add(struct comparison *comparison, enum side side, const char *folded)
{
	struct profile *profile = read_bytes(folded, strlen(folded));
	struct names *names;

	assert_non_null(profile);
	names = names_new(profile);
	comparison_add(comparison, side, profile, names, KIND_CPU);
	names_free(names);
	profile_free(profile);
}

/* Two folded texts as a picture; the test frees. */
static char *
svg_of(const char *base, const char *other)
{
	struct comparison *comparison = comparison_new(&compare_default);
	size_t len;
	char *svg;
	FILE *file = open_memstream(&svg, &len);

	add(comparison, SIDE_BASE, base);
	add(comparison, SIDE_OTHER, other);
	comparison_judge(comparison);
	assert_true(svg_write_difference(file, comparison, "<base>",
					 "new\033.folded", NULL));
	fclose(file);
	comparison_free(comparison);
	return svg;
}

static void
assert_has(const char *svg, const char *part)
{
	const char *frames = strstr(svg, "</style>");

	assert_non_null(frames);
	if (!strstr(frames, part)) {
		print_error("%.5000s\n", frames);
		fail_msg("no %s", part);
	}
}

#define BASE "main;a 8000\nmain;b 1400\nmain;gone 600\n"
#define OTHER "main;a 5000\nmain;b 3200\nmain;fresh 1800\n"

static void
widths_are_of_the_second_and_colours_of_the_change(void **state)
{
	char *svg = svg_of(BASE, OTHER);

	(void)state;
	assert_has(svg, "<g class=\"diff-less-3\" data-x=\"0\" "
		   "data-w=\"5000\" data-sign=\"-30.0\"><title>a\n50.00 % of "
		   "all now, 80.00 % before, -30.00 points (-3");
	assert_has(svg, "<g class=\"diff-more-3\" data-x=\"5000\" "
		   "data-w=\"3200\" data-sign=\"+18.0\"><title>b\n");
	assert_has(svg, "<g class=\"diff-new\" data-x=\"8200\" "
		   "data-w=\"1800\" data-sign=\"new\"><title>fresh\n");
	assert_has(svg, "<g class=\"diff-same\" data-x=\"0\" "
		   "data-w=\"10000\"><title>main\n100.00 % of all now");
	assert_has(svg, ">+18.0 b</text>");
	free(svg);
}

static void
what_is_gone_is_named(void **state)
{
	char *svg = svg_of(BASE, OTHER);

	(void)state;
	assert_has(svg, "4 changes; 1 function did not change; gone: gone<");
	assert_null(strstr(svg, "<title>gone"));
	free(svg);
}

/* Its own time is gone, and its frame is there. */
static void
who_only_calls_now_is_not_gone(void **state)
{
	char *svg = svg_of("main;a 5000\nmain;f 2000\nmain;f;g 3000\n",
			   "main;a 5000\nmain;f;g 5000\n");

	(void)state;
	assert_has(svg, "<title>f\n");
	assert_null(strstr(svg, "gone: "));
	free(svg);
}

static void
both_sides_are_named_and_harmless(void **state)
{
	char *svg = svg_of(BASE, OTHER);

	(void)state;
	assert_has(svg, ">new\\x1b.folded, compared with &lt;base&gt;<");
	assert_has(svg, "<title>all\n10,000 samples now, 10,000 before<");
	free(svg);
}

static void
of_the_same_twice_nothing_has_a_colour(void **state)
{
	char *svg = svg_of(BASE, BASE);

	(void)state;
	assert_has(svg, ">The two are indistinguishable; ");
	assert_null(strstr(svg, "data-sign"));
	assert_has(svg, ": no change</title>");
	free(svg);
}

/* Where it is called from has a new name, and so its callees have a new path. */
static void
a_renamed_function_is_no_change_and_nor_is_what_it_calls(void **state)
{
	char *svg = svg_of("main;old_name;a 4000\nmain;b 6000\n",
			   "main;other_name;a 4000\nmain;b 6000\n");

	(void)state;
	assert_has(svg, "\nrenamed, was old_name</title>");
	assert_null(strstr(svg, "data-sign"));
	free(svg);
}

static void
the_same_files_give_the_same_bytes(void **state)
{
	char *one = svg_of(BASE, OTHER), *two = svg_of(BASE, OTHER);

	(void)state;
	assert_string_equal(one, two);
	free(one);
	free(two);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			widths_are_of_the_second_and_colours_of_the_change),
		cmocka_unit_test(what_is_gone_is_named),
		cmocka_unit_test(who_only_calls_now_is_not_gone),
		cmocka_unit_test(both_sides_are_named_and_harmless),
		cmocka_unit_test(of_the_same_twice_nothing_has_a_colour),
		cmocka_unit_test(
			a_renamed_function_is_no_change_and_nor_is_what_it_calls),
		cmocka_unit_test(the_same_files_give_the_same_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
