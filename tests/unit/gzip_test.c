/* SPDX-License-Identifier: MIT */
/*
 * gzip_test.c - gzip in and out, and what is done with bad ones.
 */
#include "formats/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX ((size_t)64 << 20)

struct bytes {
	char *at;
	size_t len;
};

static struct bytes
zip(const char *text, size_t len)
{
	struct bytes zipped;
	FILE *out = open_memstream(&zipped.at, &zipped.len);

	assert_true(gzip_write(out, text, len, NULL));
	fclose(out);
	return zipped;
}

static struct bytes
join(struct bytes a, struct bytes b)
{
	struct bytes both = { xcalloc(a.len + b.len, 1), a.len + b.len };

	memcpy(both.at, a.at, a.len);
	memcpy(both.at + a.len, b.at, b.len);
	free(a.at);
	return both;
}

static void
what_is_written_reads_back(void **state)
{
	size_t len = 3 << 20, out_len, trailing, i;
	char *text = xcalloc(len, 1), *out;
	struct bytes zipped;
	uint32_t seed = 1;

	(void)state;
	for (i = 0; i < len; i++) {
		seed = seed * 1664525 + 1013904223;
		text[i] = (char)(seed >> 24);
	}
	zipped = zip(text, len);
	assert_true(gzip_read(zipped.at, zipped.len, MAX, &out, &out_len,
			      &trailing, NULL));
	assert_int_equal(out_len, len);
	assert_memory_equal(out, text, len);
	assert_int_equal(trailing, 0);
	free(out);
	free(zipped.at);
	free(text);
}

static void
the_header_holds_no_time_and_no_name(void **state)
{
	struct bytes zipped = zip("a;b 1\n", 6);

	(void)state;
	assert_memory_equal(zipped.at + 3, "\0\0\0\0\0", 5);
	free(zipped.at);
}

static void
members_are_joined(void **state)
{
	struct bytes first = zip("a;b 1\n", 6), second = zip("a;c 2\n", 6);
	struct bytes both = join(first, second);
	size_t len, trailing;
	char *out;

	(void)state;
	assert_true(gzip_read(both.at, both.len, MAX, &out, &len, &trailing,
			      NULL));
	assert_int_equal(len, 12);
	assert_memory_equal(out, "a;b 1\na;c 2\n", 12);
	free(out);
	free(second.at);
	free(both.at);
}

static void
bytes_behind_the_last_member_are_counted(void **state)
{
	char garbage[] = "garbage";
	struct bytes both = join(zip("a;b 1\n", 6),
				 (struct bytes){ garbage, 7 });
	size_t len, trailing;
	char *out;

	(void)state;
	assert_true(gzip_read(both.at, both.len, MAX, &out, &len, &trailing,
			      NULL));
	assert_int_equal(len, 6);
	assert_int_equal(trailing, 7);
	free(out);
	free(both.at);
}

static void
data_cut_short_anywhere_is_refused(void **state)
{
	struct bytes zipped = zip("a;b 1\n", 6);
	size_t cut, len, trailing;
	struct error err;
	char *out;

	(void)state;
	for (cut = 2; cut < zipped.len; cut++) {
		assert_false(gzip_read(zipped.at, cut, MAX, &out, &len,
				       &trailing, &err));
		assert_non_null(strstr(err.text, "cut short"));
	}
	free(zipped.at);
}

static void
damaged_data_is_refused(void **state)
{
	struct bytes zipped = zip("a;b 1\n", 6);
	size_t len, trailing;
	struct error err;
	char *out;

	(void)state;
	zipped.at[zipped.len - 8] ^= 1;	/* its checksum */
	assert_false(gzip_read(zipped.at, zipped.len, MAX, &out, &len,
			       &trailing, &err));
	assert_non_null(strstr(err.text, "damaged"));
	free(zipped.at);
}

static void
what_inflates_beyond_the_bound_is_refused(void **state)
{
	size_t size = 1 << 20, len, trailing;
	char *text = xcalloc(size, 1), *out;
	struct bytes zipped = zip(text, size);
	struct error err;

	(void)state;
	assert_true(gzip_read(zipped.at, zipped.len, size + 1, &out, &len,
			      &trailing, &err));
	free(out);
	assert_false(gzip_read(zipped.at, zipped.len, size - 1, &out, &len,
			       &trailing, &err));
	assert_non_null(strstr(err.text, "more than"));
	free(zipped.at);
	free(text);
}

static void
a_bomb_is_refused_before_it_has_gone_off(void **state)
{
	size_t size = 40 << 20, len, trailing;
	char *text = xcalloc(size, 1), *out;
	struct bytes zipped = zip(text, size);
	struct error err;

	(void)state;
	assert_false(gzip_read(zipped.at, zipped.len, (size_t)1 << 30, &out,
			       &len, &trailing, &err));
	assert_non_null(strstr(err.text, "times its size"));
	free(zipped.at);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(the_header_holds_no_time_and_no_name),
		cmocka_unit_test(members_are_joined),
		cmocka_unit_test(bytes_behind_the_last_member_are_counted),
		cmocka_unit_test(data_cut_short_anywhere_is_refused),
		cmocka_unit_test(damaged_data_is_refused),
		cmocka_unit_test(what_inflates_beyond_the_bound_is_refused),
		cmocka_unit_test(a_bomb_is_refused_before_it_has_gone_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
