/* SPDX-License-Identifier: MIT */
/*
 * symtab_test.c - which symbol names which byte, on files made for it.
 */
#include "symbols/symtab.h"

#include <string.h>

#include "symbols/fde.h"

#include "tests/unit/built.h"

struct file {
	struct elf *elf;
	struct ranges *entries, *functions;
};

static struct file
opened(const char *name)
{
	struct file file;
	struct error err = { 0 };

	if (!elf_open(open_file(name), &file.elf, &err))
		fail_msg("%s", err.text);
	file.entries = fde_ranges(file.elf);
	file.functions = symtab_ranges(file.elf, NULL, file.entries, &err);
	assert_string_equal(err.text, "");
	return file;
}

static void
finish(struct file *file)
{
	elf_free(file->elf);
	ranges_free(file->entries);
	ranges_free(file->functions);
}

/* Code of the file is linked at 0x1000. */
static struct file
assembled(const char *source)
{
	write_file("code.s", source);
	run("cc -nostdlib -no-pie -Wl,-Ttext=0x1000,--build-id=none "
	    "-Wl,-e,0 -o code code.s");
	return opened("code");
}

static void
expect(const struct file *file, uint64_t addr, const char *name)
{
	uint64_t start;
	const char *found = ranges_find(file->functions, addr, &start);

	if (!name) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, name);
}

#define FUNCTION(name, size)						\
	".type " #name ",@function\n" #name ": .fill " #size "\n"	\
	".size " #name "," #size "\n"

static void
of_aliases_the_one_people_say_wins(void **state)
{
	struct file file = assembled(
		".globl __write, write, __libc_write, zrite\n"
		".type __write,@function\n.type write,@function\n"
		".type zrite,@function\n.type __libc_write,@function\n"
		"__write: write: __libc_write: zrite: .fill 16\n"
		".size __write,16\n.size write,16\n.size zrite,16\n"
		".size __libc_write,16\n");

	(void)state;
	expect(&file, 0x1008, "write");
	finish(&file);
}

static void
global_beats_weak_beats_local(void **state)
{
	struct file file = assembled(
		".globl __strong\n.weak weak, wk\n"
		".type __strong,@function\n.type weak,@function\n"
		".type a,@function\n.type wk,@function\n.type b,@function\n"
		"a: weak: __strong: .fill 16\n"
		".size a,16\n.size weak,16\n.size __strong,16\n"
		"b: wk: .fill 16\n.size b,16\n.size wk,16\n");

	(void)state;
	expect(&file, 0x1000, "__strong");
	expect(&file, 0x1010, "wk");
	finish(&file);
}

static void
a_label_inside_a_function_names_nothing(void **state)
{
	struct file file = assembled(
		".type outer,@function\nouter: .fill 16\nlabel: .fill 16\n"
		".globl global_label\nglobal_label: .fill 16\n"
		".size outer,48\n");

	(void)state;
	expect(&file, 0x1000, "outer");
	expect(&file, 0x1018, "outer");
	expect(&file, 0x1028, "outer");
	finish(&file);
}

static void
a_function_inside_another_is_named(void **state)
{
	struct file file = assembled(
		".type outer,@function\nouter: .fill 16\n"
		FUNCTION(inner, 16) ".fill 16\n.size outer,48\n");
	uint64_t start;

	(void)state;
	expect(&file, 0x100f, "outer");
	expect(&file, 0x1010, "inner");
	expect(&file, 0x1020, "outer");
	ranges_find(file.functions, 0x1020, &start);
	assert_int_equal(start, 0x1000);
	finish(&file);
}

static void
a_gap_stays_nameless(void **state)
{
	struct file file = assembled(FUNCTION(first, 1) ".fill 31\n"
				     FUNCTION(second, 16));

	(void)state;
	expect(&file, 0x1000, "first");
	expect(&file, 0x1001, NULL);
	expect(&file, 0x101f, NULL);
	expect(&file, 0x1020, "second");
	expect(&file, 0x1030, NULL);
	finish(&file);
}

static void
assembler_code_without_size_is_named_up_to_the_next(void **state)
{
	struct file file = assembled(
		FUNCTION(sized, 16)
		".globl bare\nbare: .fill 32\n"
		".type typed,@function\ntyped: .fill 16\n"
		FUNCTION(last, 16)
		".section .other,\"ax\"\n.fill 16\n");

	(void)state;
	expect(&file, 0x1010, "bare");
	expect(&file, 0x102f, "bare");
	expect(&file, 0x1030, "typed");
	expect(&file, 0x1040, "last");
	finish(&file);
}

/* The section ends inside what would be open. */
static void
assembler_code_does_not_reach_into_the_next_section(void **state)
{
	struct file file = assembled(
		".globl bare\nbare: .fill 16\n"
		".section .other,\"ax\"\n.fill 16\n" FUNCTION(far, 16));
	const Elf64_Shdr *other = elf_find(file.elf, ".other");

	(void)state;
	expect(&file, 0x100f, "bare");
	expect(&file, other->sh_addr, NULL);
	expect(&file, other->sh_addr + 16, "far");
	finish(&file);
}

