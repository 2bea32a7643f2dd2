/* SPDX-License-Identifier: MIT */
/*
 * symbols_files_test.c - files that are many, closed, changed, huge or damaged.
 */
#include "tests/unit/symbols_ask.h"

#include "symbols/elf.h"

static void
ask_of(struct symbols *symbols, uint32_t module, uint64_t offset,
       const char *name)
{
	struct answer answer = { 0 };

	symbols_resolve(symbols, module, &offset, 1, keep, &answer);
	assert_string_equal(answer.name, name);
}

/* The first is asked for most often, so it stays; the others take turns. */
static void
answers_of_many_files_take_no_more_than_the_bound(void **state)
{
	struct symbols *symbols;
	struct debug_hint hint;
	uint64_t work, one, all;

	(void)state;
	write_file("prog.c", program);
	run("cc -o prog prog.c");
	work = offset_of("prog", "work");
	symbols = opened("prog", NULL);
	expect(symbols, work, "work", work);
	one = symbols_bytes(symbols);
	assert_int_not_equal(one, 0);
	for (uint32_t i = 0; i < MODULE; i++)
		assert_true(symbols_open(symbols, i, MODULE_LIBRARY,
					 open_file("prog"), &hint, NULL));
	symbols_set_bound(symbols, one * 2);
	for (uint32_t i = 0; i < 3 * MODULE; i++) {
		ask_of(symbols, i % MODULE, work, "work");
		all = symbols_bytes(symbols);
		assert_true(all <= one * 3);
		expect(symbols, work, "work", work);
		if (i)
			assert_int_equal(symbols_bytes(symbols), all);
	}
	symbols_free(symbols);
}

static void
a_file_that_was_closed_may_be_opened_again(void **state)
{
	struct symbols *symbols;
	struct debug_hint hint;
	uint64_t work;

	(void)state;
	write_file("prog.c", program);
	run("cc -o prog prog.c");
	work = offset_of("prog", "work");
	symbols = opened("prog", NULL);
	expect(symbols, work, "work", work);
	symbols_close(symbols, MODULE);
	symbols_close(symbols, MODULE + 100);
	assert_int_equal(symbols_bytes(symbols), 0);
	expect(symbols, work, NULL, 0);
	assert_true(symbols_open(symbols, MODULE, MODULE_PROGRAM,
				 open_file("prog"), &hint, NULL));
	expect(symbols, work, "work", work);
	symbols_free(symbols);
}

static void
a_file_that_changes_is_not_believed(void **state)
{
	struct symbols *symbols;

	(void)state;
	write_file("prog.c", program);
	run("cc -o prog prog.c");
	symbols = opened("prog", NULL);
	run("cp prog copy && sleep 0.02 && cat copy > prog");
	expect(symbols, offset_of("prog", "work"), NULL, 0);
	assert_non_null(strstr(symbols_trouble(symbols, MODULE), "changed"));
	symbols_free(symbols);
}

/* The table is a hole of zeroes: large, and quick to make. */
static void
a_symbol_table_beyond_the_bound_is_trouble(void **state)
{
	uint64_t size = ((uint64_t)9 << 20) * sizeof(Elf64_Sym), at;
	struct symbols *symbols;
	struct error err;
	struct elf *elf;
	int fd;

	(void)state;
	write_file("prog.c", program);
	run("cc -o prog prog.c");
	at = offset_of("prog", "work");
	assert_true(elf_open(open_file("prog"), &elf, &err));
	fd = open("prog", O_WRONLY);
	assert_int_equal(pwrite(fd, &size, sizeof(size),
				(off_t)(elf->header.e_shoff +
					(uint64_t)(elf_find(elf, ".symtab") -
						   elf->sections) *
						sizeof(Elf64_Shdr) +
					offsetof(Elf64_Shdr, sh_size))),
			 sizeof(size));
	assert_int_equal(ftruncate(fd, (off_t)(2 * size)), 0);
	close(fd);
	elf_free(elf);
	symbols = opened("prog", NULL);
	expect(symbols, at, "", at);
	assert_non_null(strstr(symbols_trouble(symbols, MODULE), "too many"));
	symbols_free(symbols);
}

