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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
