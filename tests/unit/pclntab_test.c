/* SPDX-License-Identifier: MIT */
/*
 * pclntab_test.c - symbol tables of Go, of each layout, in hand-made programs.
 */
#include "symbols/pclntab.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/built.h"
#include "tests/unit/go_program.h"

/* A program to look at, and where its code begins. */
struct go {
	struct elf *elf;
	struct pclntab *tab;
	struct go_func leaf;	/* the first function */
};

static void
build(int version, bool has_text, const char *section, const char *flags)
{
	char source[sizeof(go_program) + 256], command[256];

	snprintf(source, sizeof(source),
		 ".set VERSION, %d\n.set HAS_TEXT, %d\n"
		 ".macro place\n.section %s\n.endm\n%s", version, has_text,
		 section, go_program);
	write_file("go.s", source);
	snprintf(command, sizeof(command),
		 "gcc -nostdlib -o go %s go.s", flags);
	run(command);
}

static void
look(struct go *go)
{
	struct error err = { 0 };

	assert_true(elf_open(open_file("go"), &go->elf, &err));
	if (!pclntab_open(go->elf, &go->tab, &err))
		fail_msg("%s", err.text);
	assert_non_null(go->tab);
	assert_int_equal(pclntab_count(go->tab), 3);
	assert_true(pclntab_at(go->tab, 0, &go->leaf));
}

static void
leave(struct go *go)
{
	pclntab_free(go->tab);
	elf_free(go->elf);
}

static void
expect_line(const struct go *go, uint64_t vaddr, uint32_t wanted)
{
	const char *file;
	uint32_t line;

	assert_true(pclntab_line(go->tab, vaddr, &file, &line));
	assert_string_equal(file, "/src/main.go");
	assert_int_equal(line, wanted);
}

static void
expect_all(const struct go *go)
{
	uint64_t base = go->leaf.start - 0x10;
	struct go_func func;

	assert_string_equal(go->leaf.name, "example%2ecom/m.leaf");
	assert_int_equal(go->leaf.end, base + 0x20);
	assert_true(pclntab_find(go->tab, base + 0x25, &func));
	assert_string_equal(func.name, "main.frame");
	assert_int_equal(func.start, base + 0x20);
	assert_true(pclntab_find(go->tab, base + 0x40, &func));
	assert_string_equal(func.name, "runtime.goexit");
	assert_false(pclntab_find(go->tab, base + 0x0f, &func));
	assert_false(pclntab_find(go->tab, base + 0x44, &func));
	assert_false(pclntab_find(go->tab, UINT64_MAX, &func));
	expect_line(go, base + 0x12, 10);
	expect_line(go, base + 0x13, 11);
	expect_line(go, base + 0x20, 20);
}

static void
expect_inlined(const struct go *go)
{
	struct go_inline all[4];
	uint64_t leaf = go->leaf.start;

	assert_int_equal(pclntab_inlines(go->tab, leaf, all, 4), 1);
	assert_int_equal(pclntab_inlines(go->tab, leaf + 1, all, 4), 2);
	assert_string_equal(all[0].name, "main.tiny");
	assert_int_equal(all[0].line, 10);
	assert_string_equal(all[1].name, "example%2ecom/m.leaf");
	assert_int_equal(all[1].line, 11);
	assert_int_equal(pclntab_inlines(go->tab, leaf + 1, all, 1), 1);
	assert_string_equal(all[0].name, "example%2ecom/m.leaf");
	assert_int_equal(pclntab_inlines(go->tab, 0, all, 4), 0);
}

static void
every_layout_tells_functions_and_lines(void **state)
{
	static const int versions[] = { 2, 16, 18, 20 };
	struct go go;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(versions); i++) {
		build(versions[i], true, ".gopclntab,\"a\"", "-static");
		look(&go);
		expect_all(&go);
		if (versions[i] >= 18)
			expect_inlined(&go);
		leave(&go);
	}
}

static void
a_position_independent_program_is_relocated_first(void **state)
{
	static const int versions[] = { 2, 16, 18, 20 };
	struct go go;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(versions); i++) {
		build(versions[i], true,
		      ".data.rel.ro.gopclntab,\"aw\"", "-static-pie");
		look(&go);
		expect_all(&go);
		if (versions[i] >= 18)
			expect_inlined(&go);
		leave(&go);
	}
}

static void
where_code_begins_may_be_told_elsewhere(void **state)
{
	struct go go;

	(void)state;
	build(20, false, ".gopclntab,\"a\"", "-static");
	look(&go);
	expect_all(&go);
	leave(&go);
	build(18, false, ".data.rel.ro.gopclntab,\"aw\"", "-static-pie");
	look(&go);
	expect_all(&go);
	leave(&go);
}

/* As tools that remove section headers do. */
static void
forget_sections(void)
{
	Elf64_Ehdr header;
	FILE *file = fopen("go", "r+");

	assert_non_null(file);
	assert_int_equal(fread(&header, sizeof(header), 1, file), 1);
	header.e_shoff = 0;
	header.e_shnum = header.e_shstrndx = 0;
	rewind(file);
	assert_int_equal(fwrite(&header, sizeof(header), 1, file), 1);
	fclose(file);
}

