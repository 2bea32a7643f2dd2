/* SPDX-License-Identifier: MIT */
/*
 * pprof_test.c - what pprof files mean.
 */
#include "tests/unit/pprof_build.h"

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
		cmocka_unit_test(
			stacks_are_leaf_first_and_equal_ones_are_added),
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
		cmocka_unit_test(an_empty_stack_keeps_its_count),
		cmocka_unit_test(depth_has_no_bound),
		cmocka_unit_test(what_the_file_says_of_itself_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
