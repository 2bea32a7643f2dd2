/* SPDX-License-Identifier: MIT */
/*
 * pprof_test.c - what pprof files mean, and how far wrong ones are read.
 */
#include "tests/unit/pprof_build.h"

#define NAMES(...) (const char *const[]){ __VA_ARGS__, NULL }
#define IDS(...) (const uint64_t[]){ __VA_ARGS__, 0 }

/* main calls parse; one type of counts. */
static struct build
two_functions(void)
{
	struct build b = { 0 };

	build_type(&b, "samples", "count");
	build_names(&b, NAMES("main", "parse"));
	return b;
}

static void
stacks_are_leaf_first_and_equal_ones_are_added(void **state)
{
	struct build b = two_functions();

	(void)state;
	build_stack(&b, IDS(2, 1), 3);
	build_stack(&b, IDS(1), 1);
	build_stack(&b, IDS(2, 1), 4);
	assert_built(&b, "", "main 1\nmain;parse 7\n");
	assert_int_equal(b.report.lines, 3);
	assert_int_equal(b.report.duplicates, 1);
	assert_string_equal(b.report.note, "");
}

static void
tables_may_follow_the_samples(void **state)
{
	struct build b = { 0 };

	(void)state;
	build_stack(&b, IDS(2, 1), 3);
	build_names(&b, NAMES("main", "parse"));
	build_type(&b, "samples", "count");
	assert_built(&b, "", "main;parse 3\n");
}

static void
all_lines_of_a_location_but_the_last_are_inlined(void **state)
{
	struct build b = two_functions();

	(void)state;
	build_function(&b, 3, "push");
	build_lines(&b, 3, (const uint64_t[]){ 3, 2, 1 }, 3, 0, 0);
	build_stack(&b, IDS(2, 3), 5);
	assert_built(&b, "", "main;parse_[i];push_[i];parse 5\n");
}

static void
build_mapping(struct build *b, uint64_t id, uint64_t start, const char *file)
{
	struct writer part = { 0 };

	protobuf_put_number(&part, MAPPING_ID, id);
	protobuf_put_number(&part, MAPPING_START, start);
	protobuf_put_number(&part, MAPPING_OFFSET, 0x1000);
	protobuf_put_number(&part, MAPPING_FILE, build_string(b, file));
	build_part(b, PROFILE_MAPPING, &part);
}

static void
mappings_tell_what_code_is(void **state)
{
	struct build b = { 0 };

	(void)state;
	build_type(&b, "samples", "count");
	build_mapping(&b, 1, 0, "[kernel.kallsyms]_text");
	build_mapping(&b, 2, 0, "/tmp/perf-4242.map");
	build_mapping(&b, 3, 0, "/usr/bin/app");
	build_function(&b, 1, "f");
	for (uint64_t i = 1; i <= 3; i++)
		build_location(&b, i, 1, i);
	build_function(&b, 2, "vfs_read_[k]");
	build_location(&b, 4, 2, 3);
	build_stack(&b, IDS(4, 3, 2, 1), 1);
	assert_built(&b, "", "f_[k];f_[j];f;vfs_read_[k] 1\n");
}

static void
code_without_a_name_is_module_and_offset(void **state)
{
	struct build b = { 0 };
	static const uint64_t nobody = 9;

	(void)state;
	build_type(&b, "samples", "count");
	build_mapping(&b, 1, 0x400000, "/usr/lib/libz.so.1");
	build_function(&b, 1, "");
	build_lines(&b, 1, NULL, 0, 1, 0x400234);
	build_lines(&b, 2, NULL, 0, 0, 0x7f00);
	build_lines(&b, 3, NULL, 0, 77, 0);	/* a mapping that is not */
	build_lines(&b, 4, (const uint64_t[]){ 1 }, 1, 1, 0x400235);
	build_lines(&b, 5, &nobody, 1, 0, 0);
	build_stack(&b, IDS(5, 4, 3, 2, 1), 1);
	assert_built(&b, "", "libz.so.1+0x1234;0x7f00;[no function];"
		     "libz.so.1+0x1235;[no function] 1\n");
	assert_non_null(strstr(b.report.note, "1 functions are not"));
}

static struct build
two_types(const char *usual)
{
	static const int64_t values[] = { 2, 2000 };
	struct build b = { 0 };

	build_type(&b, "samples", "count");
	build_type(&b, "cpu", "nanoseconds");
	build_names(&b, NAMES("main"));
	build_sample(&b, IDS(1), 1, values, 2, NULL);
	protobuf_put_number(&b.file, PROFILE_DEFAULT,
			    build_string(&b, usual));
	return b;
}

static void
the_counts_are_those_asked_for_or_named_or_the_last(void **state)
{
	static const struct {
		const char *usual, *asked, *folded;
	} cases[] = {
		{ "", "", "main 2000\n" },
		{ "samples", "", "main 2\n" },
		{ "heap", "", "main 2000\n" },
		{ "samples", "cpu", "main 2000\n" },
		{ "", "Samples", "main 2\n" },
		{ "", "samples/count", "main 2\n" },
		{ "", "1", "main 2\n" },
		{ "samples", "2", "main 2000\n" },
	};
	struct build b;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		b = two_types(cases[i].usual);
		assert_built(&b, cases[i].asked, cases[i].folded);
	}
	b = two_types("");
	assert_built_refused(&b, "heap", "samples/count cpu/nanoseconds");
	b = two_types("");
	assert_built_refused(&b, "cpu/count", "--type takes");
	b = two_types("");
	assert_built_refused(&b, "3", "--type takes");
}

