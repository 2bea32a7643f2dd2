/* SPDX-License-Identifier: MIT */
#include "tests/unit/cfi_scene.h"

#include <fcntl.h>

#define PUSH_BP_AT(s, at) put_code(s, at, BYTES(0x55, 0x48, 0x89, 0xe5))

static const uint8_t sigreturn[] = {
	0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05,
};

/* Cover [AT, AT + SIZE), so that the module is not one large hole. */
static void
cover(struct scene *s, uint64_t at, uint32_t size)
{
	add(s, add_usual_cie(&s->eh), at, size, NULL, 0);
}

static void
stubs_of_a_plt_are_what_their_bytes_are(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, 0x400);
	cover(&s, 0x100, 0x300);
	put_code(&s, 0x10, BYTES(0xff, 0x35, 1, 2, 3, 4, 0xff, 0x25, 1, 2, 3,
				 4, 0x0f, 0x1f, 0x40, 0));
	put_code(&s, 0x20, BYTES(0xff, 0x25, 1, 2, 3, 4, 0x68, 0, 0, 0, 0,
				 0xe9, 1, 2, 3, 4));
	put_code(&s, 0x30, BYTES(0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0, 0, 0, 0,
				 0xf2, 0xe9, 1, 2, 3, 4, 0x90));
	put_code(&s, 0x40, BYTES(0x68, 0, 0, 0, 0, 0xf2, 0xe9, 1, 2, 3, 4));
	put_code(&s, 0x50, BYTES(0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 1,
				 2, 3, 4, 0x0f, 0x1f, 0x44, 0, 0));
	put_code(&s, 0x70, BYTES(0xff, 0x25, 1, 2, 3, 4, 0x66, 0x90));
	put_code(&s, 0x90, BYTES(0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x35, 1, 2, 3,
				 4, 0xf2, 0xff, 0x25, 1, 2, 3));
	build(&s);
	expect(&s, 0x0f, RULE_NONE, 0);
	expect(&s, 0x10, RULE_SP, 16);
	expect(&s, 0x15, RULE_SP, 16);
	expect(&s, 0x16, RULE_SP, 24);
	expect(&s, 0x20, RULE_PLT, 11);
	expect(&s, 0x2f, RULE_PLT, 11);
	expect(&s, 0x30, RULE_PLT, 9);
	expect(&s, 0x40, RULE_PLT, 5);
	expect(&s, 0x50, RULE_SP, 8);
	expect(&s, 0x60, RULE_NONE, 0);
	expect(&s, 0x70, RULE_SP, 8);
	expect(&s, 0x80, RULE_NONE, 0);
	expect(&s, 0x99, RULE_SP, 16);
	expect(&s, 0x9a, RULE_SP, 24);
	expect(&s, 0xa0, RULE_NONE, 0);
	end(&s);
}

static void
what_only_looks_like_a_stub_is_none(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, 0x400);
	cover(&s, 0x100, 0x300);
	/* Not aligned; a push that no jump follows; a push of a register. */
	put_code(&s, 0x18, BYTES(0xff, 0x25, 1, 2, 3, 4));
	put_code(&s, 0x20, BYTES(0x68, 0, 0, 0, 0, 0xe8));
	put_code(&s, 0x30, BYTES(0xff, 0x35, 1, 2, 3, 4, 0xff, 0x15));
	put_code(&s, 0x40, BYTES(0xf3, 0x0f, 0x1e, 0xfa, 0x55));
	build(&s);
	for (uint64_t at = 0; at < 0x100; at++)
		expect(&s, at, RULE_NONE, 0);
	end(&s);
}

