/* SPDX-License-Identifier: MIT */
/*
 * jitdump_test.c - records by hand, and the files of real runtimes.
 */
#include "symbols/jitdump.h"

#include <string.h>

#include "core/reader.h"
#include "tests/unit/built.h"

enum { LOAD, MOVE, LINES, CLOSE, UNWINDING };

static void
header(struct writer *w)
{
	writer_u32(w, 0x4a695444);
	writer_u32(w, 1);
	writer_u32(w, 40);
	writer_u32(w, 62);
	writer_u32(w, 0);
	writer_u32(w, 4242);
	writer_u64(w, 1000);
	writer_u64(w, 0);
}

/* Put RECORD, whose fields are there, behind its prefix; RECORD is freed. */
static void
put(struct writer *w, uint32_t id, uint64_t time, struct writer *record)
{
	writer_u32(w, id);
	writer_u32(w, (uint32_t)record->len + 16);
	writer_u64(w, time);
	writer_bytes(w, record->bytes, record->len);
	writer_free(record);
}

static void
load(struct writer *w, uint64_t time, uint64_t start, uint64_t size,
     uint64_t index, const char *name)
{
	struct writer r = { 0 };

	writer_u32(&r, 4242);
	writer_u32(&r, 4242);
	writer_u64(&r, start);
	writer_u64(&r, start);
	writer_u64(&r, size);
	writer_u64(&r, index);
	writer_cstr(&r, name);
	for (uint64_t i = 0; i < size && i < 4096; i++)
		writer_u8(&r, 0xc3);
	put(w, LOAD, time, &r);
}

static void
move(struct writer *w, uint64_t time, uint64_t from, uint64_t to,
     uint64_t size, uint64_t index)
{
	struct writer r = { 0 };

	writer_u64(&r, 0);
	writer_u64(&r, to);
	writer_u64(&r, from);
	writer_u64(&r, to);
	writer_u64(&r, size);
	writer_u64(&r, index);
	put(w, MOVE, time, &r);
}

struct place {
	uint64_t addr;
	uint32_t line;
	const char *file;
};

static void
lines(struct writer *w, uint64_t start, const struct place *places, size_t n)
{
	struct writer r = { 0 };

	writer_u64(&r, start);
	writer_u64(&r, n);
	for (size_t i = 0; i < n; i++) {
		writer_u64(&r, places[i].addr);
		writer_u32(&r, places[i].line);
		writer_u32(&r, 0);
		writer_cstr(&r, places[i].file);
	}
	put(w, LINES, 0, &r);
}

/* What DUMP makes of W's bytes, as a file. */
static bool
read_bytes(struct jitdump *dump, const struct writer *w, size_t len,
	   struct error *err)
{
	FILE *out = fopen("dump", "w");
	bool ok;
	int fd;

	assert_non_null(out);
	assert_int_equal(fwrite(w->bytes, 1, len, out), len);
	fclose(out);
	fd = open_file("dump");
	ok = jitdump_read(dump, fd, err);
	close(fd);
	return ok;
}

static void
expect(struct jitdump *dump, uint64_t offset, const char *name)
{
	uint64_t start;
	uint32_t at;
	const char *found = versions_find(jitdump_versions(dump), offset,
					  &start, &at);

	if (!name) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, name);
}

static void
expect_line(struct jitdump *dump, uint64_t addr, const char *file,
	    uint32_t line)
{
	const char *found;
	uint32_t number;

	assert_true(jitdump_line(dump, addr, &found, &number));
	assert_string_equal(found, file);
	assert_int_equal(number, line);
}

static void
functions_and_their_moves_have_names(void **state)
{
	struct jitdump *dump = jitdump_new();
	struct writer w = { 0 };
	struct error err;

	(void)state;
	header(&w);
	load(&w, 1, 0x1000, 0x100, 7, "int Spin.f(int) [Tier0]");
	load(&w, 2, 0x2000, 0x80, 8, "g");
	move(&w, 3, 0x1000, 0x3000, 0x100, 7);
	move(&w, 3, 0x1000, 0x5000, 0x100, 99);	/* nobody has this index */
	assert_true(read_bytes(dump, &w, w.len, &err));
	expect(dump, 0x1000, "int Spin.f(int) [Tier0]");
	expect(dump, 0x207f, "g");
	expect(dump, 0x2080, NULL);
	expect(dump, 0x3010, "int Spin.f(int) [Tier0]");
	expect(dump, 0x5000, NULL);
	assert_int_equal(jitdump_loads(dump), 2);
	assert_int_equal(jitdump_junk(dump), 1);
	writer_free(&w);
	jitdump_free(dump);
}

static void
the_later_time_counts_not_the_later_record(void **state)
{
	struct jitdump *dump = jitdump_new();
	struct writer w = { 0 };
	struct error err;

	(void)state;
	header(&w);
	load(&w, 9, 0x1000, 0x100, 1, "new");
	load(&w, 5, 0x1000, 0x100, 2, "old");
	assert_true(read_bytes(dump, &w, w.len, &err));
	expect(dump, 0x1000, "new");
	writer_free(&w);
	jitdump_free(dump);
}

static void
a_file_that_is_being_written_is_read_on(void **state)
{
	struct jitdump *dump = jitdump_new();
	struct writer w = { 0 };
	struct error err;
	size_t first;

	(void)state;
	header(&w);
	load(&w, 1, 0x1000, 0x100, 1, "first");
	first = w.len;
	load(&w, 2, 0x1000, 0x100, 2, "second");
	/* The second record is not whole yet, wherever it is cut. */
	for (size_t cut = first; cut < w.len; cut++) {
		assert_true(read_bytes(dump, &w, cut, &err));
		expect(dump, 0x1000, "first");
	}
	assert_int_equal(jitdump_loads(dump), 1);
	assert_true(read_bytes(dump, &w, w.len, &err));
	assert_int_equal(jitdump_loads(dump), 2);
	expect(dump, 0x1000, "first");
	expect(dump, (uint64_t)1 << VERSION_SHIFT | 0x1000, "second");
	writer_free(&w);
	jitdump_free(dump);
}

