/* SPDX-License-Identifier: MIT */
/*
 * bpftrace_test.c - maps keyed by stacks.
 */
#include "tests/unit/reading.h"

static void
entries_are_stacks_leaf_first(void **state)
{
	(void)state;
	assert_read("Attaching 1 probe...\n\n"
		    "@[\n    read+17\n    main+4\n]: 12\n"
		    "@[\n    0x7fa77df1c570\n]: 1\n",
		    "0x7fa77df1c570 1\nmain;read 12\n");
}

static void
other_keys_are_the_thread(void **state)
{
	(void)state;
	assert_read("@[\n    f+1\n, wrk 1 (x/y)]: 10\n"
		    "@[\n    f+2\n, a]: 3, b]: 4\n"
		    "@[, p]: 3\n"
		    "@[me, 7,\n    f+1\n]: 5\n",
		    "a]: 3, b;f 4\n"
		    "me, 7;f 5\n"
		    "p;[no stack] 3\n"
		    "wrk 1 (x/y);f 10\n");
}

static void
two_stacks_are_one(void **state)
{
	(void)state;
	assert_read("@[\n    vfs_read+1\n    sys_read+2\n, \n"
		    "    read+17\n    main+4\n, app]: 2\n",
		    "app;main;read;sys_read;vfs_read 2\n");
}

static void
frames_may_be_as_perf_prints_them(void **state)
{
	(void)state;
	assert_read("@[\n\tffffffff81bb8818 copy+40 ([kernel.kallsyms])\n"
		    "\t7f7f00000010 main+4 (/app)\n"
		    "    in+3 (inlined)\n]: 2\n",
		    "in_[i];main;copy 2\n");
}

static void
one_map_is_read_and_can_be_chosen(void **state)
{
	static const char text[] = "@calls[\n    f+1\n]: 2\n"
				   "@bytes[\n    f+1\n]: 4096\n"
				   "@bytes[\n    g+1\n]: (3, 4)\n";
	struct reading r = reading_of(text, strlen(text));

	(void)state;
	assert_string_equal(r.folded, "f 2\n");
	assert_string_equal(r.event, "@calls");
	assert_non_null(strstr(r.report.note, "only map @calls"));
	assert_int_equal(r.report.ignored, 1);
	assert_int_equal(r.report.first_ignored[0], 7);
	free(r.folded);
	r = reading_as(text, strlen(text), "bytes");
	assert_string_equal(r.folded, "f 4096\n");
	free(r.folded);
	r = reading_as(text, strlen(text), "@none");
	assert_null(r.folded);
	assert_non_null(strstr(r.err.text, "no map \"@none\""));
}

static void
names_of_maps_have_a_bound(void **state)
{
	char text[200];
	size_t len;

	(void)state;
	for (len = 60; len < 70; len++) {
		struct reading r;

		snprintf(text, sizeof(text), "@%.*s[\n    f+1\n]: 2\n"
			 "@[\n    g+1\n]: 3\n", (int)len,
			 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
			 "xxxxxxxxxxxxxxxxxxx");
		r = reading_of(text, strlen(text));
		assert_string_equal(r.folded, len < 63 ? "f 2\n" : "g 3\n");
		free(r.folded);
	}
}

static void
what_is_no_map_of_stacks_is_ignored(void **state)
{
	static const char text[] = "Attaching 1 probe...\n\n@n: 3\n"
				   "@[\n    f+1\n@[\n    g+1\n]: 5\n";
	static const char nul[] = "@a\0b[\n    f+1\n]: 2\n";
	struct reading r = reading_of(text, strlen(text));

	(void)state;
	assert_string_equal(r.folded, "g 5\n");
	assert_int_equal(r.report.ignored, 3);
	assert_refused("@[\n    f+1\n]: none\n", "no map with counts");
	free(r.folded);
	r = reading_of(nul, sizeof(nul) - 1);
	assert_null(r.folded);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_are_stacks_leaf_first),
		cmocka_unit_test(other_keys_are_the_thread),
		cmocka_unit_test(two_stacks_are_one),
		cmocka_unit_test(frames_may_be_as_perf_prints_them),
		cmocka_unit_test(one_map_is_read_and_can_be_chosen),
		cmocka_unit_test(names_of_maps_have_a_bound),
		cmocka_unit_test(what_is_no_map_of_stacks_is_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
