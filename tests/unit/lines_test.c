/* SPDX-License-Identifier: MIT */
/*
 * lines_test.c - lines of texts that come piece by piece.
 */
#include "formats/lines.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Gives TEXT by PIECE bytes; fails at its end if that is wanted. */
struct feed {
	const char *text;
	size_t len, given, piece;
	bool fails;
};

static ssize_t
feed_read(void *ctx, void *into, size_t room, struct error *err)
{
	struct feed *feed = ctx;
	size_t count = feed->len - feed->given;

	if (count > feed->piece)
		count = feed->piece;
	if (count > room)
		count = room;
	if (!count && feed->fails) {
		explain(err, EIO, "cannot read");
		return -1;
	}
	memcpy(into, feed->text + feed->given, count);
	feed->given += count;
	return (ssize_t)count;
}

static void
lines_come_whole_whatever_the_pieces(void **state)
{
	static const char text[] = "a\n\nbcd\r\n\te f \nlast";
	static const char *const wanted[] = { "a", "", "bcd", "\te f ",
					      "last" };
	size_t piece, i;

	(void)state;
	for (piece = 1; piece <= sizeof(text); piece++) {
		struct feed feed = { text, sizeof(text) - 1, 0, piece, false };
		struct source source = { feed_read, &feed };
		struct lines lines = { .source = &source };
		struct slice line;

		for (i = 0; i < ARRAY_LEN(wanted); i++) {
			assert_true(lines_next(&lines, &line));
			assert_true(slice_is(line, wanted[i]));
			assert_int_equal(lines.number, i + 1);
		}
		assert_false(lines_next(&lines, &line));
		assert_false(lines.has_failed);
		lines_fini(&lines);
	}
}

static void
a_long_line_comes_whole(void **state)
{
	size_t len = (size_t)5 << 20, i;
	char *text = xcalloc(len, 1);
	struct feed feed = { text, len, 0, 100000, false };
	struct source source = { feed_read, &feed };
	struct lines lines = { .source = &source };
	struct slice line;

	(void)state;
	for (i = 0; i < len; i++)
		text[i] = (char)('a' + i % 26);
	text[3] = text[len - 2] = '\n';
	assert_true(lines_next(&lines, &line));
	assert_true(slice_is(line, "abc"));
	assert_true(lines_next(&lines, &line));
	assert_int_equal(line.len, len - 6);
	assert_memory_equal(line.at, text + 4, line.len);
	assert_true(lines_next(&lines, &line));
	assert_int_equal(line.len, 1);
	lines_fini(&lines);
	free(text);
}

static void
blocks_are_whole_lines(void **state)
{
	static const char text[] = "a 1\nb 2\nc 3";
	struct feed feed = { text, sizeof(text) - 1, 0, 6, false };
	struct source source = { feed_read, &feed };
	struct lines lines = { .source = &source };
	struct slice block;

	(void)state;
	assert_true(lines_next_block(&lines, &block));
	assert_true(slice_is(block, "a 1\n"));
	assert_true(lines_next_block(&lines, &block));
	assert_true(slice_is(block, "b 2\n"));
	assert_true(lines_next_block(&lines, &block));
	assert_true(slice_is(block, "c 3"));
	assert_false(lines_next_block(&lines, &block));
	lines_fini(&lines);
}

static void
a_look_takes_nothing(void **state)
{
	struct feed feed = { "abc\nd", 5, 0, 2, false };
	struct source source = { feed_read, &feed };
	struct lines lines = { .source = &source };
	struct slice line;

	(void)state;
	assert_int_equal(lines_fill(&lines, 3), 4);
	assert_int_equal(lines_fill(&lines, 100), 5);
	assert_true(lines_next(&lines, &line));
	assert_true(slice_is(line, "abc"));
	lines_fini(&lines);
}

static void
a_failure_is_no_end(void **state)
{
	struct feed feed = { "abc\nd", 5, 0, 2, true };
	struct source source = { feed_read, &feed };
	struct lines lines = { .source = &source };
	struct slice line;

	(void)state;
	assert_true(lines_next(&lines, &line));
	assert_false(lines_next(&lines, &line));
	assert_true(lines.has_failed);
	assert_non_null(strstr(lines.err.text, "cannot read"));
	lines_fini(&lines);
}

static void
numbers_and_words_are_cut_off(void **state)
{
	struct slice rest = { "0x1F-18446744073709551616 a  b", 30 };
	uint64_t number;

	(void)state;
	assert_true(take_hex(&rest, &number));
	assert_int_equal(number, 31);
	assert_false(take_word(&rest, "+"));
	assert_true(take_word(&rest, "-"));
	assert_false(take_decimal(&rest, &number));
	assert_true(slice_is(take_last_word(&rest), "b"));
	take_first_word(&rest);
	assert_true(slice_is(take_first_word(&rest), "a"));
	assert_false(take_decimal(&rest, &number));
	assert_int_equal(take_first_word(&rest).len, 0);
}

static void
what_is_said_is_neither_blank_nor_a_comment(void **state)
{
	static const char text[] = "# a\n \t\n  b # c \n#";
	struct lines lines = lines_of(text, sizeof(text) - 1);
	struct slice line;

	(void)state;
	assert_true(lines_next_said(&lines, &line));
	assert_true(slice_is(line, "  b # c"));
	assert_int_equal(lines.number, 3);
	assert_false(lines_next_said(&lines, &line));
	assert_false(lines.has_failed);
}

static void
names_lose_their_offset_and_paths_their_folders(void **state)
{
	static const struct {
		const char *text, *name, *file;
	} cases[] = {
		{ "read+0x1f", "read", "read+0x1f" },
		{ "a::operator+(int)+0x3", "a::operator+(int)",
		  "a::operator+(int)+0x3" },
		{ "a+0x", "a+0x", "a+0x" }, { "a+17", "a+17", "a+17" },
		{ "a+0x1/b+0x2", "a+0x1/b", "b+0x2" }, { "+0x1", "+0x1", "+0x1" },
		{ "/usr/lib/", "/usr/lib/", "" }, { "", "", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct slice text = slice_whole(cases[i].text);

		assert_true(slice_is(without_offset(text), cases[i].name));
		assert_true(slice_is(slice_file(text), cases[i].file));
	}
}

static void
a_number_is_one_to_its_end(void **state)
{
	uint64_t number = 0;

	(void)state;
	assert_true(slice_number(slice_whole("18446744073709551615"), &number));
	assert_true(number == UINT64_MAX);
	assert_false(slice_number(slice_whole("18446744073709551616"),
				  &number));
	assert_false(slice_number(slice_whole("12 "), &number));
	assert_false(slice_number(slice_whole("-1"), &number));
	assert_false(slice_number(slice_whole(""), &number));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_whole_whatever_the_pieces),
		cmocka_unit_test(a_long_line_comes_whole),
		cmocka_unit_test(blocks_are_whole_lines),
		cmocka_unit_test(a_look_takes_nothing),
		cmocka_unit_test(a_failure_is_no_end),
		cmocka_unit_test(numbers_and_words_are_cut_off),
		cmocka_unit_test(what_is_said_is_neither_blank_nor_a_comment),
		cmocka_unit_test(
			names_lose_their_offset_and_paths_their_folders),
		cmocka_unit_test(a_number_is_one_to_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
