/* SPDX-License-Identifier: MIT */
/*
 * legacy_test.c - pprof's old text forms, and goroutines as Go prints them.
 */
#include "tests/unit/reading.h"

/* TEXT's counts called TYPE are the stacks FOLDED. */
static void
assert_read_as(const char *text, const char *type, const char *folded)
{
	struct reading r = reading_as(text, strlen(text), type);

	if (!r.folded)
		print_error("%s: %s\n", type, r.err.text);
	assert_non_null(r.folded);
	assert_string_equal(r.folded, folded);
	free(r.folded);
}

static void
go_names_the_frames_of_a_sample_behind_it(void **state)
{
	(void)state;
	assert_read("goroutine profile: total 6\n"
		    "4 @ 0x42d836 0x45da85\n"
		    "#\t0x45da84\tmain.next+0x24\t\t/src/main.go:8\n"
		    "#\t0x45da94\tmain.main+0x24\t\t/src/main.go:9\n"
		    "\n"
		    "# labels: {\"route\":\"GET /a;b\"}\n"
		    "2 @ 0x42d836\n"
		    "#\t0x42d835\n",
		    "0x42d836 2\nmain.main;main.next 4\n");
}

static void
names_of_counts_are_cleaned(void **state)
{
	static const char text[] = "a\1;b profile: total 6\n4 @ 0x10\n";
	struct reading r = reading_of(text, strlen(text));

	(void)state;
	assert_string_equal(r.event, "a\\x01;b");
	free(r.folded);
}

static void
threads_may_have_no_stack(void **state)
{
	(void)state;
	assert_read("threadcreate profile: total 5\n5 @\n#\t0x0\n\n",
		    "[no stack] 5\n");
}

static const char heap[] =
	"heap profile: 2: 8608 [4: 22608] @ heapprofile\n"
	"  1:  8192 [  3: 20000] @ 0x1010 0x2011\n"
	"  1:  416 [  1: 2608] @ 0x1010\n"
	"# runtime.MemStats\n# Alloc = 12\n"
	"\nMAPPED_LIBRARIES:\n"
	"00002000-00003000 r-xp 00000400 08:01 17   /lib/b.so\n"
	"00001000-00002000: /bin/a\n"
	"00003000-00004000 r--p 00000000 08:01 17   /lib/b.so\n"
	"build=/x\n";

static void
addresses_are_named_after_the_mappings(void **state)
{
	(void)state;
	assert_read(heap, "a+0x10 416\nb.so+0x410;a+0x10 8192\n");
	assert_read("threadcreate profile: total 3\n"
		    "3 @ 0x1010 0x1111 0x2111 0x3111\n"
		    "MAPPED_LIBRARIES:\n"
		    "00002000-00003000 r-xp 00000000 00:00 0\n"
		    "00001000-00002000 r-xp 00000000 08:01 17 /a b (deleted)\n",
		    "0x3110;0x2110;a b+0x110;a b+0x10 3\n");
}

static void
a_heap_has_four_counts(void **state)
{
	(void)state;
	assert_read_as(heap, "alloc_objects", "a+0x10 1\n"
		       "b.so+0x410;a+0x10 3\n");
	assert_read_as(heap, "alloc_space/bytes", "a+0x10 2608\n"
		       "b.so+0x410;a+0x10 20000\n");
	assert_read_as(heap, "3", "a+0x10 1\nb.so+0x410;a+0x10 1\n");
	assert_read_as(heap, "INUSE_SPACE", "a+0x10 416\n"
		       "b.so+0x410;a+0x10 8192\n");
}

static void
counts_of_another_name_are_refused_with_the_list(void **state)
{
	struct reading r = reading_as(heap, strlen(heap), "cpu");

	(void)state;
	assert_null(r.folded);
	assert_non_null(strstr(r.err.text, "alloc_objects/count"));
	assert_non_null(strstr(r.err.text, "--type"));
}

/* 1 / (1 - e^(-512/512)) is 1.58. */
static void
sampled_allocations_are_scaled_up(void **state)
{
	(void)state;
	assert_read("heap profile: 1: 512 [1: 512] @ heap/1024\n"
		    "10: 5120 [10: 5120] @ 0x1010\n", "0x1010 8099\n");
	assert_read_as("heap profile: 1: 512 [1: 512] @ heap_v2/512\n"
		       "10: 5120 [10: 5120] @ 0x1010\n", "objects",
		       "0x1010 15\n");
	assert_read("heap profile: 1: 512 [1: 512] @ growthz\n"
		    "10: 5120 [10: 5120] @ 0x1010\n", "0x1010 5120\n");
}

static void
a_number_that_overflowed_is_taken_as_its_size(void **state)
{
	static const char text[] =
		"heap profile:    1:  2 [ -2147316050: 3] @ heapprofile\n"
		"  1:  -40 [  1: 3] @ 0x10\n";
	struct reading r = reading_of(text, strlen(text));

	(void)state;
	assert_string_equal(r.folded, "0x10 40\n");
	assert_non_null(strstr(r.report.note, "1 negative"));
	free(r.folded);
}

