/* SPDX-License-Identifier: MIT */
/*
 * format_test.c - files are told apart by content and called what they are.
 */
#include "formats/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "formats/foreign.h"

#include <cmocka.h>

#define BYTES(text) text, sizeof(text) - 1

static void
other_files_are_named_with_the_command_that_helps(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *name, *command;
	} files[] = {
		{ BYTES("PERFILE2\x68\0\0\0"), "perf.data", "perf script" },
		{ BYTES("\x28\xb5\x2f\xfd\x04"), "zstd", "zstd -d" },
		{ BYTES("\xfd" "7zXZ\0"), "xz", "xz -d" },
		{ BYTES("BZh91AY&SYx"), "bzip2", "bzip2 -d" },
		{ BYTES("\x7f" "ELF\2\1\1"), "program", "flametop --" },
		{ BYTES("FLR\0\0\2"), "Java flight", "jfrconv" },
		{ BYTES("# callgrind format\nevents: Ir\n"), "callgrind",
		  "callgrind_annotate" },
		{ BYTES("\x17\x08\x44tracing6\0"), "trace-cmd",
		  "trace-cmd report" },
		{ BYTES("Ftrace!\0\4"), "uftrace", "--flame-graph" },
		{ BYTES("MOJ\3abc"), "austin", "mojo2austin" },
		{ BYTES("DTiJ\1\0"), "jitdump", "perf inject" },
		{ BYTES("{\n \"nodes\": []}"), "cpuprofile", "Chromium" },
		{ BYTES("[1, 2]"), NULL, NULL },
		{ BYTES("[{\"a\":1}]"), "JSON", "" },
		{ BYTES("<?xml version=\"1.0\"?>\n<svg>"), "SVG", "folded" },
		{ BYTES("<!DOCTYPE html>\n<html>"), "web page", "" },
		{ BYTES("3ef414c0 398 RegExp:[{(]\n"), "perf map", "/tmp" },
		{ BYTES("55d0f000-55d10000 r-xp 00001000 fe:00 11010 /a\n"),
		  "mappings", "flametop PID" },
		{ BYTES("#!/bin/sh\nexec 5\n"), "script", "flametop --" },
	};
	const char *what;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(files); i++) {
		what = foreign_name(files[i].bytes, files[i].len);
		if (!files[i].name) {
			assert_null(what);
			continue;
		}
		if (!what)
			print_error("not named: %s\n", files[i].name);
		assert_non_null(what);
		assert_non_null(strstr(what, files[i].name));
		assert_non_null(strstr(what, files[i].command));
	}
}

static void
stacks_that_look_like_something_else_are_stacks(void **state)
{
	static const char *const texts[] = {
		"{main};f 5\n",		 "[unknown];f 5\n",
		"<module>;f 5\n",	 "\n\n2;b 5\n",
		"MOJave;f 5\n",		 "BZhang;f 5\n",
		"deadbeef cafe 5\n",	 "    7f00aabb 5\n",
		"a;at 1.234567: x 5\n",	 "--;f 5\n",
		"xml;<svg width=1> 5\n", "\t5\n",
		"# flametop: v1\na 1 1.5: 3 b: 5\n",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(texts); i++) {
		struct profile *profile = profile_new();
		struct read_report report;
		struct error err;
		bool ok = format_read(texts[i], strlen(texts[i]), profile,
				      &report, &err);

		if (!ok)
			print_error("%s: %s\n", texts[i], err.text);
		assert_true(ok);
		assert_int_equal(profile_total(profile, KIND_CPU), 5);
		profile_free(profile);
	}
}

/* TEXT gzipped TIMES times, with whatever BEHIND it, read. */
static bool
read_zipped(const char *text, int times, const char *behind,
	    struct read_report *report, struct error *err)
{
	struct profile *profile = profile_new();
	char *bytes = xstrdup(text), *zipped;
	size_t len = strlen(text);
	FILE *out;
	bool ok;

