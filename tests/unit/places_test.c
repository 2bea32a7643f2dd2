/* SPDX-License-Identifier: MIT */
/*
 * places_test.c - source lines and inlined calls, however they were compiled
 * and packed.
 */
#include "symbols/places.h"

#include <string.h>

#include "symbols/dwarf.h"

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

static struct places *
open_places(const struct elf *elf, const char *what)
{
	struct places *places = NULL;
	struct error err;

	if (!places_open(elf, NULL, &places, &err))
		fail_msg("%s: %s", what, err.text);
	return places;
}

static void
expect_lines(const char *compile)
{
	struct symbol_place at[PLACES_DEPTH_MAX];
	struct places *places;
	struct elf *elf;

	build(compile);
	elf = open_elf("prog");
	assert_true(dwarf_exists(elf));
	places = open_places(elf, compile);
	assert_int_equal(places_find(places, address_of("twice"), at), 1);
	assert_int_equal(at->line, 2);
	assert_string_equal(at->name, "twice");
	assert_int_equal(at->file[0], '/');
	assert_string_equal(strrchr(at->file, '/'), "/prog.c");
	assert_int_equal(places_find(places, address_of("thrice"), at), 1);
	assert_int_equal(at->line, 6);
	assert_int_equal(places_find(places, 1, at), 0);
	assert_int_equal(places_find(places, UINT64_MAX, at), 0);
	assert_null(places_trouble(places));
	places_free(places);
	elf_free(elf);
}

static void
each_version_of_dwarf_is_read(void **state)
{
	(void)state;
	expect_lines("cc -g -gdwarf-2");
	expect_lines("cc -g -gdwarf-3");
	expect_lines("cc -g -gdwarf-4");
	expect_lines("cc -g -gdwarf-5");
	expect_lines("cc -g -gdwarf-5 -gdwarf64");
	expect_lines("cc -g -ffunction-sections");
}

static void
units_are_found_without_a_table_of_addresses(void **state)
{
	(void)state;
	if (!can_run("clang --version"))
		skip();
	expect_lines("clang -g");
	expect_lines("clang -g -gdwarf-4");
	expect_lines("clang -g -gdwarf-5");
}

static void
compressed_sections_are_inflated(void **state)
{
	(void)state;
	expect_lines("cc -g -gz=zlib");
	expect_lines("cc -g -Wl,--compress-debug-sections=zlib-gnu");
}

static void
sections_packed_with_zstd_are_too(void **state)
{
	(void)state;
	build("cc -g");
	if (!can_run("objcopy --compress-debug-sections=zstd prog"))
		skip();
	expect_lines("cc -g -Wl,--compress-debug-sections=zstd");
}

static void
a_file_without_debug_sections_says_so(void **state)
{
	struct places *places;
	struct error err;
	struct elf *elf;

	(void)state;
	build("cc -s");
	elf = open_elf("prog");
	assert_false(dwarf_exists(elf));
	assert_false(places_open(elf, NULL, &places, &err));
	assert_string_equal(err.text, "no debugging information");
	elf_free(elf);
}

/* --- inlined calls */

static const char inlined[] =
	"#define IN static inline __attribute__((always_inline))\n"
	"IN int mix(int x) { for (int i = 0; i < 9; i++) x = x * 33 + i;\n"
	"	return x; }\n"
	"IN int twice(int x)\n"
	"{\n"
	"	return mix(x) ^\n"
	"	       mix(x + 1);\n"
	"}\n"
	"__attribute__((noinline)) int work(int x)\n"
	"{\n"
	"	return twice(x);\n"
	"}\n"
	"int main(int c, char **v) { (void)v; return work(c); }\n";

/* Every address of work() against addr2line -i. */
static void
expect_inlined(const char *compile)
{
	struct symbol_place at[PLACES_DEPTH_MAX];
	struct places *places;
	struct elf *elf;
	uint64_t work;
	size_t most = 0;
	char command[256];

	write_file("prog.c", inlined);
	snprintf(command, sizeof(command), "%s -o prog prog.c", compile);
	run(command);
	work = address_of("work");
	elf = open_elf("prog");
	places = open_places(elf, compile);
	for (uint64_t address = work; address < work + 64; address++) {
		size_t n = places_find(places, address, at);
		char line[1024];
		FILE *in;

		snprintf(command, sizeof(command),
			 "addr2line -i -f -s -e prog %#lx",
			 (unsigned long)address);
		in = popen(command, "r");
		for (size_t i = n; i-- > 0;) {
			assert_non_null(fgets(line, sizeof(line), in));
			line[strcspn(line, "\n")] = '\0';
			if (*at[i].name)	/* not between functions */
				assert_string_equal(at[i].name, line);
			assert_non_null(fgets(line, sizeof(line), in));
			assert_int_equal(strtoul(strchr(line, ':') + 1, NULL,
						 10), at[i].line);
		}
		if (n)
			assert_null(fgets(line, sizeof(line), in));
		pclose(in);
		most = n > most ? n : most;
	}
	assert_int_equal(most, 3);
	places_free(places);
	elf_free(elf);
}

static void
inlined_calls_are_what_addr2line_says(void **state)
{
	(void)state;
	expect_inlined("cc -O2 -g -gdwarf-4");
	expect_inlined("cc -O2 -g -gdwarf-5");
	expect_inlined("cc -O2 -g -gz=zlib -flto");
	if (can_run("clang --version"))
		expect_inlined("clang -O2 -g -gdwarf-4");
}

