/* SPDX-License-Identifier: MIT */
/*
 * protobuf_test.c - the wire format, to its limits.
 */
#include "formats/protobuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define READER(text) reader_of(text, sizeof(text) - 1)

static void
numbers_are_read_as_they_were_written(void **state)
{
	static const uint64_t values[] = {
		0, 1, 127, 128, 300, UINT32_MAX, INT64_MAX, UINT64_MAX,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct writer w = { 0 };
		struct reader r;

		protobuf_put_varint(&w, values[i]);
		r = reader_of(w.bytes, w.len);
		assert_true(protobuf_varint(&r) == values[i]);
		assert_false(r.failed);
		assert_int_equal(reader_left(&r), 0);
		writer_free(&w);
	}
}

static void
numbers_that_are_too_long_are_damage(void **state)
{
	struct reader long_one = READER("\xff\xff\xff\xff\xff\xff\xff\xff\xff"
					"\xff\x01");
	struct reader big_one = READER("\xff\xff\xff\xff\xff\xff\xff\xff\xff"
				       "\x02");
	struct reader padded = READER("\x81\x80\x80\x00");
	struct reader cut = READER("\x80");

	(void)state;
	protobuf_varint(&long_one);
	assert_true(long_one.failed);
	protobuf_varint(&big_one);
	assert_true(big_one.failed);
	assert_int_equal(protobuf_varint(&padded), 1);
	assert_false(padded.failed);
	protobuf_varint(&cut);
	assert_true(cut.failed);
}

static void
fields_of_each_type_follow_each_other(void **state)
{
	struct reader r = READER("\x08\x96\x01"
				 "\x11\1\0\0\0\0\0\0\0"
				 "\x1a\2ab"
				 "\x25\2\0\0\0");
	struct protobuf_field field;

	(void)state;
	assert_true(protobuf_next(&r, &field));
	assert_int_equal(field.number, 1);
	assert_int_equal(field.value, 150);
	assert_true(protobuf_next(&r, &field));
	assert_int_equal(field.number, 2);
	assert_int_equal(field.value, 1);
	assert_true(protobuf_next(&r, &field));
	assert_int_equal(field.number, 3);
	assert_int_equal(reader_left(&field.bytes), 2);
	assert_memory_equal(field.bytes.at, "ab", 2);
	assert_true(protobuf_next(&r, &field));
	assert_int_equal(field.value, 2);
	assert_false(protobuf_next(&r, &field));
	assert_false(r.failed);
}

static void
groups_zero_numbers_and_cut_bytes_are_damage(void **state)
{
	struct reader bad[] = {
		READER("\x0b"), READER("\x0c"), READER("\x0e"), READER("\x0f"),
		READER("\x02\1a"), READER("\x0a\3ab"), READER("\x0d\1\2\3"),
		READER("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
		READER("\x82\x80\x80\x80\x10\1a"),
	};
	struct protobuf_field field;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_false(protobuf_next(&bad[i], &field));
		assert_true(bad[i].failed);
	}
}

static void
lists_are_packed_or_not(void **state)
{
	static const uint64_t values[] = { 1, 0, 300 };
	struct writer w = { 0 };
	struct protobuf_field field;
	struct reader r;
	uint64_t value, sum = 0;
	int count = 0;

	(void)state;
	protobuf_put_numbers(&w, 1, values, 3);
	protobuf_put_numbers(&w, 1, values, 0);
	protobuf_put_number(&w, 1, 7);
	r = reader_of(w.bytes, w.len);
	while (protobuf_next(&r, &field))
		for (; protobuf_number(&field, &value); count++)
			sum += value;
	assert_false(r.failed);
	assert_int_equal(count, 4);
	assert_int_equal(sum, 308);
	writer_free(&w);
}

static void
zero_is_not_written_and_empty_bytes_are(void **state)
{
	struct writer w = { 0 };

	(void)state;
	protobuf_put_number(&w, 1, 0);
	assert_int_equal(w.len, 0);
	protobuf_put_bytes(&w, 6, NULL, 0);
	assert_int_equal(w.len, 2);
	assert_memory_equal(w.bytes, "\x32\0", 2);
	writer_free(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_as_they_were_written),
		cmocka_unit_test(numbers_that_are_too_long_are_damage),
		cmocka_unit_test(fields_of_each_type_follow_each_other),
		cmocka_unit_test(groups_zero_numbers_and_cut_bytes_are_damage),
		cmocka_unit_test(lists_are_packed_or_not),
		cmocka_unit_test(zero_is_not_written_and_empty_bytes_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
