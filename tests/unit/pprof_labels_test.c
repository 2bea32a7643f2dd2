/* SPDX-License-Identifier: MIT */
/*
 * pprof_labels_test.c - labels of a pprof file, and the frames it drops.
 */
#include "tests/unit/pprof_build.h"

static struct build
one_function(void)
{
	struct build b = { 0 };

	build_type(&b, "samples", "count");
	build_names(&b, NAMES("main"));
	return b;
}

static void
build_labelled(struct build *b, const char *const *labels, int64_t value)
{
	build_sample(b, IDS(1), 1, &value, 1, labels);
}

static void
labels_of_a_thread_make_it_that_thread(void **state)
{
	struct build b = one_function();

	(void)state;
	build_labelled(&b, NAMES("thread", "worker"), 1);
	build_labelled(&b, NAMES("thread_name", "io", "thread_id", "41"), 2);
	build_labelled(&b, NAMES("Thread ID", "0:77"), 4);
	build_labelled(&b, NAMES("thread_id", "9", "Process ID", "8"), 8);
	assert_built(&b, "", "0:77;main 4\n9;main 8\nio;main 2\n"
		     "worker;main 1\n");
	assert_string_equal(b.report.note, "");
}

static void
other_labels_tell_samples_apart_together(void **state)
{
	struct build b = one_function();

	(void)state;
	build_labelled(&b, NAMES("route", "/pay", "user", "1"), 1);
	build_labelled(&b, NAMES("route", "/pay", "user", "1"), 1);
	build_labelled(&b, NAMES("route", "/"), 4);
	build_labelled(&b, NULL, 8);
	assert_built(&b, "", "-;main 8\nroute=/;main 4\n"
		     "route=/pay user=1;main 2\n");
}

static void
keys_may_be_of_any_letters(void **state)
{
	struct build b = one_function();

	(void)state;
	build_labelled(&b, NAMES("process-description", "a\x1b;b"), 1);
	assert_built(&b, "", "process-description=a\\x1b:b;main 1\n");
}

static void
labels_beside_a_threads_are_said_to_be_hidden(void **state)
{
	struct build b = one_function();

	(void)state;
	build_labelled(&b, NAMES("route", "/pay", "thread", "w"), 1);
	assert_built(&b, "", "w;main 1\n");
	assert_non_null(strstr(b.report.note, "not shown"));
}

static void
labels_that_are_numbers_are_no_threads(void **state)
{
	struct build b = one_function();
	struct writer part = { 0 }, label = { 0 };

	(void)state;
	protobuf_put_number(&label, LABEL_KEY, build_string(&b, "bytes"));
	protobuf_put_number(&label, LABEL_NUMBER, 512);
	protobuf_put_number(&part, SAMPLE_LOCATION, 1);
	protobuf_put_number(&part, SAMPLE_VALUE, 3);
	protobuf_put_bytes(&part, SAMPLE_LABEL, label.bytes, label.len);
	writer_free(&label);
	build_part(&b, PROFILE_SAMPLE, &part);
	assert_built(&b, "", "main 3\n");
}

/* Each request has another id: they must not fill the memory or the screen. */
static void
the_first_thousand_sets_of_labels_stay_themselves(void **state)
{
	struct build b = one_function();
	struct profile *profile = profile_new();
	char id[16];

	(void)state;
	for (int i = 0; i < 3000; i++) {
		snprintf(id, sizeof(id), "%d", i % 1500);
		build_labelled(&b, NAMES("span_id", id), 1);
	}
	build_texts(&b);
	assert_true(format_read(b.file.bytes, b.file.len, profile, &b.report,
				&b.err));
	assert_int_equal(profile_threads(profile), 1 + 1000 + 1);
	assert_int_equal(profile_total(profile, KIND_CPU), 3000);
	assert_non_null(strstr(b.report.note, "too many labels"));
	profile_free(profile);
	build_fini(&b);
}

/* --- drop_frames */

static struct build
dropping(const char *drop, const char *keep)
{
	struct build b = { 0 };

	build_type(&b, "samples", "count");
	build_names(&b, NAMES("main", "Alloc(int)", ".hook", "deep",
			      "(anonymous namespace)::f(int)"));
	protobuf_put_number(&b.file, PROFILE_DROP, build_string(&b, drop));
	protobuf_put_number(&b.file, PROFILE_KEEP, build_string(&b, keep));
	return b;
}

static void
the_first_dropped_function_goes_with_all_it_called(void **state)
{
	struct build b = dropping("Alloc|hook", "");

	(void)state;
	build_stack(&b, IDS(4, 2, 1), 1);
	build_stack(&b, IDS(3, 4, 1), 2);
	build_stack(&b, IDS(1, 2), 4);		/* nothing above it: stays */
	build_stack(&b, IDS(4, 2, 1, 3), 8);
	assert_built(&b, "", ".hook;main 8\nAlloc(int);main 4\nmain 1\n"
		     "main;deep 2\n");
}

static void
patterns_are_for_whole_names_with_case(void **state)
{
	struct build b = dropping("alloc|Allo|eep", "");

	(void)state;
	build_stack(&b, IDS(4, 2, 1), 1);
	assert_built(&b, "", "main;Alloc(int);deep 1\n");
	b = dropping("\\(anonymous namespace\\)::f", "");
	build_stack(&b, IDS(5, 1), 1);
	assert_built(&b, "", "main 1\n");
}

static void
what_is_kept_is_not_dropped(void **state)
{
	struct build b = dropping(".*o.*", "hook");

	(void)state;
	build_stack(&b, IDS(4, 3, 1), 1);
	build_stack(&b, IDS(4, 2, 1), 2);
	assert_built(&b, "", "main 2\nmain;.hook;deep 1\n");
}

static void
of_an_inlined_one_what_it_was_inlined_into_stays(void **state)
{
	struct build b = dropping("Alloc", "");

	(void)state;
	build_lines(&b, 9, (const uint64_t[]){ 3, 2, 4 }, 3, 0, 0);
	build_stack(&b, IDS(1, 9, 1), 1);
	build_stack(&b, IDS(1, 9), 2);
	assert_built(&b, "", "deep;main 2\nmain;deep 1\n");
}

static void
a_pattern_that_is_none_is_noted(void **state)
{
	struct build b = dropping("(", "");

	(void)state;
	build_stack(&b, IDS(2, 1), 1);
	assert_built(&b, "", "main;Alloc(int) 1\n");
	assert_non_null(strstr(b.report.note, "not understood"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_of_a_thread_make_it_that_thread),
		cmocka_unit_test(other_labels_tell_samples_apart_together),
		cmocka_unit_test(keys_may_be_of_any_letters),
		cmocka_unit_test(labels_beside_a_threads_are_said_to_be_hidden),
		cmocka_unit_test(labels_that_are_numbers_are_no_threads),
		cmocka_unit_test(
			the_first_thousand_sets_of_labels_stay_themselves),
		cmocka_unit_test(
			the_first_dropped_function_goes_with_all_it_called),
		cmocka_unit_test(patterns_are_for_whole_names_with_case),
		cmocka_unit_test(what_is_kept_is_not_dropped),
		cmocka_unit_test(
			of_an_inlined_one_what_it_was_inlined_into_stays),
		cmocka_unit_test(a_pattern_that_is_none_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