/* The linker knows none of them. */
static void
functions_in_functions_say_where_they_are(void **state)
{
	static const char *const wanted[] = {
		"app::(anonymous namespace)::local::run::",
		"app::(anonymous namespace)::local::run",
	};
	struct symbol_place at[PLACES_DEPTH_MAX];
	size_t found[2] = { 0, 0 };
	struct places *places;
	struct elf *elf;
	uint64_t main_at;

	(void)state;
	if (!can_run("c++ --version"))
		skip();
	write_file("prog.cc",
		   "namespace app { namespace { struct local {\n"
		   "int run(int n) {\n"
		   "auto each = [&](int x) __attribute__((always_inline))\n"
		   "	{ for (int i = 0; i < n; i++) x = x * 33 + i;\n"
		   "	return x; };\n"
		   "return each(n) + each(n + 1); } }; } }\n"
		   "int main(int c, char **) { return app::local().run(c); }\n");
	run("c++ -O2 -g -o prog prog.cc");
	main_at = address_of("main");
	elf = open_elf("prog");
	places = open_places(elf, "c++");
	for (uint64_t address = main_at; address < main_at + 64; address++) {
		size_t n = places_find(places, address, at);

		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < ARRAY_LEN(wanted); k++)
				found[k] += !strncmp(at[i].name, wanted[k],
						     strlen(wanted[k]));
		if (n == 3 && !found[0])
			fail_msg("%s", at[2].name);
	}
	assert_int_not_equal(found[0], 0);
	assert_int_not_equal(found[1], 0);
	places_free(places);
	elf_free(elf);
}

/* --- files that lie */

static void
patch(uint64_t offset, const void *bytes, size_t len)
{
	int fd = open("prog", O_WRONLY);

	assert_int_equal(pwrite(fd, bytes, len, (off_t)offset), len);
	close(fd);
}

/* WHY is said when it is opened, or when an address is asked for. */
static void
expect_refusal(const char *why)
{
	struct symbol_place at[PLACES_DEPTH_MAX];
	struct elf *elf = open_elf("prog");
	const char *said;
	struct places *places;
	struct error err;

	if (places_open(elf, NULL, &places, &err)) {
		places_find(places, address_of("main"), at);
		said = places_trouble(places);
		snprintf(err.text, sizeof(err.text), "%s", said ? said : "");
		places_free(places);
	}
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
	static const uint32_t other = 77;
	static const uint8_t junk[32] = { 0x55 };
	uint64_t at;

	(void)state;
	build("cc -g -gz=zlib");
	at = place_of(".debug_info");
	patch(at + offsetof(Elf64_Chdr, ch_size), &more, sizeof(more));
	expect_refusal("cannot be unpacked");
	patch(at + offsetof(Elf64_Chdr, ch_size), &huge, sizeof(huge));
	expect_refusal("lies about its size");
	patch(at, &other, sizeof(other));
	expect_refusal("compressed in a way");
	build("cc -g -gz=zlib");
	patch(at + sizeof(Elf64_Chdr), junk, sizeof(junk));
	expect_refusal("cannot be unpacked");
}

static void
debug_sections_beyond_the_bound_are_refused(void **state)
{
	uint64_t size = ((uint64_t)1 << 30) + 1;
	struct elf *elf;
	size_t index;

	(void)state;
	build("cc -g");
	elf = open_elf("prog");
	index = (size_t)(elf_find(elf, ".debug_info") - elf->sections);
	patch(elf->header.e_shoff + index * sizeof(Elf64_Shdr) +
	      offsetof(Elf64_Shdr, sh_size), &size, sizeof(size));
	elf_free(elf);
	expect_refusal("too large");
}

/* Whatever the bytes of the sections are, the answer comes. */
static void
damaged_sections_do_no_harm(void **state)
{
	static const char *const sections[] = {
		".debug_info", ".debug_abbrev", ".debug_line",
	};
	uint64_t offsets[ARRAY_LEN(sections)], main_at;
	struct symbol_place at[PLACES_DEPTH_MAX];

	(void)state;
	build("cc -O2 -g");
	main_at = address_of("main");
	run("cp prog sound");
	for (size_t i = 0; i < ARRAY_LEN(sections); i++)
		offsets[i] = place_of(sections[i]);
	srandom(2);
	for (int round = 0; round < 300; round++) {
		uint8_t byte = (uint8_t)random();
		struct places *places;
		struct elf *elf;

		if (round % 10 == 0)
			run("cp sound prog");
		patch(offsets[round % 3] + (uint64_t)(random() % 60), &byte, 1);
		elf = open_elf("prog");
		if (places_open(elf, NULL, &places, NULL)) {
			places_find(places, main_at, at);
			places_free(places);
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
		cmocka_unit_test(sections_packed_with_zstd_are_too),
		cmocka_unit_test(a_file_without_debug_sections_says_so),
		cmocka_unit_test(inlined_calls_are_what_addr2line_says),
		cmocka_unit_test(functions_in_functions_say_where_they_are),
		cmocka_unit_test(sections_that_lie_are_refused),
		cmocka_unit_test(debug_sections_beyond_the_bound_are_refused),
		cmocka_unit_test(damaged_sections_do_no_harm),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