static void
the_stub_of_sigreturn_has_the_byte_before_it(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, 0x400);
	cover(&s, 0x100, 0x100);
	cover(&s, 0x220, 0x1e0);
	put_code(&s, 0x21, sigreturn, sizeof(sigreturn));
	put_code(&s, 0x40, sigreturn, sizeof(sigreturn));
	put_code(&s, 0x180, sigreturn, sizeof(sigreturn));
	put_code(&s, 0x200, sigreturn, sizeof(sigreturn));
	build(&s);
	expect(&s, 0x1f, RULE_NONE, 0);
	expect(&s, 0x20, RULE_SIGNAL, 0);
	expect(&s, 0x29, RULE_SIGNAL, 0);
	expect(&s, 0x2a, RULE_NONE, 0);
	expect(&s, 0x3f, RULE_SIGNAL, 0);
	expect(&s, 0x49, RULE_NONE, 0);
	expect(&s, 0x180, RULE_SP, 8);	/* an entry knows better */
	expect(&s, 0x1ff, RULE_SP, 8);	/* the byte before has its rule */
	expect(&s, 0x200, RULE_SIGNAL, 0);
	expect(&s, 0x209, RULE_NONE, 0);
	end(&s);
}

static void
a_long_hole_is_of_frame_pointers_if_it_keeps_them(void **state)
{
	struct scene s;
	uint32_t i;

	(void)state;
	begin(&s, 0x100000);
	cover(&s, 0x1000, 0x3f000);
	cover(&s, 0x58000, 0x8000);
	cover(&s, 0x80000, 0x80000);
	/* 0x40000 to 0x58000 begins functions in this way, the next does not */
	for (i = 0x40000; i < 0x58000; i += 0x200)
		PUSH_BP_AT(&s, i);
	build(&s);
	expect(&s, 0, RULE_NONE, 0);
	expect(&s, 0x3ffff, RULE_SP, 8);
	expect(&s, 0x40000, RULE_FP, 0);
	expect(&s, 0x57fff, RULE_FP, 0);
	expect(&s, 0x60000, RULE_NONE, 0);
	assert_true(rows_full_at(&s.full, FAKE_TEXT + 0x40000)->is_usual_fp);
	assert_false(rows_full_at(&s.full, FAKE_TEXT + 0x60000)->is_usual_fp);
	end(&s);
}

static void
where_entries_cover_little_short_holes_keep_them_too(void **state)
{
	struct scene s;
	uint32_t i;

	(void)state;
	for (int covered = 0; covered < 2; covered++) {
		begin(&s, 0x8000);
		cover(&s, 0x1000, covered ? 0x5000 : 0x500);
		for (i = 0x6000; i < 0x8000; i += 0x100)
			PUSH_BP_AT(&s, i);
		build(&s);
		expect(&s, 0x100, covered ? RULE_NONE : RULE_FP, 0);
		expect(&s, 0x7000, covered ? RULE_NONE : RULE_FP, 0);
		end(&s);
	}
	/* As musl is: neither entries nor frame pointers. */
	begin(&s, 0x8000);
	cover(&s, 0x1000, 0x500);
	build(&s);
	expect(&s, 0x7000, RULE_NONE, 0);
	end(&s);
}

static void
stubs_are_found_across_chunks_and_in_long_holes(void **state)
{
	static const uint32_t at[] = { 0xeff8, 0x1eff0, 0x1f3f7, 0x2affb };
	struct scene s;

	(void)state;
	begin(&s, 0x50000);
	cover(&s, 0x31000, 0x1f000);
	for (size_t i = 0; i < 4; i++)
		put_code(&s, at[i], sigreturn, sizeof(sigreturn));
	put_code(&s, 0x1f000, BYTES(0xff, 0x25, 1, 2, 3, 4, 0x68, 0, 0, 0, 0,
				    0xe9));
	build(&s);
	for (size_t i = 0; i < 4; i++) {
		expect(&s, at[i] - 2, RULE_NONE, 0);
		expect(&s, at[i] - 1, RULE_SIGNAL, 0);
		expect(&s, at[i] + 8, RULE_SIGNAL, 0);
		expect(&s, at[i] + 9, RULE_NONE, 0);
	}
	expect(&s, 0x1f000, RULE_PLT, 11);
	expect(&s, 0x1f010, RULE_NONE, 0);
	end(&s);
}

