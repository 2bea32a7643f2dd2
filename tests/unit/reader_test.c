/* SPDX-License-Identifier: MIT */
#include "core/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void
what_was_written_is_read(void **state)
{
	struct writer w = { 0 };
	struct reader r;

	(void)state;
	writer_u8(&w, 0xab);
	writer_u16(&w, 0x1234);
	writer_u32(&w, 0xdeadbeef);
	writer_u64(&w, 0x0123456789abcdef);
	writer_cstr(&w, "main");
	writer_bytes(&w, "xyz", 3);
	r = reader_of(w.bytes, w.len);
	assert_int_equal(reader_u8(&r), 0xab);
	assert_int_equal(reader_u16(&r), 0x1234);
	assert_int_equal(reader_u32(&r), 0xdeadbeef);
	assert_true(reader_u64(&r) == 0x0123456789abcdef);
	assert_string_equal(reader_cstr(&r), "main");
	assert_int_equal(reader_left(&r), 3);
	assert_memory_equal(reader_bytes(&r, 3), "xyz", 3);
	assert_false(r.failed);
	writer_free(&w);
}

static void
numbers_are_little_endian(void **state)
{
	struct reader r = reader_of("\x01\x02\x03\x04", 4);

	(void)state;
	assert_int_equal(reader_u32(&r), 0x04030201);
}

static void
reading_past_the_end_fails_for_good(void **state)
{
	struct reader r = reader_of("\x01\x02\x03", 3);

	(void)state;
	assert_int_equal(reader_u32(&r), 0);
	assert_true(r.failed);
	assert_int_equal(reader_u8(&r), 0);
	assert_int_equal(reader_left(&r), 0);
	assert_null(reader_bytes(&r, 1));
	assert_string_equal(reader_cstr(&r), "");
}

static void
a_huge_length_does_not_wrap(void **state)
{
	struct reader r = reader_of("abc", 3);

	(void)state;
	assert_null(reader_bytes(&r, SIZE_MAX));
	assert_true(r.failed);
}

static void
a_string_without_its_end_is_refused(void **state)
{
	struct reader r = reader_of("abc", 3);

	(void)state;
	assert_string_equal(reader_cstr(&r), "");
	assert_true(r.failed);
	r = reader_of(NULL, 0);
	assert_string_equal(reader_cstr(&r), "");
	assert_true(r.failed);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(numbers_are_little_endian),
		cmocka_unit_test(reading_past_the_end_fails_for_good),
		cmocka_unit_test(a_huge_length_does_not_wrap),
		cmocka_unit_test(a_string_without_its_end_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
