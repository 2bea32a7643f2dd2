/* SPDX-License-Identifier: MIT */
/*
 * dtrace_test.c - aggregated stacks.
 */
#include "tests/unit/reading.h"

static void
stacks_come_leaf_first_with_the_count_behind(void **state)
{
	(void)state;
	assert_read("CPU     ID                    FUNCTION:NAME\n"
		    "  0  64091                        :tick-60s\n\n\n"
		    "              genunix`kmem_alloc+0x20\n"
		    "              app`a::operator+(int)+0x3\n"
		    "              app`main\n"
		    "              0xfe3ad1\n"
		    "               12\n\n"
		    "              app`main+0x4\n"
		    "                1\n",
		    "0xfe3ad1;app`main;app`a::operator+(int);"
		    "genunix`kmem_alloc_[k] 12\n"
		    "app`main 1\n");
}

static void
a_key_before_the_stack_is_the_thread(void **state)
{
	(void)state;
	assert_read("  node\n"
		    "              app`main+0x4\n"
		    "                2\n"
		    "  my app\n"
		    "              unix`x\n\n"
		    "              app`main+0x4\n"
		    "                3\n"
		    "              app`main+0x4\n"
		    "                5\n",
		    "-;app`main 5\n"
		    "my app;app`main;unix`x_[k] 3\n"
		    "node;app`main 2\n");
}

static void
a_blank_before_the_offset_is_none_of_the_name(void **state)
{
	(void)state;
	assert_read("              app`f  _[i] +0x4\n"
		    "                2\n", "app`f_[i] 2\n");
}

static void
noise_is_ignored(void **state)
{
	(void)state;
	assert_read_but("dtrace: description matched 1 probe\n"
			"              app`main+0x4\n"
			"                2\n", 1, "app`main 2\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_come_leaf_first_with_the_count_behind),
		cmocka_unit_test(a_key_before_the_stack_is_the_thread),
		cmocka_unit_test(a_blank_before_the_offset_is_none_of_the_name),
		cmocka_unit_test(noise_is_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
