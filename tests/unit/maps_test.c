/* SPDX-License-Identifier: MIT */
#include "core/maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

static char path[4096];

static bool
parse(const char *line, struct mapping *mapping)
{
	return maps_parse_line(line, strlen(line), mapping, path,
			       sizeof(path));
}

static struct mapping
file(uint64_t start, uint64_t end, uint64_t offset, uint64_t inode)
{
	return (struct mapping){ .start = start, .end = end, .dev = 1,
				 .file_offset = offset, .inode = inode,
				 .path = inode ? "/lib/x.so" : "",
				 .kind = MODULE_LIBRARY };
}

static void
put(struct maps *maps, uint64_t start, uint64_t end, uint64_t offset,
    uint64_t inode)
{
	struct mapping mapping = file(start, end, offset, inode);

	maps_add(maps, &mapping);
}

static void
a_file_line_is_read_whole(void **state)
{
	struct mapping m;

	(void)state;
	assert_true(parse("55d8c1000000-55d8c1021000 r-xp 00002000 fd:01 1574"
			  "                       /usr/bin/a b", &m));
	assert_true(m.start == 0x55d8c1000000 && m.end == 0x55d8c1021000);
	assert_int_equal(m.file_offset, 0x2000);
	assert_int_equal(m.dev, makedev(0xfd, 1));
	assert_int_equal(m.inode, 1574);
	assert_string_equal(m.path, "/usr/bin/a b");
	assert_true(m.is_executable);
	assert_false(m.is_writable);
	assert_false(m.is_deleted);
	assert_int_equal(m.kind, MODULE_LIBRARY);
}

static void
what_a_mapping_is_shows_in_its_name(void **state)
{
	static const struct {
		const char *name;
		enum module_kind kind;
	} rows[] = {
		{ "", MODULE_JIT },
		{ "[vdso]", MODULE_VDSO },
		{ "[vsyscall]", MODULE_KERNEL },
		{ "[stack]", MODULE_JIT },
		{ "[anon:v8]", MODULE_JIT },
		{ "//anon", MODULE_JIT },
		{ "/memfd:doublemapper (deleted)", MODULE_JIT },
		{ "/dev/zero (deleted)", MODULE_JIT },
		{ "/SYSV00000000 (deleted)", MODULE_JIT },
		{ "/usr/lib/libc.so.6", MODULE_LIBRARY },
	};
	char line[256] = "1000-2000 rwxp 00000000 00:00 0 ";
	size_t start = strlen(line);
	struct mapping m;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		strcpy(line + start, rows[i].name);
		assert_true(parse(line, &m));
		assert_int_equal(m.kind, rows[i].kind);
	}
	assert_true(parse("1000-2000 rw-p 00000000 00:00 0 [heap]", &m));
	assert_int_equal(m.kind, MODULE_NONE);
}

static void
a_deleted_file_loses_the_remark(void **state)
{
	struct mapping m;

	(void)state;
	assert_true(parse("1000-2000 r-xp 00000000 08:01 7 /opt/x (deleted)",
			  &m));
	assert_string_equal(m.path, "/opt/x");
	assert_true(m.is_deleted);
}

static void
only_an_escaped_newline_is_undone(void **state)
{
	struct mapping m;

	(void)state;
	assert_true(parse("1000-2000 r-xp 0 08:01 7 /a\\012b\\040c\\01", &m));
	assert_string_equal(m.path, "/a\nb\\040c\\01");
}

static void
other_lines_are_refused(void **state)
{
	static const char *const lines[] = {
		"", "1000", "1000-", "1000-2000", "1000-2000 rwxp",
		"1000-2000 rwxp 0 0:0", "1000-2000 rwxp 0 0:0 ",
		"2000-1000 rwxp 0 0:0 0", "1000-1000 rwxp 0 0:0 0",
		"1000-2000 qwxp 0 0:0 0", "1000-2000 rwxq 0 0:0 0",
		"x-2000 rwxp 0 0:0 0", "1000-2000 rwxp 0 0:0 x",
		"1000-10000000000000000 rwxp 0 0:0 0",
		"Size:                  4 kB",
	};
	struct mapping m = { .start = 77 };
	char small[4];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_false(parse(lines[i], &m));
	assert_false(maps_parse_line("1000-2000 rwxp 0 0:0 0 /abc", 27, &m,
				     small, sizeof(small)));
	assert_false(maps_parse_line("1000-2000 rwxp 0 0:0 0 /a\0c", 27, &m,
				     path, sizeof(path)));
	assert_int_equal(m.start, 77);
}

