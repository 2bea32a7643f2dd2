/* SPDX-License-Identifier: MIT */
/*
 * reports_test.c - small texts that other readers of profiles broke on.
 *
 * Each is the smallest form of a file that somebody reported somewhere.
 */
#include "tests/unit/reading.h"

static void
folded_stacks(void **state)
{
	static const struct {
		const char *text, *folded;
	} cases[] = {
		/* Blanks behind counts, fractions, negative counts. */
		{ "a;b 1.5\n", "a;b 15\n" },
		{ "a;b -1\n", "a;b 1\n" },
		{ "a;b 1 \n\n", "a;b 1\n" },
		{ "1;2;3 -103.7652\n", "1;2;3 1037652\n" },
		/* Frames that hold what separates. */
		{ "a;b 1\ncore::<impl Default for [T; _]>::default 19\n",
		  "a;b 1\ncore::<impl Default for [T; _]>::default 19\n" },
		{ "A.main([Ljava/lang/String;)V_[j] 3\n",
		  "A.main([Ljava/lang/String;)V_[j] 3\n" },
		{ "std::locale::id::_M_id() const 4\n",
		  "std::locale::id::_M_id() const 4\n" },
		{ "x;--;[;M;i;s;s;e;d; ;U;];fio 49\n",
		  "x;--;[;M;i;s;s;e;d;[empty];U;];fio 49\n" },
		/* A hundred times the count needs more than 64 bits. */
		{ "swapper/0;start_kernel;--; 92233720369095933\n",
		  "swapper/0;start_kernel;-- 92233720369095933\n" },
		/* A count without a stack. */
		{ "12\n", "[no stack] 12\n" },
		/* Controls and what a picture takes for markup. */
		{ "a;\033[31m\001 3\n", "a;\\x1b[31m\\x01 3\n" },
		{ "a;<x>&\"y 1\n", "a;<x>&\"y 1\n" },
		/* Two processes, one file; a frame without its place. */
		{ "P1;T1;f:g:1 5\nP2;T2;f:g:1 5\n",
		  "P1;T1;f:g:1 5\nP2;T2;f:g:1 5\n" },
		{ "f (a.py:1);broken;g (b.py:2) 3\n",
		  "f (a.py:1);broken;g (b.py:2) 3\n" },
		/* A difference of stacks whose callers have none. */
		{ "main;foo 1 2\nmain;foo;bar 0 4\n",
		  "main;foo 2\nmain;foo;bar 4\n" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++)
		assert_read(cases[i].text, cases[i].folded);
}

static void
bytes_that_end_strings(void **state)
{
	static const char text[] = "class@anonymous\0/f.php:1 1\n";
	struct reading r = reading_of(text, sizeof(text) - 1);

	(void)state;
	assert_string_equal(r.folded, "class@anonymous\\x00/f.php:1 1\n");
	free(r.folded);
}

static void
text_of_perf(void **state)
{
	static const char frames[] = "\t9c51fd34 f ([JIT app cache])\n";
	static const struct {
		const char *event, *thread;
	} cases[] = {
		{ "DOM Worker 21528 [003] 609678.457663: cycles:",
		  "DOM Worker" },
		{ "[ET_NET 0] 12 1.5: 1 cycles:", "[ET_NET 0]" },
		{ "pool-1 7 25607 4.5: 1 cycles:", "pool-1 7" },
		{ "t 99076 10314749.002559:     1 cpu-clock: ", "t" },
		{ "f 9566 [001] 18.1: kmem:mm_pagevec_free: page=0xff pfn=6",
		  "f" },
	};
	char text[256], folded[64];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		snprintf(text, sizeof(text), "%s\n%s", cases[i].event, frames);
		snprintf(folded, sizeof(folded), "%s;f_[j] 1\n",
			 cases[i].thread);
		assert_read(text, folded);
	}
}

static void
maps_of_bpftrace(void **state)
{
	(void)state;
	assert_read("@[\n    f+1\n, my proc]: 10\n@[, p]: 3\n",
		    "my proc;f 10\np;[no stack] 3\n");
}

static void
files_that_are_none(void **state)
{
	(void)state;
	assert_refused("PERFILE2....", "perf.data");
	assert_refused("MOJ\3....", "mojo2austin");
	assert_refused("#!/usr/bin/perl\nprint 5\n", "script");
	assert_refused("\x1f\x8b\b", "cut short");
	assert_refused("a;b 0\nnoise\n", "none of its");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folded_stacks),
		cmocka_unit_test(bytes_that_end_strings),
		cmocka_unit_test(text_of_perf),
		cmocka_unit_test(maps_of_bpftrace),
		cmocka_unit_test(files_that_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
