/* SPDX-License-Identifier: MIT */
/*
 * perfmap_test.c - maps as JITs write them, and as they should not.
 */
#include "symbols/perfmap.h"

#include <string.h>
#include <sys/stat.h>

#include "tests/unit/built.h"

static struct perfmap *
fed(const char *text)
{
	struct perfmap *map = perfmap_new();

	perfmap_feed(map, text, strlen(text));
	perfmap_settle(map);
	return map;
}

static void
expect(const struct perfmap *map, uint64_t addr, const char *name)
{
	uint64_t start;
	uint32_t at;
	const char *found = versions_find(perfmap_versions(map), addr, &start,
					  &at);

	if (!name) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, name);
}

static void
each_runtime_s_way_of_writing_is_read(void **state)
{
	struct perfmap *map = fed(
		"7f3e4c0002a0 1c0 JS:*fib /srv/a b/app.js:1:13\n"
		"0x00007f3e50000000 0x0000000000000080 int Spin.f(int, long)\n"
		"0x7f3e60000000 40 $io_lib:format/2\n"
		"7f3e70000000\t20\tpy::work:/srv/w.py\r\n"
		"  7F3E80000000 2A  RegExp:a;b \\d+ (c)\n"
		"7f3e90000000 30 void [app] Program::Main()[Tier0]\n");

	(void)state;
	expect(map, 0x7f3e4c00045f, "JS:*fib /srv/a b/app.js:1:13");
	expect(map, 0x7f3e4c000460, NULL);
	expect(map, 0x7f3e50000000, "int Spin.f(int, long)");
	expect(map, 0x7f3e6000003f, "$io_lib:format/2");
	expect(map, 0x7f3e70000000, "py::work:/srv/w.py");
	expect(map, 0x7f3e80000029, "RegExp:a;b \\d+ (c)");
	expect(map, 0x7f3e90000001, "void [app] Program::Main()[Tier0]");
	assert_int_equal(perfmap_entries(map), 6);
	assert_int_equal(perfmap_junk(map), 0);
	perfmap_free(map);
}

static void
junk_is_counted_and_costs_nothing_else(void **state)
{
	struct perfmap *map = fed(
		"1000 10 one\n"
		"\n"
		"hello\n"
		" return function() {\n"
		"2000\n"
		"2000 10\n"
		"2000 10 \n"
		"10000000000000000 10 seventeen digits\n"
		"ffffffffffffffff 10 beyond the end\n"
		"-1 10 minus\n"
		"0x 10 no digits\n"
		"3000 10 two\xff\xfe\x1b[31m\n");

	(void)state;
	expect(map, 0x1000, "one");
	expect(map, 0x2000, NULL);
	expect(map, 0x3000, "two\xff\xfe\x1b[31m");
	assert_int_equal(perfmap_entries(map), 2);
	assert_int_equal(perfmap_junk(map), 9);
	perfmap_free(map);
}

static void
a_nul_does_not_end_a_name(void **state)
{
	static const char text[] = "1000 10 a\0b\n2000 10 c\n";
	struct perfmap *map = perfmap_new();

	(void)state;
	perfmap_feed(map, text, sizeof(text) - 1);
	perfmap_settle(map);
	expect(map, 0x1000, "a?b");
	expect(map, 0x2000, "c");
	perfmap_free(map);
}

static void
the_later_entry_has_the_address(void **state)
{
	struct perfmap *map = fed("1000 100 old\n"
				  "1000 100 middle\n"
				  "1040 40 new\n");

	(void)state;
	expect(map, 0x1000, "middle");
	expect(map, 0x1040, "new");
	expect(map, 0x1080, "middle");
	perfmap_free(map);
}

static void
an_entry_without_size_reaches_to_the_next(void **state)
{
	struct perfmap *map = fed("1000 0 open\n1080 10 next\n9000 0 last\n");

	(void)state;
	expect(map, 0x107f, "open");
	expect(map, 0x1080, "next");
	expect(map, 0x9fff, "last");
	expect(map, 0xa000, NULL);
	perfmap_free(map);
}

static void
a_line_without_end_waits(void **state)
{
	struct perfmap *map = fed("1000 10 one\n2000 10 tw");

	(void)state;
	expect(map, 0x2000, NULL);
	perfmap_feed(map, "o\n", 2);
	perfmap_settle(map);
	expect(map, 0x2000, "two");
	assert_int_equal(perfmap_junk(map), 0);
	perfmap_free(map);
}