static void
an_address_is_found_in_its_range_only(void **state)
{
	struct maps *maps = maps_new();

	(void)state;
	assert_null(maps_find(maps, 0x1000));
	put(maps, 0x3000, 0x4000, 0, 5);
	put(maps, 0x1000, 0x2000, 0, 6);
	assert_int_equal(maps_find(maps, 0x1000)->inode, 6);
	assert_int_equal(maps_find(maps, 0x1fff)->inode, 6);
	assert_null(maps_find(maps, 0x2000));
	assert_null(maps_find(maps, 0xfff));
	assert_int_equal(maps_find(maps, 0x3fff)->inode, 5);
	assert_null(maps_find(maps, UINT64_MAX));
	maps_free(maps);
}

static void
a_new_mapping_splits_what_it_covers(void **state)
{
	struct maps *maps = maps_new();
	const struct mapping *right;

	(void)state;
	put(maps, 0x1000, 0x9000, 0x10000, 5);
	maps_set_module(maps, 0x1000, 3);
	put(maps, 0x3000, 0x4000, 0, 6);
	assert_int_equal(maps_count(maps), 3);
	assert_int_equal(maps_find(maps, 0x2fff)->inode, 5);
	assert_int_equal(maps_find(maps, 0x3000)->inode, 6);
	right = maps_find(maps, 0x4000);
	assert_int_equal(right->inode, 5);
	assert_int_equal(right->file_offset, 0x13000);
	assert_int_equal(right->module, 3);
	put(maps, 0x0, 0xa000, 0, 7);
	assert_int_equal(maps_count(maps), 1);
	maps_free(maps);
}

static void
overlays_agree_with_a_page_by_page_model(void **state)
{
	enum { PAGES = 64 };
	struct maps *maps = maps_new();
	uint64_t model[PAGES] = { 0 };
	unsigned random = 7;

	(void)state;
	for (uint64_t round = 1; round < 3000; round++) {
		uint64_t from = (random = random * 1103515245 + 12345) / 65536
				% PAGES;
		uint64_t to = from + 1 +
			      (random = random * 1103515245 + 12345) / 65536
			      % 9;

		to = to > PAGES ? PAGES : to;
		put(maps, from, to, 0, round);
		for (uint64_t i = from; i < to; i++)
			model[i] = round;
		for (uint64_t i = 0; i < PAGES; i++) {
			const struct mapping *m = maps_find(maps, i);

			assert_int_equal(m ? m->inode : 0, model[i]);
		}
	}
	for (size_t i = 1; i < maps_count(maps); i++)
		assert_true(maps_at(maps, i - 1)->end <=
			    maps_at(maps, i)->start);
	maps_free(maps);
}

static void
segments_know_where_their_header_is(void **state)
{
	struct maps *maps = maps_new();

	(void)state;
	/* As ld.so does: all at once, then each over it. */
	put(maps, 0x10000, 0x20000, 0, 5);
	put(maps, 0x12000, 0x15000, 0x2000, 5);
	put(maps, 0x16000, 0x17000, 0x5000, 5);
	put(maps, 0x17000, 0x18000, 0, 0);
	assert_int_equal(maps_find(maps, 0x12000)->base, 0x10000);
	assert_int_equal(maps_find(maps, 0x16000)->base, 0x10000);
	assert_int_equal(maps_find(maps, 0x17000)->base, 0);
	put(maps, 0x31000, 0x32000, 0x1000, 6);	/* header seen last */
	put(maps, 0x32000, 0x33000, 0x2000, 6);
	assert_int_equal(maps_find(maps, 0x31000)->base, 0);
	put(maps, 0x30000, 0x31000, 0, 6);
	assert_int_equal(maps_find(maps, 0x31000)->base, 0x30000);
	assert_int_equal(maps_find(maps, 0x32000)->base, 0x30000);
	put(maps, 0x41000, 0x42000, 0x1000, 7);	/* not of the file below */
	assert_int_equal(maps_find(maps, 0x41000)->base, 0);
	maps_free(maps);
}