static void
lines_are_those_of_the_next_load_there(void **state)
{
	static const struct place plain[] = {
		{ 0x0fce, 10, "a.erl" }, { 0x1010, 11, "\xff" },
		{ 0x1020, 0, "" },
	};
	/* As if code began behind an ELF header. */
	static const struct place shifted[] = {
		{ 0x2040, 20, "/b.js" }, { 0x2044, 21, "/b.js" },
	};
	struct jitdump *dump = jitdump_new();
	struct writer w = { 0 };
	struct error err;
	const char *file;
	uint32_t line;

	(void)state;
	header(&w);
	lines(&w, 0x1000, plain, 3);
	lines(&w, 0x2000, shifted, 2);
	load(&w, 1, 0x2000, 0x20, 1, "b");
	load(&w, 1, 0x1000, 0x40, 2, "a");
	load(&w, 1, 0x3000, 0x40, 3, "c");
	assert_true(read_bytes(dump, &w, w.len, &err));
	expect_line(dump, 0x1000, "a.erl", 10);
	expect_line(dump, 0x1013, "a.erl", 11);
	assert_false(jitdump_line(dump, 0x1021, &file, &line));
	expect_line(dump, 0x2003, "/b.js", 20);
	expect_line(dump, 0x2004, "/b.js", 21);
	assert_false(jitdump_line(dump, 0x3000, &file, &line));
	assert_false(jitdump_line(dump, 0x9000, &file, &line));
	writer_free(&w);
	jitdump_free(dump);
}

static void
what_is_no_jitdump_is_refused_by_name(void **state)
{
	static const uint8_t other[40] = { 0x4a, 0x69, 0x54, 0x44 };
	struct writer bad = { 0 };
	struct jitdump *dump = jitdump_new();
	struct writer w = { 0 };
	struct error err;

	(void)state;
	assert_true(jitdump_is(other, sizeof(other)));
	assert_false(jitdump_is("1000 10 f\n", 10));
	writer_bytes(&bad, other, sizeof(other));
	assert_false(read_bytes(dump, &bad, bad.len, &err));
	assert_non_null(strstr(err.text, "byte order"));
	assert_false(read_bytes(dump, &bad, 20, &err));
	header(&w);
	load(&w, 1, 0x1000, 0x100, 1, "f");
	writer_u32(&w, LOAD);
	writer_u32(&w, 3);		/* shorter than its own prefix */
	writer_u64(&w, 0);
	assert_false(read_bytes(dump, &w, w.len, &err));
	assert_non_null(strstr(err.text, "damaged"));
	expect(dump, 0x1000, "f");
	writer_free(&w);
	writer_free(&bad);
	jitdump_free(dump);
}

static void
impossible_places_are_skipped(void **state)
{
	struct jitdump *dump = jitdump_new();
	struct writer w = { 0 };
	struct error err;

	(void)state;
	header(&w);
	load(&w, 1, UINT64_MAX - 4, 0x100, 1, "beyond");
	load(&w, 1, 0x1000, 0, 2, "empty");
	load(&w, 1, 0x2000, 0x10, 3, "");
	load(&w, 1, 0x3000, 0x10, 4, "good");
	assert_true(read_bytes(dump, &w, w.len, &err));
	assert_int_equal(jitdump_loads(dump), 1);
	assert_int_equal(jitdump_junk(dump), 3);
	expect(dump, 0x3000, "good");
	writer_free(&w);
	jitdump_free(dump);
}

static void
files_of_real_runtimes_are_read_whole(void **state)
{
	static const struct {
		const char *name;
		size_t loads;
	} files[] = {
		{ "dotnet__dotnet", 1106 }, { "jitlink__jitlink", 3 },
		{ "julia__julia", 21 }, { "nodejs__nodejs", 1740 },
		{ "local-node20__node20_perf-prof", 2215 },
		{ "local-otp25__otp25_JPperf_first1MB", 3448 },
		{ "local-php82__php82_opcache", 44 }, { "php__php", 39 },
		{ "wasmtime__wasmtime", 246 },
	};
	const char *corpus = getenv("FLAMETOP_CORPUS");
	char path[4096];

	(void)state;
	if (!corpus)
		skip();
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct jitdump *dump = jitdump_new();
		struct error err = { 0 };
		int fd;

		snprintf(path, sizeof(path), "%s/%s.jitdump", corpus,
			 files[i].name);
		fd = open_file(path);
		if (!jitdump_read(dump, fd, &err))
			fail_msg("%s: %s", files[i].name, err.text);
		close(fd);
		assert_int_equal(jitdump_loads(dump), files[i].loads);
		assert_int_equal(jitdump_junk(dump), 0);
		jitdump_free(dump);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_and_their_moves_have_names),
		cmocka_unit_test(the_later_time_counts_not_the_later_record),
		cmocka_unit_test(a_file_that_is_being_written_is_read_on),
		cmocka_unit_test(lines_are_those_of_the_next_load_there),
		cmocka_unit_test(what_is_no_jitdump_is_refused_by_name),
		cmocka_unit_test(impossible_places_are_skipped),
		cmocka_unit_test(files_of_real_runtimes_are_read_whole),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
