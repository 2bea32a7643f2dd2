/* SPDX-License-Identifier: MIT */
/*
 * pprof_damage_test.c - pprof files that are wrong: read as far as they mean
 * something, refused where they do not.
 */
#include "tests/unit/pprof_build.h"

static void
what_is_missing_is_shown_as_missing(void **state)
{
	struct build b = two_functions();

	(void)state;
	build_stack(&b, IDS(2, 66, 1), 3);
	assert_built(&b, "", "main;[no location];parse 3\n");
	assert_non_null(strstr(b.report.note, "1 frames are not"));
	b = two_functions();
	protobuf_put_number(&b.file, PROFILE_DEFAULT, 1000);
	build_stack(&b, IDS(1), 3);
	assert_built(&b, "", "main 3\n");
	assert_non_null(strstr(b.report.note, "texts are not"));
}

/* .NET numbers functions from 0; others leave 0 to what is not set. */
static void
an_id_may_be_zero(void **state)
{
	struct build b = { 0 };
	static const uint64_t zero;

	(void)state;
	build_type(&b, "samples", "count");
	build_function(&b, 0, "first");
	build_location(&b, 0, 0, 0);
	build_sample(&b, &zero, 1, (int64_t[]){ 4 }, 1, NULL);
	assert_built(&b, "", "first 4\n");
	assert_string_equal(b.report.note, "");
}

static void
ids_need_no_order_and_the_first_of_two_counts(void **state)
{
	struct build b = { 0 };

	(void)state;
	build_type(&b, "samples", "count");
	build_function(&b, UINT64_MAX, "far");
	build_function(&b, 1, "near");
	build_function(&b, 1, "other");
	build_location(&b, 2, 1, 0);
	build_location(&b, 1, UINT64_MAX, 0);
	build_stack(&b, IDS(1, 2), 4);
	assert_built(&b, "", "near;far 4\n");
	assert_non_null(strstr(b.report.note, "1 ids are given twice"));
}

static void
a_first_text_that_is_not_empty_is_noted(void **state)
{
	struct build b = { 0 };
	struct writer part = { 0 };

	(void)state;
	protobuf_put_bytes(&b.file, PROFILE_STRING, "x", 1);
	protobuf_put_bytes(&b.file, PROFILE_STRING, "main", 4);
	protobuf_put_number(&part, FUNCTION_ID, 1);
	protobuf_put_number(&part, FUNCTION_NAME, 1);
	build_part(&b, PROFILE_FUNCTION, &part);
	build_location(&b, 1, 1, 0);
	build_stack(&b, IDS(1), 1);
	assert_built(&b, "", "main 1\n");
	assert_non_null(strstr(b.report.note, "first text"));
}

static void
fields_that_are_new_are_let_pass(void **state)
{
	struct build b = two_functions();

	(void)state;
	protobuf_put_number(&b.file, 15, 1);
	protobuf_put_number(&b.file, 20, 77);
	protobuf_put_bytes(&b.file, 21, "new", 3);
	build_stack(&b, IDS(1), 1);
	assert_built(&b, "", "main 1\n");
}

/* The first ten bytes of any .gz. */
static void
a_gzip_header_alone_is_refused(void **state)
{
	static const char header[] = "\x1f\x8b\x08\0\0\0\0\0\0\x03";
	struct build b = { 0 };

	(void)state;
	assert_null(read_folded(&b, header, sizeof(header) - 1, ""));
	assert_non_null(strstr(b.err.text, "cut short"));
}

static void
several_profiles_in_one_are_refused(void **state)
{
	struct build b = two_functions(), other = two_functions();

	(void)state;
	build_stack(&b, IDS(1), 5);
	build_texts(&b);
	build_stack(&other, IDS(1), 5);
	build_texts(&other);
	writer_bytes(&b.file, other.file.bytes, other.file.len);
	build_fini(&other);
	assert_built_refused(&b, "", "several pprof profiles");
	b = two_functions();
	protobuf_put_number(&b.file, PROFILE_TIME, 5);
	protobuf_put_number(&b.file, PROFILE_TIME, 6);
	assert_built_refused(&b, "", "several pprof profiles");
}