static void
a_known_mapping_changes_nothing(void **state)
{
	struct maps *maps = maps_new();
	uint64_t generation;

	(void)state;
	put(maps, 0x1000, 0x2000, 0, 5);
	maps_set_module(maps, 0x1000, 9);
	generation = maps_generation(maps);
	put(maps, 0x1000, 0x2000, 0, 5);
	assert_int_equal(maps_generation(maps), generation);
	assert_int_equal(maps_find(maps, 0x1000)->module, 9);
	put(maps, 0x1000, 0x2000, 0, 6);
	assert_true(maps_generation(maps) > generation);
	assert_int_equal(maps_find(maps, 0x1000)->module, 0);
	maps_free(maps);
}

static void
a_clone_lives_by_itself(void **state)
{
	struct maps *maps = maps_new(), *clone;

	(void)state;
	put(maps, 0x1000, 0x2000, 0, 5);
	clone = maps_clone(maps);
	maps_clear(maps);
	assert_int_equal(maps_count(maps), 0);
	assert_string_equal(maps_find(clone, 0x1000)->path, "/lib/x.so");
	maps_free(maps);
	maps_free(clone);
}

/* Code without a file in the hole of one, at START. */
static struct mapping
hole(uint64_t start, uint64_t end, bool is_writable)
{
	return (struct mapping){ .start = start, .end = end, .path = "",
				 .kind = MODULE_JIT, .is_executable = true,
				 .is_writable = is_writable };
}

static void
text_that_was_moved_is_its_file_s_again(void **state)
{
	struct maps *maps = maps_new();
	struct mapping moved = hole(0x3000, 0x5000, false);

	(void)state;
	put(maps, 0x1000, 0x3000, 0, 7);
	maps_add(maps, &moved);
	put(maps, 0x5000, 0x6000, 0x4000, 7);
	maps_rejoin(maps);
	assert_int_equal(maps_find(maps, 0x4000)->inode, 7);
	assert_int_equal(maps_find(maps, 0x4000)->file_offset, 0x2000);
	assert_int_equal(maps_find(maps, 0x4000)->kind, MODULE_LIBRARY);
	assert_int_equal(maps_find(maps, 0x4000)->base, 0x1000);
	assert_string_equal(maps_find(maps, 0x4000)->path, "/lib/x.so");
	maps_free(maps);
}

/* Writable, of another length than the hole, between two files, apart. */
static void
generated_code_between_files_stays_what_it_is(void **state)
{
	struct maps *maps = maps_new();
	struct mapping writable = hole(0x3000, 0x5000, true);
	struct mapping other = hole(0x13000, 0x15000, false);
	struct mapping between = hole(0x23000, 0x25000, false);
	struct mapping apart = hole(0x33000, 0x34000, false);

	(void)state;
	put(maps, 0x1000, 0x3000, 0, 7);
	maps_add(maps, &writable);
	put(maps, 0x5000, 0x6000, 0x4000, 7);
	put(maps, 0x11000, 0x13000, 0, 7);
	maps_add(maps, &other);
	put(maps, 0x15000, 0x16000, 0x2000, 7);
	put(maps, 0x21000, 0x23000, 0, 7);
	maps_add(maps, &between);
	put(maps, 0x25000, 0x26000, 0x4000, 8);
	put(maps, 0x31000, 0x33000, 0, 7);
	maps_add(maps, &apart);
	put(maps, 0x35000, 0x36000, 0x4000, 7);
	maps_rejoin(maps);
	assert_int_equal(maps_find(maps, 0x3000)->kind, MODULE_JIT);
	assert_int_equal(maps_find(maps, 0x13000)->kind, MODULE_JIT);
	assert_int_equal(maps_find(maps, 0x23000)->kind, MODULE_JIT);
	assert_int_equal(maps_find(maps, 0x33000)->kind, MODULE_JIT);
	maps_free(maps);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_line_is_read_whole),
		cmocka_unit_test(what_a_mapping_is_shows_in_its_name),
		cmocka_unit_test(a_deleted_file_loses_the_remark),
		cmocka_unit_test(only_an_escaped_newline_is_undone),
		cmocka_unit_test(other_lines_are_refused),
		cmocka_unit_test(an_address_is_found_in_its_range_only),
		cmocka_unit_test(a_new_mapping_splits_what_it_covers),
		cmocka_unit_test(overlays_agree_with_a_page_by_page_model),
		cmocka_unit_test(segments_know_where_their_header_is),
		cmocka_unit_test(a_known_mapping_changes_nothing),
		cmocka_unit_test(text_that_was_moved_is_its_file_s_again),
		cmocka_unit_test(generated_code_between_files_stays_what_it_is),
		cmocka_unit_test(a_clone_lives_by_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