static void
without_section_headers_the_table_is_searched_for(void **state)
{
	struct go go;

	(void)state;
	build(18, true, ".gopclntab,\"a\"", "-static");
	forget_sections();
	look(&go);
	expect_all(&go);
	expect_inlined(&go);
	leave(&go);
	build(20, false, ".data.rel.ro.gopclntab,\"aw\"", "-static-pie");
	forget_sections();
	look(&go);
	expect_all(&go);
	expect_inlined(&go);
	leave(&go);
}

static void
other_programs_have_no_table(void **state)
{
	struct error err;
	struct pclntab *tab;
	struct elf *elf;

	(void)state;
	write_file("c.c", "int main(void) { return 0; }\n");
	run("gcc -o c c.c");
	assert_true(elf_open(open_file("c"), &elf, &err));
	assert_true(pclntab_open(elf, &tab, &err));
	assert_null(tab);
	elf_free(elf);
}

/* The table as bytes, which the caller frees. */
static uint8_t *
table_bytes(size_t *len, uint64_t *vaddr)
{
	const Elf64_Shdr *section;
	struct error err;
	struct elf *elf;
	uint8_t *bytes;

	build(18, true, ".gopclntab,\"a\"", "-static");
	assert_true(elf_open(open_file("go"), &elf, &err));
	section = elf_find(elf, ".gopclntab");
	assert_non_null(section);
	assert_true(elf_load(elf, section, &bytes, &err));
	*len = section->sh_size;
	*vaddr = section->sh_addr;
	elf_free(elf);
	return bytes;
}

static void
ask_everything(const struct pclntab *tab)
{
	struct go_inline all[4];
	struct go_func func;
	const char *file;
	uint32_t line;
	int32_t depth;

	for (size_t i = 0; i < pclntab_count(tab); i++) {
		if (!pclntab_at(tab, i, &func))
			continue;
		pclntab_line(tab, func.start, &file, &line);
		pclntab_inlines(tab, func.end - 1, all, 4);
		pclntab_depth(tab, &func, func.end - 1, &depth);
	}
}

static void
a_damaged_table_is_refused_or_answers_less(void **state)
{
	struct pclntab *tab;
	struct error err;
	uint64_t vaddr;
	size_t len;
	uint8_t *bytes = table_bytes(&len, &vaddr);

	(void)state;
	for (size_t cut = 0; cut < len; cut++) {
		uint8_t *some = malloc(cut + 1);

		memcpy(some, bytes, cut);
		if (!pclntab_parse(NULL, some, cut, vaddr, 0, &tab, &err))
			continue;
		ask_everything(tab);
		pclntab_free(tab);
	}
	for (size_t at = 0; at < len; at++) {
		uint8_t *some = malloc(len + 1);

		memcpy(some, bytes, len);
		some[at] ^= 0xff;
		if (!pclntab_parse(NULL, some, len, vaddr, 0, &tab, &err))
			continue;
		ask_everything(tab);
		pclntab_free(tab);
	}
	free(bytes);
}

static void
functions_out_of_order_are_refused(void **state)
{
	struct pclntab *tab;
	struct error err;
	uint64_t vaddr;
	size_t len;
	uint8_t *bytes = table_bytes(&len, &vaddr);

	(void)state;
	bytes[72] = 0x30;		/* leaf behind frame */
	assert_false(pclntab_parse(NULL, bytes, len, vaddr, 0, &tab, &err));
	assert_non_null(strstr(err.text, "damaged"));
}

static void
values_end_with_their_function(void **state)
{
	struct pclntab *tab;
	struct pc_values v;
	struct go_func func;
	struct error err;
	uint64_t vaddr;
	size_t len;
	uint8_t *bytes = table_bytes(&len, &vaddr);

	(void)state;
	assert_true(pclntab_parse(NULL, bytes, len, vaddr, 0, &tab, &err));
	assert_true(pclntab_at(tab, 1, &func));
	pc_values_open(tab, &func, func.pcsp, &v);
	assert_true(pc_values_next(&v));
	assert_int_equal(v.value, 0);
	assert_int_equal(v.to, func.start + 4);
	assert_true(pc_values_next(&v));
	assert_int_equal(v.value, 24);
	assert_int_equal(v.to, func.start + 25);
	assert_true(pc_values_next(&v));
	assert_int_equal(v.value, 0);
	assert_int_equal(v.to, func.end);
	assert_false(pc_values_next(&v));
	pc_values_open(tab, &func, 0, &v);
	assert_false(pc_values_next(&v));
	pclntab_free(tab);
}

static void
a_path_is_shown_as_it_was_written(void **state)
{
	char name[] = "example%2ecom/m%2ev2.f", plain[] = "100%", odd[] = "%zz%2";

	(void)state;
	go_unescape(name);
	assert_string_equal(name, "example.com/m.v2.f");
	go_unescape(plain);
	assert_string_equal(plain, "100%");
	go_unescape(odd);
	assert_string_equal(odd, "%zz%2");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_layout_tells_functions_and_lines),
		cmocka_unit_test(
			a_position_independent_program_is_relocated_first),
		cmocka_unit_test(where_code_begins_may_be_told_elsewhere),
		cmocka_unit_test(
			without_section_headers_the_table_is_searched_for),
		cmocka_unit_test(other_programs_have_no_table),
		cmocka_unit_test(a_damaged_table_is_refused_or_answers_less),
		cmocka_unit_test(functions_out_of_order_are_refused),
		cmocka_unit_test(values_end_with_their_function),
		cmocka_unit_test(a_path_is_shown_as_it_was_written),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
