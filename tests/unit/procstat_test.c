/* SPDX-License-Identifier: MIT */
#include "sampler/procstat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define REST                                                                \
	" S 7 8 9 0 -1 4194560 1 2 3 4 500 60 7 8 20 0 3 0 98765 1000 20 "  \
	"18446744073709551615 1 2 3 4 5 0 0 0 0 0 0 0 17 3 0 0 0 0 0\n"

static bool
parse(const char *text, struct proc_stat *out)
{
	return procstat_parse(text, strlen(text), out);
}

static void
fields_are_counted_from_the_name(void **state)
{
	struct proc_stat stat;

	(void)state;
	assert_true(parse("42 (redis-server)" REST, &stat));
	assert_string_equal(stat.comm, "redis-server");
	assert_int_equal(stat.state, 'S');
	assert_int_equal(stat.ppid, 7);
	assert_int_equal(stat.cpu_ticks, 560);
	assert_int_equal(stat.start, 98765);
	assert_int_equal(stat.cpu, 3);
	assert_false(stat.is_kernel_thread);
}

static void
a_name_may_look_like_the_rest(void **state)
{
	struct proc_stat stat;

	(void)state;
	assert_true(parse("42 (a) R 1 (b))" REST, &stat));
	assert_string_equal(stat.comm, "a) R 1 (b)");
	assert_int_equal(stat.ppid, 7);
}

static void
the_kernels_escapes_are_undone(void **state)
{
	struct proc_stat stat;

	(void)state;
	assert_true(parse("42 (a\\nb\\\\c)" REST, &stat));
	assert_string_equal(stat.comm, "a\nb\\c");
}

static void
kernel_threads_are_told(void **state)
{
	struct proc_stat stat;

	(void)state;
	assert_true(parse("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 "
			  "20 0 1 0 1 0 0 0\n", &stat));
	assert_true(stat.is_kernel_thread);
}

static void
a_line_that_is_cut_is_refused(void **state)
{
	static const char line[] = "42 (redis-server)" REST;
	struct proc_stat stat;
	size_t len;

	(void)state;
	for (len = 0; len < strlen("42 (redis-server) S 7 8 9 0 -1 4194560"); len++)
		assert_false(procstat_parse(line, len, &stat));
	assert_false(parse("", &stat));
	assert_false(parse(")(", &stat));
	assert_false(parse("1 ()", &stat));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_counted_from_the_name),
		cmocka_unit_test(a_name_may_look_like_the_rest),
		cmocka_unit_test(the_kernels_escapes_are_undone),
		cmocka_unit_test(kernel_threads_are_told),
		cmocka_unit_test(a_line_that_is_cut_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