static void
delays_are_scaled_to_nanoseconds(void **state)
{
	static const char text[] = "--- mutex:\ncycles/second=2000000000\n"
				   "sampling period=5\n"
				   "discarded samples = 3\n"
				   "400 2 @ 0x10\n";
	struct reading r = reading_of(text, strlen(text));

	(void)state;
	assert_string_equal(r.folded, "0x10 1000\n");
	assert_int_equal(r.lost, 3);
	assert_string_equal(r.event, "delay");
	free(r.folded);
	assert_read_as(text, "contentions", "0x10 10\n");
}

static void
threads_are_samples(void **state)
{
	(void)state;
	assert_read("--- threadz 1 ---\n\n"
		    "--- Thread 7f79 (name: main/14748) stack: ---\n"
		    "  PC:  0x00bc8f1c: helper(arg *)\n"
		    "  0x0040be31: main\n"
		    "--- Thread 7f78 (name: w one/14751) stack: ---\n"
		    "  PC: 0xbc8f1c 0x40be31\n"
		    "      0x7f01\n"
		    "      creator: 0xa45b96 0xa460b4\n"
		    "--- Thread 7f77 (name: w two/14752) stack: ---\n"
		    "  [same as previous thread]\n"
		    "--- Memory map: ---\n"
		    "  00007000-00008000: lib.so\n",
		    "main;main;helper(arg *) 1\n"
		    "w one;lib.so+0xf00;main;helper(arg *) 1\n"
		    "w two;lib.so+0xf00;main;helper(arg *) 1\n");
}

static void
java_has_a_table_of_names(void **state)
{
	static const char text[] = "--- heapz 1 ---\nformat = java\n"
				   "resolution = bytes\n"
				   "  1048576     2 @ 0x00000003 0x00000004\n\n"
				   " 0x00000003 a.b.f (B.java:103)\n"
				   " 0x00000004 a.b.main (B.java:3)\n";

	(void)state;
	assert_read(text, "a.b.main;a.b.f 1658822\n");
	assert_read_as(text, "inuse_objects", "a.b.main;a.b.f 3\n");
}

static void
noise_is_ignored_and_an_empty_profile_refused(void **state)
{
	(void)state;
	assert_read_but("heap profile: 1: 2 [3: 4] @ heapprofile\n"
			"one: 2 @ 0x10\n"
			"1: 2 [3: 4] @ 0x10\n", 2, "0x10 2\n");
	assert_refused("goroutine profile: total 0\n", "no sample");
	assert_refused("heap profile: 1: 2 @ heap\n", "");
}

static void
a_line_of_noise_counts_nothing(void **state)
{
	static const char text[] = "goroutine profile: total 4\n"
				   "-5 x @ 0x10\n@ 0x10\n4 @ 0x10\n";
	struct reading r = reading_of(text, strlen(text));

	(void)state;
	assert_string_equal(r.folded, "0x10 4\n");
	assert_int_equal(r.report.ignored, 2);
	assert_string_equal(r.report.note, "");
	free(r.folded);
}

static void
goroutines_are_told_apart_by_what_they_wait_for(void **state)
{
	(void)state;
	assert_read("panic: oops\n\n"
		    "goroutine 1 [running]:\n"
		    "main.(*pool).next(0xc000012345, {0x1, 0x2})\n"
		    "\t/src/main.go:12 +0x1d\n"
		    "main.main()\n"
		    "\t/src/main.go:9 +0x45\n\n"
		    "goroutine 18 [chan receive, 3 minutes]:\n"
		    "main.work[...](...)\n"
		    "\t/src/main.go:12\n"
		    "created by main.start in goroutine 1\n"
		    "\t/src/main.go:9 +0x45\n\n"
		    "goroutine 19 gp=0xc0 m=nil [chan receive]:\n"
		    "main.work[...](...)\n"
		    "\t/src/main.go:12\n",
		    "chan receive;main.work[...] 2\n"
		    "running;main.main;main.(*pool).next 1\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(go_names_the_frames_of_a_sample_behind_it),
		cmocka_unit_test(names_of_counts_are_cleaned),
		cmocka_unit_test(threads_may_have_no_stack),
		cmocka_unit_test(addresses_are_named_after_the_mappings),
		cmocka_unit_test(a_heap_has_four_counts),
		cmocka_unit_test(
			counts_of_another_name_are_refused_with_the_list),
		cmocka_unit_test(sampled_allocations_are_scaled_up),
		cmocka_unit_test(a_number_that_overflowed_is_taken_as_its_size),
		cmocka_unit_test(delays_are_scaled_to_nanoseconds),
		cmocka_unit_test(threads_are_samples),
		cmocka_unit_test(java_has_a_table_of_names),
		cmocka_unit_test(noise_is_ignored_and_an_empty_profile_refused),
		cmocka_unit_test(a_line_of_noise_counts_nothing),
		cmocka_unit_test(
			goroutines_are_told_apart_by_what_they_wait_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