static void
chunks_make_no_difference(void **state)
{
	static const char text[] = "1000 10 one\r\njunk\n\n0x2000 0x10 t w\n"
				   "3000 0 x\n1008 4 inner\n4000 10 cut";

	(void)state;
	for (size_t step = 1; step < sizeof(text); step++) {
		struct perfmap *map = perfmap_new();

		for (size_t at = 0; at < sizeof(text) - 1; at += step) {
			size_t left = sizeof(text) - 1 - at;

			perfmap_feed(map, text + at, left < step ? left : step);
			perfmap_settle(map);
		}
		expect(map, 0x1004, "one");
		expect(map, 0x1008, "inner");
		expect(map, 0x200f, "t w");
		expect(map, 0x4000, NULL);
		assert_int_equal(perfmap_entries(map), 4);
		assert_int_equal(perfmap_junk(map), 1);
		perfmap_free(map);
	}
}

static void
a_line_beyond_the_bound_is_skipped(void **state)
{
	struct perfmap *map = perfmap_new();
	size_t size = PERFMAP_LINE_MAX - 8;
	char *name = xcalloc(2 * size, 1);

	(void)state;
	memset(name, 'x', 2 * size);
	perfmap_feed(map, "1000 10 ", 8);
	perfmap_feed(map, name, size);
	perfmap_feed(map, "\n2000 10 ", 9);
	perfmap_feed(map, name, size + 1);
	perfmap_feed(map, "\n3000 10 ok\n", 12);
	perfmap_settle(map);
	name[size] = '\0';
	expect(map, 0x1000, name);
	expect(map, 0x2000, NULL);
	expect(map, 0x3000, "ok");
	assert_int_equal(perfmap_junk(map), 1);
	free(name);
	perfmap_free(map);
}

static bool
read_map(struct perfmap *map, const char *name)
{
	struct error err = { 0 };
	int fd = open_file(name);
	bool ok = perfmap_read(map, fd, &err);

	close(fd);
	return ok;
}

static void
append(const char *name, const char *text)
{
	FILE *out = fopen(name, "a");

	fputs(text, out);
	fclose(out);
}

static void
a_file_that_grew_is_read_on(void **state)
{
	struct perfmap *map = perfmap_new();

	(void)state;
	write_file("grown", "1000 10 one\n2000 1");
	assert_true(read_map(map, "grown"));
	append("grown", "0 two\n1000 10 three\n");
	assert_true(read_map(map, "grown"));
	assert_true(read_map(map, "grown"));
	expect(map, 0x1000, "three");
	expect(map, 0x2000, "two");
	assert_int_equal(perfmap_entries(map), 3);
	perfmap_free(map);
}

static void
a_file_written_anew_is_read_anew(void **state)
{
	struct perfmap *map = perfmap_new();

	(void)state;
	write_file("anew", "1000 10 one\n");
	assert_true(read_map(map, "anew"));
	write_file("anew", "5000 10 other, and longer than it was\n");
	assert_true(read_map(map, "anew"));
	expect(map, 0x1000, NULL);
	expect(map, 0x5000, "other, and longer than it was");
	write_file("anew", "6000 10 x\n");
	assert_true(read_map(map, "anew"));
	/* It was asked for: samples from before keep the name. */
	assert_int_equal(versions_now(perfmap_versions(map)), 1);
	expect(map, 0x5000, "other, and longer than it was");
	expect(map, (uint64_t)1 << VERSION_SHIFT | 0x5000, NULL);
	expect(map, 0x6000, "x");
	perfmap_free(map);
}

static void
what_is_no_file_is_refused(void **state)
{
	struct perfmap *map = perfmap_new();

	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_false(perfmap_read(map, open("fifo", O_RDWR), NULL));
	assert_false(read_map(map, "/dev/zero"));
	perfmap_free(map);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_runtime_s_way_of_writing_is_read),
		cmocka_unit_test(junk_is_counted_and_costs_nothing_else),
		cmocka_unit_test(a_nul_does_not_end_a_name),
		cmocka_unit_test(the_later_entry_has_the_address),
		cmocka_unit_test(an_entry_without_size_reaches_to_the_next),
		cmocka_unit_test(a_line_without_end_waits),
		cmocka_unit_test(chunks_make_no_difference),
		cmocka_unit_test(a_line_beyond_the_bound_is_skipped),
		cmocka_unit_test(a_file_that_grew_is_read_on),
		cmocka_unit_test(a_file_written_anew_is_read_anew),
		cmocka_unit_test(what_is_no_file_is_refused),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
