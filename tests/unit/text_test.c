/* SPDX-License-Identifier: MIT */
/*
 * text_test.c - widths and numbers.
 */
#include "tui/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
widths_follow_the_table(void **state)
{
	(void)state;
	assert_int_equal(char_width('a'), 1);
	assert_int_equal(char_width(0x10ff), 1);
	assert_int_equal(char_width(0x1100), 2);	/* first range */
	assert_int_equal(char_width(0x115f), 2);
	assert_int_equal(char_width(0x4e16), 2);
	assert_int_equal(char_width(0xff61), 1);	/* halfwidth */
	assert_int_equal(char_width(0x1f600), 2);
	assert_int_equal(char_width(0x3fffd), 2);	/* last range */
	assert_int_equal(char_width(0x3fffe), 1);
	assert_int_equal(char_width(0x0301), 0);
	assert_int_equal(char_width(0x2026), 1);	/* ambiguous */
}

static void
width_of_text_counts_cells(void **state)
{
	(void)state;
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("abc"), 3);
	assert_int_equal(text_width("世界e\u0301"), 5);
	assert_int_equal(text_width("\xff\xe4\xb8"), 3);	/* bad bytes */
}

static void
counts_are_grouped_by_three(void **state)
{
	char out[32];

	(void)state;
	assert_string_equal(count_text(out, sizeof(out), 0), "0");
	assert_string_equal(count_text(out, sizeof(out), 999), "999");
	assert_string_equal(count_text(out, sizeof(out), 1234), "1,234");
	assert_string_equal(count_text(out, sizeof(out), UINT64_MAX),
			    "18,446,744,073,709,551,615");
	assert_string_equal(count_text(out, 4, 1234567), "1,2");
}

static void
shares_round_and_never_hide_something(void **state)
{
	char out[32];

	(void)state;
	assert_string_equal(share_text(out, sizeof(out), 124, 1000), "12.4 %");
	assert_string_equal(share_text(out, sizeof(out), 1, 3), "33.3 %");
	assert_string_equal(share_text(out, sizeof(out), 2, 3), "66.7 %");
	assert_string_equal(share_text(out, sizeof(out), 7, 7), "100.0 %");
	assert_string_equal(share_text(out, sizeof(out), 0, 7), "0.0 %");
	assert_string_equal(share_text(out, sizeof(out), 1, 100000), "<0.1 %");
	assert_string_equal(share_text(out, sizeof(out), 0, 0), "n/a");
	assert_string_equal(share_text(out, sizeof(out), UINT64_MAX / 2,
				       UINT64_MAX), "50.0 %");
}

static void
paths_are_shortened_from_the_left(void **state)
{
	static const struct {
		int width;
		const char *wanted;
	} cases[] = {
		{ 20, "/usr/src/lib/inf.c" }, { 18, "/usr/src/lib/inf.c" },
		{ 17, "\u2026/src/lib/inf.c" }, { 14, "\u2026/lib/inf.c" },
		{ 11, "\u2026/lib/inf.c" }, { 10, "\u2026/inf.c" },
		{ 5, "inf.c" }, { 4, "\u2026f.c" }, { 1, "\u2026" }, { 0, "" },
		{ -3, "" },
	};
	char out[32];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(path_fit(out, sizeof(out),
					     "/usr/src/lib/inf.c",
					     cases[i].width, false),
				    cases[i].wanted);
	assert_string_equal(path_fit(out, sizeof(out), "", -1, false), "");
	assert_string_equal(path_fit(out, sizeof(out), "a/b/c.c", 5, true),
			    "~/c.c");
}

static void
brief_counts_take_six_cells(void **state)
{
	char out[32];

	(void)state;
	assert_string_equal(count_brief(out, sizeof(out), 99999), "99,999");
	assert_string_equal(count_brief(out, sizeof(out), 123456), "123k");
	assert_string_equal(count_brief(out, sizeof(out), 9999999), "9,999k");
	assert_string_equal(count_brief(out, sizeof(out), 12345678), "12M");
}

static void
lines_break_at_blanks(void **state)
{
	(void)state;
	assert_int_equal(text_line("", 5), 0);
	assert_int_equal(text_line("two words", 9), 9);
	assert_int_equal(text_line("two words", 8), 3);
	assert_int_equal(text_line("two words", 3), 3);
	assert_int_equal(text_line("two words", 2), 2);
	assert_int_equal(text_line("a two words", 8), 5);
	assert_int_equal(text_line("\u4e16\u754c", 3), 3);
	assert_int_equal(text_line("\u4e16\u754c", 0), 3);
	assert_int_equal(text_line("\xff\xff", 1), 1);
	assert_int_equal(text_line(" x", 0), 1);
}

static void
long_text_ends_in_an_ellipsis(void **state)
{
	char out[16];

	(void)state;
	assert_string_equal(text_cut(out, sizeof(out), "abc", 3, false),
			    "abc");
	assert_string_equal(text_cut(out, sizeof(out), "abcd", 3, false),
			    "ab…");
	assert_string_equal(text_cut(out, sizeof(out), "abcd", 3, true),
			    "ab~");
	assert_string_equal(text_cut(out, sizeof(out), "世界人", 4, false),
			    "世…");
	assert_string_equal(text_cut(out, sizeof(out), "\xff\xff", 1, false),
			    "…");
	assert_string_equal(text_cut(out, sizeof(out), "abc", 0, false), "");
	assert_string_equal(text_cut(out, 6, "abcdefgh", 8, false), "ab…");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths_follow_the_table),
		cmocka_unit_test(width_of_text_counts_cells),
		cmocka_unit_test(paths_are_shortened_from_the_left),
		cmocka_unit_test(brief_counts_take_six_cells),
		cmocka_unit_test(lines_break_at_blanks),
		cmocka_unit_test(long_text_ends_in_an_ellipsis),
		cmocka_unit_test(counts_are_grouped_by_three),
		cmocka_unit_test(shares_round_and_never_hide_something),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