static void
counts_of_no_type_are_read_with_a_note(void **state)
{
	struct build b = { 0 };

	(void)state;
	build_names(&b, NAMES("main"));
	build_stack(&b, IDS(1), 3);
	assert_built(&b, "", "main 3\n");
	assert_non_null(strstr(b.report.note, "does not say"));
}

static void
samples_without_the_value_are_counted(void **state)
{
	static const int64_t value = 1;
	struct build b = two_types("");

	(void)state;
	build_sample(&b, IDS(1), 1, &value, 1, NULL);
	assert_built(&b, "", "main 2000\n");
	assert_non_null(strstr(b.report.note, "1 samples have no such"));
}

static void
numbers_that_are_not_packed_are_the_same(void **state)
{
	struct build b = two_functions();
	struct writer part = { 0 };

	(void)state;
	protobuf_put_number(&part, SAMPLE_LOCATION, 2);
	protobuf_put_numbers(&part, SAMPLE_LOCATION, IDS(1), 1);
	protobuf_put_number(&part, SAMPLE_VALUE, 6);
	build_part(&b, PROFILE_SAMPLE, &part);
	assert_built(&b, "", "main;parse 6\n");
}

static void
negative_values_cancel_out_and_are_sizes_then(void **state)
{
	struct build b = two_functions();

	(void)state;
	build_stack(&b, IDS(1), 10);
	build_stack(&b, IDS(1), -4);
	build_stack(&b, IDS(2, 1), -7);
	build_stack(&b, IDS(2), 5);
	build_stack(&b, IDS(2), -5);
	assert_built(&b, "", "main 6\nmain;parse 7\n");
	assert_non_null(strstr(b.report.note, "1 negative"));
	b = two_functions();
	build_stack(&b, IDS(1), INT64_MIN);
	build_stack(&b, IDS(1), -1);
	assert_built(&b, "", "main 9223372036854775807\n");
}

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

static void
an_empty_stack_keeps_its_count(void **state)
{
	struct build b = two_functions();

	(void)state;
	build_stack(&b, IDS(0), 5);
	assert_built(&b, "", "[no stack] 5\n");
}

/* 100,000 frames: nothing here calls itself for each of them. */
static void
depth_has_no_bound(void **state)
{
	enum { DEPTH = 100000 };
	struct build b = two_functions();
	uint64_t *ids = xcalloc(DEPTH + 1, sizeof(*ids));
	struct profile *profile = profile_new();

	(void)state;
	for (size_t i = 0; i < DEPTH; i++)
		ids[i] = 1 + i % 2;
	build_stack(&b, ids, 5);
	build_texts(&b);
	assert_true(format_read(b.file.bytes, b.file.len, profile, &b.report,
				&b.err));
	assert_int_equal(profile_stacks(profile), DEPTH + 1);
	assert_int_equal(profile_total(profile, KIND_CPU), 5);
	profile_free(profile);
	build_fini(&b);
	free(ids);
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

static void
what_the_file_says_of_itself_is_kept(void **state)
{
	struct build b = two_types("");
	struct profile *profile = profile_new();

	(void)state;
	protobuf_put_number(&b.file, PROFILE_TIME, 1700000000000000000);
	protobuf_put_number(&b.file, PROFILE_DURATION, 2500000000);
	build_texts(&b);
	assert_true(format_read(b.file.bytes, b.file.len, profile, &b.report,
				&b.err));
	assert_string_equal(profile_get(profile, "event"), "cpu");
	assert_string_equal(profile_get(profile, "unit"), "nanoseconds");
	assert_string_equal(profile_get(profile, "types"),
			    "samples/count cpu/nanoseconds");
	assert_string_equal(profile_get(profile, "start"),
			    "2023-11-14T22:13:20Z");
	assert_string_equal(profile_get(profile, "duration"), "2.500");
	profile_free(profile);
	build_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_are_leaf_first_and_equal_ones_are_added),
		cmocka_unit_test(tables_may_follow_the_samples),
		cmocka_unit_test(
			all_lines_of_a_location_but_the_last_are_inlined),
		cmocka_unit_test(mappings_tell_what_code_is),
		cmocka_unit_test(code_without_a_name_is_module_and_offset),
		cmocka_unit_test(
			the_counts_are_those_asked_for_or_named_or_the_last),
		cmocka_unit_test(counts_of_no_type_are_read_with_a_note),
		cmocka_unit_test(samples_without_the_value_are_counted),
		cmocka_unit_test(numbers_that_are_not_packed_are_the_same),
		cmocka_unit_test(negative_values_cancel_out_and_are_sizes_then),
		cmocka_unit_test(what_is_missing_is_shown_as_missing),
		cmocka_unit_test(an_id_may_be_zero),
		cmocka_unit_test(ids_need_no_order_and_the_first_of_two_counts),
		cmocka_unit_test(a_first_text_that_is_not_empty_is_noted),
		cmocka_unit_test(fields_that_are_new_are_let_pass),
		cmocka_unit_test(an_empty_stack_keeps_its_count),
		cmocka_unit_test(depth_has_no_bound),
		cmocka_unit_test(a_gzip_header_alone_is_refused),
		cmocka_unit_test(several_profiles_in_one_are_refused),
		cmocka_unit_test(what_has_no_texts_is_refused),
		cmocka_unit_test(a_cut_file_is_refused_wherever_it_is_cut),
		cmocka_unit_test(damage_inside_is_refused),
		cmocka_unit_test(texts_are_made_harmless),
		cmocka_unit_test(texts_that_begin_like_a_message_are_none),
		cmocka_unit_test(what_the_file_says_of_itself_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