/* Two pieces of code with a bias each, and entries that are in neither. */
static void
each_segment_has_its_own_bias(void **state)
{
	const struct fake_segment segments[] = {
		{ FAKE_TEXT, 0x700000, 0x100, PT_LOAD, PF_R | PF_X },
		{ FAKE_TEXT + 0x100, 0x601100, 0x100, PT_LOAD, PF_R },
		{ FAKE_TEXT + 0x200, 0x602200, 0x100, PT_LOAD, PF_R | PF_X },
	};
	struct writer eh = { 0 }, image = { 0 };
	const struct fake_section section = { ".eh_frame", &eh, EH, 0 };
	const uint8_t text[0x300] = { 0 };
	struct cfi_file *cfi;
	struct rows rows;
	struct elf *elf;
	struct error err;
	size_t cie;

	(void)state;
	cie = add_usual_cie(&eh);
	add_fde(&eh, cie, EH, 0x700010, 0x20, NULL, 0);
	add_fde(&eh, cie, EH, 0x7000f0, 0x20,
		BYTES(DW_CFA_def_cfa_offset, 16));
	add_fde(&eh, cie, EH, 0x601110, 0x20, NULL, 0);
	add_fde(&eh, cie, EH, 0x602210, 0x20,
		BYTES(DW_CFA_def_cfa_offset, 24));
	assert_true(elf_open(fake_file(segments, 3, text, sizeof(text),
				       &section, 1), &elf, &err));
	assert_true(cfi_file_open(elf, NULL, NULL, &cfi, &err));
	cfi_file_build(cfi, 0, 1, false, &image);
	assert_true(rows_open(image.bytes, image.len, &rows));
	assert_int_equal(rows_rule(&rows, 0x1010)->cfa, 8);
	assert_int_equal(rows_rule(&rows, 0x10ff)->cfa, 16);
	assert_int_equal(rows_rule(&rows, 0x1100)->kind, RULE_NONE);
	assert_int_equal(rows_rule(&rows, 0x1110)->kind, RULE_NONE);
	assert_int_equal(rows_rule(&rows, 0x1210)->cfa, 24);
	assert_int_equal(rows_rule(&rows, 0x1300)->kind, RULE_NONE);
	cfi_file_free(cfi);
	elf_free(elf);
	writer_free(&eh);
	writer_free(&image);
}

/* Code of many pages, with entries and holes across their borders. */
static void
scatter(struct scene *s)
{
	size_t cie;
	uint32_t at, size, seed = 1;

	begin(s, 0x48000);
	cie = add_usual_cie(&s->eh);
	for (at = 0x123; at < 0x40000; at += size + seed / 7 % 0x900) {
		seed = seed * 1103515245 + 12345;
		size = 1 + seed / 65536 % 0x2000;
		add(s, cie, at, size, BYTES(ADVANCE(1), DW_CFA_def_cfa_offset,
					    (uint8_t)(16 + seed % 64 * 8 % 96),
					    DW_CFA_advance_loc2, 0, 2,
					    DW_CFA_def_cfa_offset, 8));
	}
	for (at = 0x1000; at < 0x48000; at += 0x777)
		put_code(s, at, sigreturn, sizeof(sigreturn));
}

static bool
is_same_rule(const struct rows *a, const struct rows *b, uint64_t offset)
{
	return !memcmp(rows_rule(a, offset), rows_rule(b, offset),
		       sizeof(struct rule));
}