/* An unwind entry marks a function whose name was stripped. */
static void
assembler_code_does_not_reach_over_an_unwind_entry(void **state)
{
	struct file file = assembled(
		".globl bare\nbare: .fill 16\n"
		".cfi_startproc\n.fill 16\n.cfi_endproc\n"
		".fill 16\n" FUNCTION(last, 16)
		".globl own\nown: .cfi_startproc\n.fill 8\n.cfi_endproc\n"
		".fill 8\n");

	(void)state;
	expect(&file, 0x100f, "bare");
	expect(&file, 0x1010, NULL);
	expect(&file, 0x1020, NULL);
	expect(&file, 0x1030, "last");
	expect(&file, 0x1047, "own");
	expect(&file, 0x1048, NULL);
	finish(&file);
}

static void
markers_and_data_never_name_code(void **state)
{
	struct file file = assembled(
		".globl \"go:textfipsend\", \"runtime.text\", object\n"
		".type \"go:textfipsend\",@function\n"
		".type \"$x\",@function\n"
		".type object,@object\n"
		".set absolute,0x1000\n"
		"\"go:textfipsend\": \"runtime.text\": object: \"$x\":"
		"\"$d.1\": .fill 16\n"
		".size object,16\n.size \"go:textfipsend\",1\n"
		FUNCTION(real, 16));

	(void)state;
	expect(&file, 0x1000, NULL);
	expect(&file, 0x1008, NULL);
	expect(&file, 0x1010, "real");
	finish(&file);
}

static void
a_hidden_function_is_named_like_any_local(void **state)
{
	struct file file = assembled(".globl hidden\n.hidden hidden\n"
				     FUNCTION(hidden, 16)
				     ".type other,@function\nother: .fill 4\n"
				     ".size other,0x7fffffffffffffff\n");

	(void)state;
	expect(&file, 0x1000, "hidden");
	expect(&file, 0x1010, "other");
	expect(&file, 0x1014, NULL);
	finish(&file);
}

static void
an_ifunc_is_a_function(void **state)
{
	struct file file = assembled(
		".globl pick\n.type pick,@gnu_indirect_function\n"
		"pick: .fill 16\n.size pick,16\n");

	(void)state;
	expect(&file, 0x1008, "pick");
	finish(&file);
}

/* What is stripped leaves its neighbour in .dynsym, perhaps without size. */
static void
a_stripped_file_has_its_exports_and_no_more(void **state)
{
	struct file file;
	const Elf64_Shdr *text;

	(void)state;
	write_file("lib.s", ".globl exported, bare\n" FUNCTION(hidden, 16)
		   FUNCTION(exported, 16) ".type bare,@function\n"
		   "bare: .fill 16\n" FUNCTION(secret, 16));
	run("cc -nostdlib -shared -o lib.so lib.s");
	file = opened("lib.so");
	text = elf_find(file.elf, ".text");
	expect(&file, text->sh_addr, "hidden");
	expect(&file, text->sh_addr + 32, "bare");
	finish(&file);
	run("strip lib.so");
	file = opened("lib.so");
	text = elf_find(file.elf, ".text");
	expect(&file, text->sh_addr, NULL);
	expect(&file, text->sh_addr + 16, "exported");
	expect(&file, text->sh_addr + 32, NULL);
	expect(&file, text->sh_addr + 48, NULL);
	finish(&file);
}

static void
exports_that_the_symbol_table_lacks_are_added(void **state)
{
	struct file file;
	const Elf64_Shdr *text;

	(void)state;
	write_file("part.s", ".globl a, b\n" FUNCTION(a, 16) FUNCTION(b, 16)
		   FUNCTION(c, 16));
	run("cc -nostdlib -shared -o part.so part.s && "
	    "objcopy -N a part.so");
	file = opened("part.so");
	text = elf_find(file.elf, ".text");
	expect(&file, text->sh_addr, "a");
	expect(&file, text->sh_addr + 16, "b");
	expect(&file, text->sh_addr + 32, "c");
	finish(&file);
}

static void
unwind_entries_bound_functions(void **state)
{
	struct file file = assembled(
		".cfi_startproc\n.fill 16\n.cfi_endproc\n.fill 16\n"
		".cfi_startproc\n.cfi_signal_frame\n.fill 32\n.cfi_endproc\n");
	uint64_t start;

	(void)state;
	assert_string_equal(ranges_find(file.entries, 0x100f, &start), "");
	assert_int_equal(start, 0x1000);
	assert_null(ranges_find(file.entries, 0x1010, &start));
	assert_non_null(ranges_find(file.entries, 0x1030, &start));
	assert_int_equal(start, 0x1020);
	assert_int_equal(ranges_next(file.entries, 0x1000), 0x1020);
	finish(&file);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_aliases_the_one_people_say_wins),
		cmocka_unit_test(global_beats_weak_beats_local),
		cmocka_unit_test(a_label_inside_a_function_names_nothing),
		cmocka_unit_test(a_function_inside_another_is_named),
		cmocka_unit_test(a_gap_stays_nameless),
		cmocka_unit_test(
			assembler_code_without_size_is_named_up_to_the_next),
		cmocka_unit_test(
			assembler_code_does_not_reach_into_the_next_section),
		cmocka_unit_test(
			assembler_code_does_not_reach_over_an_unwind_entry),
		cmocka_unit_test(markers_and_data_never_name_code),
		cmocka_unit_test(a_hidden_function_is_named_like_any_local),
		cmocka_unit_test(an_ifunc_is_a_function),
		cmocka_unit_test(a_stripped_file_has_its_exports_and_no_more),
		cmocka_unit_test(exports_that_the_symbol_table_lacks_are_added),
		cmocka_unit_test(unwind_entries_bound_functions),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