static void
expect_refusal(const char *file, const char *why)
{
	struct symbols *symbols = symbols_new();
	struct debug_hint hint;
	struct error err;

	assert_false(symbols_open(symbols, MODULE, MODULE_LIBRARY,
				  open_file(file), &hint, &err));
	if (!strstr(err.text, why))
		fail_msg("'%s' instead of '%s'", err.text, why);
	expect(symbols, 0x1000, NULL, 0);
	symbols_free(symbols);
}

static void
what_is_no_file_for_us_is_refused(void **state)
{
	(void)state;
	write_file("empty", "");
	expect_refusal("empty", "not an ELF file");
	write_file("text", "#!/bin/sh\necho this is a script, long enough\n");
	expect_refusal("text", "not an ELF file");
	expect_refusal("/dev/null", "not a regular file");
	expect_refusal("/", "not a regular file");
	write_file("prog.c", program);
	run("cc -o prog prog.c && head -c 40 prog > cut && "
	    "cp prog small && printf '\\001' | "
	    "dd of=small bs=1 seek=4 conv=notrunc && "
	    "cp prog big && printf '\\002' | "
	    "dd of=big bs=1 seek=5 conv=notrunc");
	expect_refusal("cut", "cut short");
	expect_refusal("small", "32-bit");
	expect_refusal("big", "big-endian");
}

static void
an_unknown_module_has_no_answers(void **state)
{
	struct symbols *symbols = symbols_new();
	struct debug_hint hint;
	struct error err;

	(void)state;
	write_file("empty", "");
	expect(symbols, 0, NULL, 0);
	assert_int_equal(line_of(symbols, 0), 0);
	assert_null(symbols_trouble(symbols, UINT32_MAX));
	assert_false(symbols_add_debug(symbols, 3, open_file("empty"),
				       &hint, &err));
	assert_false(symbols_open(symbols, UINT32_MAX, MODULE_LIBRARY,
				  open_file("empty"), &hint, &err));
	symbols_free(symbols);
}

static void
ignore_places(void *ctx, uint64_t offset, const struct symbol_place *places,
	      size_t n)
{
	(void)ctx;
	(void)offset;
	(void)places;
	(void)n;
}

static void
ask_everything(const char *file)
{
	struct symbols *symbols = symbols_new();
	uint64_t offsets[] = { 0, 0x1000, 0x1020, 0x1040, 0x1100, 0x1139,
			       0x1150, 0x2000, UINT64_MAX };
	struct answer answer = { 0 };
	struct debug_hint hint;

	if (symbols_open(symbols, MODULE, MODULE_LIBRARY, open_file(file),
			 &hint, NULL)) {
		symbols_add_debug(symbols, MODULE, open_file(file), &hint,
				  NULL);
		symbols_resolve(symbols, MODULE, offsets, ARRAY_LEN(offsets),
				keep, &answer);
		symbols_places(symbols, MODULE, offsets, ARRAY_LEN(offsets),
			       true, ignore_places, NULL);
	}
	symbols_free(symbols);
}

/* Headers and tables of a file with a byte changed, and of a cut one. */
static void
damaged_files_do_no_harm(void **state)
{
	static uint8_t sound[1 << 20];
	size_t size;
	FILE *in;

	(void)state;
	write_file("prog.c", program);
	run("cc -g -o prog prog.c");
	in = fopen("prog", "r");
	size = fread(sound, 1, sizeof(sound), in);
	fclose(in);
	srandom(3);
	for (int round = 0; round < 600; round++) {
		/* The header, the section table, or anywhere. */
		size_t from = round % 3 == 1 ? size - 2400 : 0;
		size_t span = round % 3 == 0 ? 1024 : size - from;
		size_t at = from + (size_t)random() % span;
		size_t len = round % 8 ? size : (size_t)random() % size;
		uint8_t old = sound[at];
		FILE *out = fopen("damaged", "w");

		sound[at] ^= (uint8_t)(1 << random() % 8);
		fwrite(sound, 1, len, out);
		fclose(out);
		sound[at] = old;
		ask_everything("damaged");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			answers_of_many_files_take_no_more_than_the_bound),
		cmocka_unit_test(a_file_that_was_closed_may_be_opened_again),
		cmocka_unit_test(a_file_that_changes_is_not_believed),
		cmocka_unit_test(a_symbol_table_beyond_the_bound_is_trouble),
		cmocka_unit_test(what_is_no_file_for_us_is_refused),
		cmocka_unit_test(an_unknown_module_has_no_answers),
		cmocka_unit_test(damaged_files_do_no_harm),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