static void
a_page_on_demand_is_as_the_whole(void **state)
{
	struct scene s;

	(void)state;
	scatter(&s);
	build(&s);
	for (uint32_t page = 0; page < s.rows.header->pages; page++) {
		struct writer image = { 0 };
		struct rows rows;

		cfi_file_build(s.cfi, page, 1, false, &image);
		assert_true(rows_open(image.bytes, image.len, &rows));
		assert_int_equal(rows.header->first, page);
		assert_int_equal(rows.header->pages, 1);
		for (uint64_t i = 0; i < ROWS_PAGE; i++)
			assert_true(is_same_rule(&rows, &s.rows,
						 page * ROWS_PAGE + i));
		writer_free(&image);
	}
	end(&s);
}

static int
file_of(struct scene *s)
{
	struct elf *elf = open_elf(s);
	int fd = fcntl(elf->fd, F_DUPFD_CLOEXEC, 0);

	elf_free(elf);
	return fd;
}

static void
rows_of_a_module_are_asked_for_by_page(void **state)
{
	struct symbols *symbols = symbols_new();
	struct writer image = { 0 };
	struct debug_hint hint;
	struct error err;
	struct rows rows;
	struct scene s;

	(void)state;
	scatter(&s);
	build(&s);
	assert_false(symbols_rows(symbols, 1, 0, 0, false, &image));
	assert_true(symbols_open(symbols, 1, MODULE_LIBRARY, file_of(&s),
				 &hint, &err));
	assert_true(symbols_rows(symbols, 1, 2, 1, false, &image));
	assert_true(rows_open(image.bytes, image.len, &rows));
	assert_int_equal(rows.header->first, 2);
	assert_true(is_same_rule(&rows, &s.rows, 0x21234));
	writer_free(&image);
	assert_true(symbols_rows(symbols, 1, 99, 0, true, &image));
	assert_int_equal(image.len, s.full_image.len);
	assert_memory_equal(image.bytes, s.full_image.bytes, image.len);
	assert_false(symbols_rows(symbols, 1, 6, 1, false, &image));
	assert_false(symbols_rows(symbols, 1, UINT64_MAX, 1, false, &image));
	assert_false(symbols_rows(symbols, 1, 0, UINT64_MAX, false, &image));
	writer_free(&image);
	symbols_free(symbols);
	end(&s);
}

/* Does S, which ends here, lack rules as a module? */
static bool
lacks_rules(struct scene *s)
{
	struct symbols *symbols = symbols_new();
	struct writer image = { 0 };
	struct debug_hint hint;
	struct error err;
	bool lacks;

	assert_true(symbols_open(symbols, 1, MODULE_LIBRARY, file_of(s), &hint,
				 &err));
	assert_true(symbols_rows(symbols, 1, 0, 0, false, &image));
	lacks = symbols_lacks_rules(symbols, 1);
	writer_free(&image);
	symbols_free(symbols);
	end(s);
	return lacks;
}

static void
a_module_lacks_rules_where_much_has_no_entry(void **state)
{
	struct scene s;
	size_t cie;

	(void)state;
	begin(&s, 0x800);
	cover(&s, 0x40, 0x700);
	assert_false(lacks_rules(&s));
	begin(&s, 0x800);
	cover(&s, 0x40, 0x6f0);
	assert_true(lacks_rules(&s));
	begin(&s, 0x800);
	cie = add_cie(&s.debug, UINT32_MAX, "", NULL, 0,
		      BYTES(DW_CFA_def_cfa, 7, 8, OFFSET(16), 1));
	add_debug_fde(&s.debug, cie, TEXT + 0x40, 0x40, NULL, 0);
	assert_false(lacks_rules(&s));
}