	for (; times; times--) {
		size_t size;

		out = open_memstream(&zipped, &size);
		assert_true(gzip_write(out, bytes, len, NULL));
		if (times == 1)
			fputs(behind, out);
		fclose(out);
		free(bytes);
		bytes = zipped;
		len = size;
	}
	ok = format_read(bytes, len, profile, report, err);
	if (ok)
		assert_int_equal(profile_total(profile, KIND_CPU), 5);
	profile_free(profile);
	free(bytes);
	return ok;
}

static void
gzip_is_seen_through_once(void **state)
{
	struct read_report report;
	struct error err;

	(void)state;
	assert_true(read_zipped("a;b 5\n", 1, "", &report, &err));
	assert_string_equal(report.note, "");
	assert_false(read_zipped("a;b 5\n", 2, "", &report, &err));
	assert_non_null(strstr(err.text, "gunzip"));
	assert_false(read_zipped("PERFILE2", 1, "", &report, &err));
	assert_non_null(strstr(err.text, "perf.data"));
}

static void
bytes_behind_the_gzip_data_are_noted(void **state)
{
	struct read_report report;
	struct error err;

	(void)state;
	assert_true(read_zipped("a;b 5\n", 1, "rest", &report, &err));
	assert_non_null(strstr(report.note, "4 bytes behind"));
}

static void
our_own_files_are_ours_whatever_threads_are_called(void **state)
{
	static const char *const names[] = {
		"@[", "@[kstack]", "<svg", "{\"nodes\"", "7f0012345678 1a f",
		"app 42 1596.336683:",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct profile *profile = profile_new();
		struct read_report report;
		char text[200];

		snprintf(text, sizeof(text), "# flametop: v1\n"
			 "# roots=thread\n%s;main 5\n", names[i]);
		assert_true(format_read(text, strlen(text), profile, &report,
					NULL));
		assert_int_equal(profile_total(profile, KIND_CPU), 5);
		assert_int_equal(profile_threads(profile), 2);
		profile_free(profile);
	}
}

static void
nothing_and_noise_are_refused(void **state)
{
	static const char noise[] = "\1\2\0\3\4;\5\6\7 4x\n\0\1";
	struct profile *profile = profile_new();
	struct read_report report;
	struct error err;

	(void)state;
	assert_false(format_read("", 0, profile, &report, &err));
	assert_string_equal(err.text, "there is nothing in it");
	assert_false(format_read("\xff\xfe", 2, profile, &report, &err));
	assert_false(format_read("# only\n", 7, profile, &report, &err));
	assert_false(format_read(BYTES(noise), profile, &report, &err));
	profile_free(profile);
}

static void
the_suffix_chooses_what_is_written(void **state)
{
	bool is_gzip;

	(void)state;
	assert_ptr_equal(format_by_suffix("x.folded", &is_gzip),
			 &format_folded);
	assert_false(is_gzip);
	assert_ptr_equal(format_by_suffix("a.b/x.folded.gz", &is_gzip),
			 &format_folded);
	assert_true(is_gzip);
	assert_null(format_by_suffix("x.png", &is_gzip));
	assert_null(format_by_suffix(".folded", &is_gzip));
	assert_null(format_by_suffix("gz", &is_gzip));
}

static void
sums_that_need_more_than_64_bits_are_told(void **state)
{
	static const char text[] =
		"a 1 1.0: 18446744073709551615 cycles:\n\t10 f (/x)\n\n"
		"a 1 1.0: 1 cycles:\n\t20 g (/x)\n\n";
	struct profile *profile = profile_new();
	struct read_report report;
	struct error err;

	(void)state;
	assert_true(format_read(text, sizeof(text) - 1, profile, &report,
				&err));
	assert_non_null(strstr(report.note, "64 bits"));
	profile_free(profile);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			other_files_are_named_with_the_command_that_helps),
		cmocka_unit_test(
			stacks_that_look_like_something_else_are_stacks),
		cmocka_unit_test(gzip_is_seen_through_once),
		cmocka_unit_test(bytes_behind_the_gzip_data_are_noted),
		cmocka_unit_test(
			our_own_files_are_ours_whatever_threads_are_called),
		cmocka_unit_test(sums_that_need_more_than_64_bits_are_told),
		cmocka_unit_test(nothing_and_noise_are_refused),
		cmocka_unit_test(the_suffix_chooses_what_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