static void
what_has_no_texts_is_refused(void **state)
{
	struct build b = { 0 };
	struct writer part = { 0 };

	(void)state;
	build_part(&b, PROFILE_TYPE, &part);
	assert_built_refused(&b, "", "no strings");
}

/* Half a profile is not taken for a whole one, and cutting harms nobody. */
static void
a_cut_file_is_refused_wherever_it_is_cut(void **state)
{
	struct build b = two_functions();
	char *text;

	(void)state;
	protobuf_put_number(&b.file, PROFILE_TIME, UINT64_C(1) << 60);
	build_stack(&b, IDS(2, 1), 300);
	build_texts(&b);
	/* The last text is the whole tail: no cut there is between fields. */
	for (size_t len = b.file.len - 2; len > b.file.len - 6; len--) {
		text = read_folded(&b, b.file.bytes, len, "");
		assert_null(text);
		assert_non_null(strstr(b.err.text, "cut short"));
	}
	for (size_t len = 0; len < b.file.len; len++) {
		void *copy = malloc(len ? len : 1);

		memcpy(copy, b.file.bytes, len);
		free(read_folded(&b, copy, len, ""));
		free(copy);
	}
	build_fini(&b);
}

static void
damage_inside_is_refused(void **state)
{
	static const struct {
		uint32_t field;
		const char *bytes;
		size_t len;
	} parts[] = {
		{ PROFILE_LOCATION, "\x0b\x08\x01\x0c", 4 },	/* a group */
		{ PROFILE_FUNCTION, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff"
		  "\xff\x01", 12 },			/* 11 bytes long */
		{ PROFILE_SAMPLE, "\x0a\x02\x01\xff", 4 },
		{ PROFILE_SAMPLE, "\x12\x02\x01\xff", 4 },
		{ PROFILE_SAMPLE, "\x08", 1 },
		{ PROFILE_MAPPING, "\x2a\x09", 2 },
		{ PROFILE_COMMENT, "\xff", 1 },
	};
	struct build b;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(parts); i++) {
		b = two_functions();
		build_stack(&b, IDS(1), 1);
		protobuf_put_bytes(&b.file, parts[i].field, parts[i].bytes,
				   parts[i].len);
		build_texts(&b);
		assert_null(read_folded(&b, b.file.bytes, b.file.len, ""));
		build_fini(&b);
	}
}

static void
texts_are_made_harmless(void **state)
{
	struct build b = { 0 };

	(void)state;
	build_type(&b, "samples", "count");
	build_names(&b, NAMES("a\x1b[2J", "b\xff"));
	build_stack(&b, IDS(2, 1), 1);
	assert_built(&b, "", "a\\x1b[2J;b\\xff 1\n");
}

static void
texts_that_begin_like_a_message_are_none(void **state)
{
	static const char *const texts[] = {
		"\n\nfoo;bar 5\n", "2;b 5\n", "\"a\";b 5\n", "*;b 5\n",
		"@;b 5\n", "8;8 8\n", "H 1\nP 1\n", "\n \n2;b 5\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_false(pprof_sniff(texts[i], strlen(texts[i])));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_missing_is_shown_as_missing),
		cmocka_unit_test(an_id_may_be_zero),
		cmocka_unit_test(ids_need_no_order_and_the_first_of_two_counts),
		cmocka_unit_test(a_first_text_that_is_not_empty_is_noted),
		cmocka_unit_test(fields_that_are_new_are_let_pass),
		cmocka_unit_test(a_gzip_header_alone_is_refused),
		cmocka_unit_test(several_profiles_in_one_are_refused),
		cmocka_unit_test(what_has_no_texts_is_refused),
		cmocka_unit_test(a_cut_file_is_refused_wherever_it_is_cut),
		cmocka_unit_test(damage_inside_is_refused),
		cmocka_unit_test(texts_are_made_harmless),
		cmocka_unit_test(texts_that_begin_like_a_message_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