/* mov x(%rdx),%rsp, in a function whose entry knows nothing of it. */
static void
behind_another_stack_an_entry_without_rows_is_not_believed(void **state)
{
	struct scene s;
	size_t cie;

	(void)state;
	begin(&s, 0x400);
	cie = add_usual_cie(&s.eh);
	add(&s, cie, 0x100, 0x80, NULL, 0);
	add(&s, cie, 0x180, 0x80, BYTES(ADVANCE(1), DW_CFA_def_cfa, 6, 16));
	add(&s, cie, 0x200, 0x80, NULL, 0);
	add(&s, cie, 0x280, 0x20, NULL, 0);
	put_code(&s, 0x120, BYTES(0x48, 0x8b, 0xa2, 0xa0, 0, 0, 0));
	put_code(&s, 0x1a0, BYTES(0x48, 0x8b, 0xa2, 0xa0, 0, 0, 0));
	put_code(&s, 0x220, BYTES(0x48, 0x8b, 0x9a, 0xa0, 0, 0, 0));
	put_code(&s, 0x290, BYTES(0x48, 0x8b, 0x62, 0x08));
	build(&s);
	expect(&s, 0x120, RULE_SP, 8);
	expect(&s, 0x127, RULE_NONE, 0);
	expect(&s, 0x17f, RULE_NONE, 0);
	assert_int_equal(rows_full_at(&s.full, FAKE_TEXT + 0x127)->cfa.how,
			 COLUMN_UNDEFINED);
	expect(&s, 0x1ff, RULE_BP, 16);
	expect(&s, 0x27f, RULE_SP, 8);
	expect(&s, 0x29f, RULE_SP, 8);
	end(&s);
}

/* A table of KEPT bytes of S's unwind entries, of which byte AT is VALUE. */
static void
build_damaged(const struct scene *s, size_t kept, size_t at, uint8_t value)
{
	struct scene copy = { .text_len = s->text_len, .text = s->text };

	writer_bytes(&copy.eh, s->eh.bytes, kept);
	if (at < kept)
		copy.eh.bytes[at] = value;
	build(&copy);
	copy.text = (struct writer){ 0 };
	end(&copy);
}

/* Any byte of the unwind sections may be any other, or the last one. */
static void
damaged_sections_make_a_table_all_the_same(void **state)
{
	uint32_t seed = 1;
	struct scene s;
	size_t kept;

	(void)state;
	scatter(&s);
	kept = s.eh.len < 0x400 ? s.eh.len : 0x400;
	for (size_t i = 0; i < kept; i++) {
		seed = seed * 1103515245 + 12345;
		build_damaged(&s, s.eh.len, i, (uint8_t)(seed >> 16));
		build_damaged(&s, i, i, 0);
	}
	writer_free(&s.eh);
	writer_free(&s.text);
}

static void
a_file_without_code_has_no_table(void **state)
{
	const struct fake_segment segment = { 0, 0x400000, FAKE_TEXT, PT_LOAD,
					      PF_R };
	struct cfi_file *cfi;
	struct elf *elf;
	struct error err;

	(void)state;
	assert_true(elf_open(fake_file(&segment, 1, NULL, 0, NULL, 0), &elf,
			     &err));
	assert_false(cfi_file_open(elf, NULL, NULL, &cfi, &err));
	elf_free(elf);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stubs_of_a_plt_are_what_their_bytes_are),
		cmocka_unit_test(what_only_looks_like_a_stub_is_none),
		cmocka_unit_test(the_stub_of_sigreturn_has_the_byte_before_it),
		cmocka_unit_test(
			a_long_hole_is_of_frame_pointers_if_it_keeps_them),
		cmocka_unit_test(
			where_entries_cover_little_short_holes_keep_them_too),
		cmocka_unit_test(
			stubs_are_found_across_chunks_and_in_long_holes),
		cmocka_unit_test(each_segment_has_its_own_bias),
		cmocka_unit_test(a_page_on_demand_is_as_the_whole),
		cmocka_unit_test(rows_of_a_module_are_asked_for_by_page),
		cmocka_unit_test(
			behind_another_stack_an_entry_without_rows_is_not_believed),
		cmocka_unit_test(a_module_lacks_rules_where_much_has_no_entry),
		cmocka_unit_test(damaged_sections_make_a_table_all_the_same),
		cmocka_unit_test(a_file_without_code_has_no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
