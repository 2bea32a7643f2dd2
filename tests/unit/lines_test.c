/* SPDX-License-Identifier: MIT */
/*
 * lines_test.c - source lines, however they were compiled and packed.
 */
#include "symbols/lines.h"

#include <string.h>

#include "tests/unit/built.h"

static const char source[] = "int twice(int x)\n"
			     "{\n"
			     "	return x * 2;\n"
			     "}\n"
			     "int thrice(int x)\n"
			     "{\n"
			     "	return x * 3;\n"
			     "}\n"
			     "int main(void)\n"
			     "{\n"
			     "	return twice(1) + thrice(2);\n"
			     "}\n";

static struct elf *
open_elf(const char *name)
{
	struct elf *elf = NULL;
	struct error err;

	if (!elf_open(open_file(name), &elf, &err))
		fail_msg("%s", err.text);
	return elf;
}

/* The address of a function, as readelf says. */
static uint64_t
address_of(const char *name)
{
	unsigned long value, found = 0;
	char line[1024], text[256];
	FILE *in = popen("readelf -sW prog", "r");

	while (fgets(line, sizeof(line), in))
		if (sscanf(line, " %*u: %lx %*u FUNC %*s %*s %*u %255s", &value,
			   text) == 2 && !strcmp(text, name))
			found = value;
	pclose(in);
	assert_int_not_equal(found, 0);
	return found;
}

static void
build(const char *compile)
{
	char command[256];

	write_file("prog.c", source);
	snprintf(command, sizeof(command), "%s -o prog prog.c", compile);
	run(command);
}

static void
expect_lines(const char *compile)
{
	struct elf *elf;
	struct lines *lines;
	struct error err;
	const char *file;
	uint32_t line;

	build(compile);
	elf = open_elf("prog");
	assert_true(lines_exist(elf));
	if (!lines_open(elf, &lines, &err))
		fail_msg("%s: %s", compile, err.text);
	elf_free(elf);
	assert_true(lines_find(lines, address_of("twice"), &file, &line));
	assert_int_equal(line, 2);
	assert_int_equal(file[0], '/');
	assert_string_equal(strrchr(file, '/'), "/prog.c");
	assert_true(lines_find(lines, address_of("thrice"), &file, &line));
	assert_int_equal(line, 6);
	assert_false(lines_find(lines, 1, &file, &line));
	assert_false(lines_find(lines, UINT64_MAX, &file, &line));
	lines_free(lines);
}

static void
each_version_of_dwarf_is_read(void **state)
{
	(void)state;
	expect_lines("cc -g -gdwarf-3");
	expect_lines("cc -g -gdwarf-4");
	expect_lines("cc -g -gdwarf-5");
	expect_lines("cc -g -ffunction-sections");
}

static void
units_are_found_without_a_table_of_addresses(void **state)
{
	(void)state;
	if (!can_run("clang --version"))
		skip();
	expect_lines("clang -g");
}

static void
compressed_sections_are_inflated(void **state)
{
	(void)state;
	expect_lines("cc -g -gz=zlib");
	expect_lines("cc -g -Wl,--compress-debug-sections=zlib-gnu");
}

static void
a_file_without_lines_says_so(void **state)
{
	struct elf *elf;
	struct lines *lines;
	struct error err;

	(void)state;
	build("cc -s");
	elf = open_elf("prog");
	assert_false(lines_exist(elf));
	assert_false(lines_open(elf, &lines, &err));
	assert_string_equal(err.text, "no line tables");
	elf_free(elf);
}

static void
patch(uint64_t offset, const void *bytes, size_t len)
{
	int fd = open("prog", O_WRONLY);

	assert_int_equal(pwrite(fd, bytes, len, (off_t)offset), len);
	close(fd);
}

static void
expect_refusal(const char *why)
{
	struct elf *elf = open_elf("prog");
	struct lines *lines;
	struct error err;

	assert_false(lines_open(elf, &lines, &err));
	if (!strstr(err.text, why))
		fail_msg("'%s' instead of '%s'", err.text, why);
	elf_free(elf);
}

static uint64_t
place_of(const char *section)
{
	struct elf *elf = open_elf("prog");
	uint64_t offset = elf_find(elf, section)->sh_offset;

	elf_free(elf);
	return offset;
}

static void
sections_that_lie_are_refused(void **state)
{
	static const uint64_t huge = (uint64_t)1 << 62;
	static const uint64_t more = 20000;
	static const uint32_t zstd = 2;
	static const uint8_t junk[32] = { 0x55 };
	uint64_t at;

	(void)state;
	build("cc -g -gz=zlib");
	at = place_of(".debug_info");
	patch(at + offsetof(Elf64_Chdr, ch_size), &more, sizeof(more));
	expect_refusal("cannot be inflated");
	patch(at + offsetof(Elf64_Chdr, ch_size), &huge, sizeof(huge));
	expect_refusal("lies about its size");
	patch(at, &zstd, sizeof(zstd));
	expect_refusal("compressed in a way");
	build("cc -g -gz=zlib");
	patch(at + sizeof(Elf64_Chdr), junk, sizeof(junk));
	expect_refusal("cannot be inflated");
}

static void
debug_sections_beyond_the_bound_are_refused(void **state)
{
	uint64_t size = LINES_MAX + 1;
	struct elf *elf;
	size_t index;

	(void)state;
	build("cc -g");
	elf = open_elf("prog");
	index = (size_t)(elf_find(elf, ".debug_info") - elf->sections);
	patch(elf->header.e_shoff + index * sizeof(Elf64_Shdr) +
	      offsetof(Elf64_Shdr, sh_size), &size, sizeof(size));
	elf_free(elf);
	expect_refusal("too large for lines");
}

/* Whatever the bytes of the sections are, the answer comes. */
static void
damaged_sections_do_no_harm(void **state)
{
	static const char *const sections[] = {
		".debug_info", ".debug_abbrev", ".debug_line",
	};
	uint64_t offsets[ARRAY_LEN(sections)], main_at;

	(void)state;
	build("cc -g");
	main_at = address_of("main");
	run("cp prog sound");
	for (size_t i = 0; i < ARRAY_LEN(sections); i++)
		offsets[i] = place_of(sections[i]);
	srandom(2);
	for (int round = 0; round < 300; round++) {
		uint8_t byte = (uint8_t)random();
		struct lines *lines;
		struct elf *elf;
		const char *file;
		uint32_t line;

		if (round % 10 == 0)
			run("cp sound prog");
		patch(offsets[round % 3] + (uint64_t)(random() % 60), &byte, 1);
		elf = open_elf("prog");
		if (lines_open(elf, &lines, NULL)) {
			lines_find(lines, main_at, &file, &line);
			lines_free(lines);
		}
		elf_free(elf);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_version_of_dwarf_is_read),
		cmocka_unit_test(units_are_found_without_a_table_of_addresses),
		cmocka_unit_test(compressed_sections_are_inflated),
		cmocka_unit_test(a_file_without_lines_says_so),
		cmocka_unit_test(sections_that_lie_are_refused),
		cmocka_unit_test(debug_sections_beyond_the_bound_are_refused),
		cmocka_unit_test(damaged_sections_do_no_harm),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
