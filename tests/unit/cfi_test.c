/* SPDX-License-Identifier: MIT */
#include "tests/unit/cfi_scene.h"

#include <zlib.h>

static void
rows_are_found_by_the_offset_in_the_file(void **state)
{
	struct scene s;
	size_t cie;

	(void)state;
	begin(&s, 0x100);
	cie = add_usual_cie(&s.eh);
	add(&s, cie, 0x40, 0x20, BYTES(ADVANCE(1), DW_CFA_def_cfa_offset, 16,
				       OFFSET(6), 2));
	add(&s, cie, 0x10, 0x30, NULL, 0);
	build(&s);
	expect(&s, 0x0f, RULE_NONE, 0);
	expect(&s, 0x10, RULE_SP, 8);
	expect(&s, 0x40, RULE_SP, 8);
	expect(&s, 0x41, RULE_SP, 16);
	assert_int_equal(rule_at(&s, 0x41)->rbp, -2);
	expect(&s, 0x5f, RULE_SP, 16);
	expect(&s, 0x60, RULE_NONE, 0);
	assert_int_equal(rows_rule(&s.rows, FAKE_TEXT + 0x100)->kind,
			 RULE_NONE);
	end(&s);
}

static void
the_odd_rules_are_recognised(void **state)
{
	struct scene s;
	const struct full_rule *full;
	size_t cie;

	(void)state;
	begin(&s, 0x200);
	cie = add_usual_cie(&s.eh);
	add(&s, cie, 0x10, 0x10, BYTES(
		DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16,
		0, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3,
		DW_OP_shl, DW_OP_plus));
	add(&s, cie, 0x20, 0x10, BYTES(
		DW_CFA_def_cfa_expression, 6, DW_OP_breg7, 0xf8, 0x00,
		DW_OP_deref, DW_OP_plus_uconst, 8));
	add(&s, cie, 0x30, 0x10, BYTES(DW_CFA_def_cfa, 3, 32));
	add(&s, cie, 0x40, 0x10, BYTES(DW_CFA_register, 16, 5));
	add(&s, cie, 0x50, 0x10, BYTES(DW_CFA_undefined, 16));
	add(&s, cie, 0x60, 0x10, BYTES(
		DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x70, DW_OP_deref,
		DW_CFA_expression, 6, 2, DW_OP_breg6, 0));
	build(&s);
	expect(&s, 0x10, RULE_PLT, 11);
	expect(&s, 0x20, RULE_DEREF, 8 << 16 | 120);
	assert_int_equal(rule_at(&s, 0x20)->reg, X86_RSP);
	expect(&s, 0x30, RULE_REG, 32);
	assert_int_equal(rule_at(&s, 0x30)->reg, X86_RBX);
	assert_int_equal(rule_at(&s, 0x40)->kind, RULE_FULL);
	full = rows_full(&s.rows, (uint64_t)rule_at(&s, 0x40)->cfa);
	assert_int_equal(full->r[X86_RIP].how, COLUMN_REG);
	assert_int_equal(full->r[X86_RIP].reg, X86_RDI);
	expect(&s, 0x50, RULE_END, 0);
	assert_int_equal(rule_at(&s, 0x60)->kind, RULE_FULL);
	full = rows_full_at(&s.full, FAKE_TEXT + 0x60);
	assert_int_equal(full->cfa.how, COLUMN_IS_CODE);
	assert_int_equal(full->r[X86_RBP].how, COLUMN_AT_CODE);
	assert_int_equal(s.full.ops[full->r[X86_RBP].value].reg, X86_RBP);
	end(&s);
}

/* As glibc describes the stub that handlers return to. */
static void
the_frame_of_a_signal_is_recognised(void **state)
{
	static const uint8_t where[][2] = {
		{ 6, 120 }, { 7, 160 }, { 16, 168 }, { 3, 128 },
	};
	struct writer code = { 0 };
	struct scene s;
	size_t cie;

	(void)state;
	writer_bytes(&code, BYTES(DW_CFA_def_cfa_expression, 4, DW_OP_breg7,
				  0xa0, 0x01, DW_OP_deref));
	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++)
		writer_bytes(&code, BYTES(DW_CFA_expression, where[i][0], 3,
					  DW_OP_breg7,
					  (uint8_t)(where[i][1] | 0x80),
					  where[i][1] >> 7));
	begin(&s, 0x100);
	cie = add_cie(&s.eh, 0, "zRS", BYTES(0x1b), NULL, 0);
	add(&s, cie, 0x1f, 10, code.bytes, code.len);
	cie = add_cie(&s.eh, 0, "zRS", BYTES(0x1b),
		      BYTES(DW_CFA_def_cfa, 7, 8, OFFSET(16), 2));
	add(&s, cie, 0x40, 16, NULL, 0);
	build(&s);
	expect(&s, 0x1f, RULE_SIGNAL, 0);
	expect(&s, 0x28, RULE_SIGNAL, 0);
	expect(&s, 0x29, RULE_NONE, 0);
	/* Another that was interrupted: no compact rule says so. */
	assert_int_equal(rule_at(&s, 0x40)->kind, RULE_FULL);
	assert_true(rows_full_at(&s.full, FAKE_TEXT + 0x40)->is_signal);
	writer_free(&code);
	end(&s);
}

/* As OCaml 5 says of what changes stacks, and as such a change looks like. */
static void
a_frame_that_was_called_is_no_signals(void **state)
{
	struct scene s;
	size_t cie;

	(void)state;
	begin(&s, 0x100);
	cie = add_cie(&s.eh, 0, "zRS", BYTES(0x1b),
		      BYTES(DW_CFA_def_cfa, 7, 8, OFFSET(16), 1));
	add(&s, cie, 0x40, 16,
	    BYTES(ADVANCE(8), DW_CFA_def_cfa_expression, 5, DW_OP_breg7, 8,
		  DW_OP_deref, DW_OP_plus_uconst, 8));
	build(&s);
	expect(&s, 0x40, RULE_SP, 8);
	assert_false(rows_full_at(&s.full, FAKE_TEXT + 0x40)->is_signal);
	assert_false(rows_full_at(&s.full, FAKE_TEXT + 0x48)->is_signal);
	end(&s);
}

static void
padding_keeps_the_rule_before_it(void **state)
{
	struct scene s;
	size_t cie;

	(void)state;
	begin(&s, 0x200);
	cie = add_usual_cie(&s.eh);
	add(&s, cie, 0x10, 0x11, NULL, 0);
	add(&s, cie, 0x30, 0x10, NULL, 0);
	add(&s, cie, 0x50, 0x11, BYTES(DW_CFA_undefined, 16));
	add(&s, cie, 0x70, 0x11, BYTES(DW_CFA_def_cfa, 3, 32));
	build(&s);
	expect(&s, 0x2f, RULE_SP, 8);	/* 15 bytes */
	expect(&s, 0x40, RULE_NONE, 0);	/* 16 bytes */
	expect(&s, 0x60, RULE_END, 0);
	expect(&s, 0x61, RULE_NONE, 0);	/* the end is one of its own code */
	expect(&s, 0x70, RULE_REG, 32);
	expect(&s, 0x81, RULE_NONE, 0);
	end(&s);
}

static void
a_short_function_that_begins_a_section_is_no_padding(void **state)
{
	struct scene s;
	uint32_t first, pages;
	size_t cie;

	(void)state;
	begin(&s, 0x200);
	cie = add_usual_cie(&s.eh);
	add(&s, cie, 0x10, 0x14, NULL, 0);
	add(&s, cie, 0x30, 0x10, NULL, 0);
	build(&s);
	expect(&s, 0x24, RULE_SP, 8);
	s.elf->sections[2].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	s.elf->sections[2].sh_offset = FAKE_TEXT + 0x28;
	s.image.len = 0;
	cfi_file_free(s.cfi);
	assert_true(cfi_file_open(s.elf, NULL, NULL, &s.cfi, NULL));
	cfi_file_pages(s.cfi, &first, &pages);
	cfi_file_build(s.cfi, first, pages, false, &s.image);
	assert_true(rows_open(s.image.bytes, s.image.len, &s.rows));
	expect(&s, 0x24, RULE_NONE, 0);
	end(&s);
}

static void
what_is_not_understood_has_no_rule_and_is_counted(void **state)
{
	struct cfi_counts counts;
	struct scene s;
	size_t cie;

	(void)state;
	begin(&s, 0x100);
	cie = add_usual_cie(&s.eh);
	add(&s, cie, 0x10, 0x10, BYTES(ADVANCE(4), 0x17));
	add(&s, cie, 0x20, 0x10, BYTES(DW_CFA_def_cfa_expression, 4,
				       DW_OP_lit1, DW_OP_skip, 0, 0));
	add(&s, cie, 0x30, 0x10, BYTES(DW_CFA_val_expression, 16, 1,
				       DW_OP_div));
	add(&s, cie, 0x40, 0x10, BYTES(DW_CFA_val_expression, 3, 1,
				       DW_OP_div));
	cie = add_cie(&s.eh, 0, "zR", BYTES(0x1b),
		      BYTES(DW_CFA_def_cfa, 7, 8));
	add(&s, cie, 0x50, 0x10, NULL, 0);
	cie = add_cie(&s.eh, 0, "zX", NULL, 0, NULL, 0);
	add(&s, cie, 0x60, 0x10, NULL, 0);
	build(&s);
	expect(&s, 0x13, RULE_SP, 8);
	expect(&s, 0x14, RULE_NONE, 0);
	expect(&s, 0x20, RULE_NONE, 0);
	expect(&s, 0x30, RULE_NONE, 0);
	expect(&s, 0x40, RULE_SP, 8);	/* rbx is lost, no more */
	assert_int_equal(rows_full_at(&s.full, FAKE_TEXT + 0x40)->r[X86_RBX]
				 .how, COLUMN_UNDEFINED);
	expect(&s, 0x50, RULE_NONE, 0);	/* no return address */
	expect(&s, 0x60, RULE_NONE, 0);
	cfi_file_counts(s.cfi, &counts);
	assert_int_equal(counts.fdes, 5);
	assert_int_equal(counts.bad_fdes, 1);
	assert_int_equal(counts.bad_programs, 2);	/* of two tables */
	assert_int_equal(counts.bad_rows, 6);
	end(&s);
}

static void
a_later_start_ends_an_earlier_function(void **state)
{
	struct scene s;
	size_t cie;

	(void)state;
	begin(&s, 0x100);
	cie = add_usual_cie(&s.eh);
	add(&s, cie, 0x10, 0x60, NULL, 0);
	add(&s, cie, 0x20, 0x08, BYTES(DW_CFA_def_cfa_offset, 24));
	add(&s, cie, 0x20, 0x10, BYTES(DW_CFA_def_cfa_offset, 16));
	build(&s);
	expect(&s, 0x1f, RULE_SP, 8);
	expect(&s, 0x20, RULE_SP, 16);	/* of two at one start, the longer */
	expect(&s, 0x2f, RULE_SP, 16);
	expect(&s, 0x30, RULE_NONE, 0);
	end(&s);
}

/* A table for ENTRIES pairs of start and FDE. */
static void
write_header(struct scene *s, uint8_t table, uint32_t count,
	     const uint64_t (*pairs)[2], size_t n)
{
	writer_bytes(&s->hdr, BYTES(1, 0x1b, 0x03, table));
	writer_u32(&s->hdr, (uint32_t)(EH - (HDR + 4)));
	writer_u32(&s->hdr, count);
	for (size_t i = 0; i < n; i++) {
		writer_u32(&s->hdr, (uint32_t)(pairs[i][0] - HDR));
		writer_u32(&s->hdr, (uint32_t)(pairs[i][1] - HDR));
	}
}

/* Three functions out of order; PAIRS get them in order. */
static void
add_three(struct scene *s, uint64_t pairs[3][2])
{
	static const uint64_t at[] = { 0x50, 0x10, 0x30 };
	static const size_t order[] = { 2, 0, 1 };
	size_t cie = add_usual_cie(&s->eh);

	for (size_t i = 0; i < 3; i++) {
		size_t fde = add(s, cie, at[i], 0x20,
				 BYTES(DW_CFA_def_cfa_offset,
				       (uint8_t)at[i]));

		pairs[order[i]][0] = TEXT + at[i];
		pairs[order[i]][1] = EH + fde;
	}
}

static bool
uses_header(struct scene *s)
{
	struct cfi_counts counts;

	build(s);
	expect(s, 0x10, RULE_SP, 0x10);
	expect(s, 0x30, RULE_SP, 0x30);
	expect(s, 0x50, RULE_SP, 0x50);
	expect(s, 0x70, RULE_NONE, 0);
	cfi_file_counts(s->cfi, &counts);
	assert_int_equal(counts.fdes, 3);
	assert_int_equal(counts.bad_fdes, 0);
	end(s);
	return counts.has_header;
}

static void
a_header_that_checks_out_gives_the_order(void **state)
{
	uint64_t pairs[3][2];
	struct scene s;

	(void)state;
	begin(&s, 0x100);
	add_three(&s, pairs);
	write_header(&s, 0x3b, 3, (void *)pairs, 3);
	assert_true(uses_header(&s));
	begin(&s, 0x100);
	add_three(&s, pairs);
	assert_false(uses_header(&s));
}

static void
a_header_that_lies_is_not_used(void **state)
{
	uint64_t pairs[3][2], other[2];
	struct scene s;

	(void)state;
	for (int lie = 0; lie < 7; lie++) {
		begin(&s, 0x100);
		add_three(&s, pairs);
		memcpy(other, pairs[1], sizeof(other));
		if (lie == 0)
			memcpy(pairs[1], pairs[2], sizeof(other));
		if (lie == 0)
			memcpy(pairs[2], other, sizeof(other));
		if (lie == 1)
			pairs[1][0]++;
		if (lie == 2)
			pairs[1][1] = EH + 0x10000;
		write_header(&s, lie == 3 ? 0x1b : 0x3b,
			     lie == 4 ? 4 : lie == 5 ? 0 : 3,
			     (void *)pairs, 3);
		if (lie == 6)
			s.hdr.bytes[0] = 2;
		assert_false(uses_header(&s));
	}
}

static void
debug_frame_fills_what_eh_frame_leaves(void **state)
{
	struct scene s;
	size_t cie;

	(void)state;
	begin(&s, 0x200);
	cie = add_usual_cie(&s.eh);
	add(&s, cie, 0x10, 0x20, NULL, 0);
	cie = add_cie(&s.debug, UINT32_MAX, "", NULL, 0,
		      BYTES(DW_CFA_def_cfa, 7, 16, OFFSET(16), 1));
	/* Covered already; behind it; up into it; thrown away by the linker */
	add_debug_fde(&s.debug, cie, TEXT + 0x20, 0x40, NULL, 0);
	add_debug_fde(&s.debug, cie, TEXT + 0x30, 0x10, NULL, 0);
	add_debug_fde(&s.debug, cie, TEXT + 0x08, 0x20, NULL, 0);
	add_debug_fde(&s.debug, cie, 0, 0x20, NULL, 0);
	build(&s);
	expect(&s, 0x08, RULE_SP, 16);
	expect(&s, 0x10, RULE_SP, 8);
	expect(&s, 0x2f, RULE_SP, 8);
	expect(&s, 0x30, RULE_SP, 16);
	expect(&s, 0x40, RULE_NONE, 0);
	end(&s);
}

static void
the_debug_file_has_a_debug_frame_too(void **state)
{
	struct scene s, debug;
	struct error err;
	size_t cie;

	(void)state;
	begin(&s, 0x100);
	begin(&debug, 0x100);
	cie = add_cie(&debug.debug, UINT32_MAX, "", NULL, 0,
		      BYTES(DW_CFA_def_cfa, 7, 16, OFFSET(16), 1));
	add_debug_fde(&debug.debug, cie, TEXT + 0x20, 0x20, NULL, 0);
	s.elf = open_elf(&s);
	debug.elf = open_elf(&debug);
	assert_true(cfi_file_open(s.elf, debug.elf, NULL, &s.cfi, &err));
	cfi_file_build(s.cfi, 0, 1, false, &s.image);
	assert_true(rows_open(s.image.bytes, s.image.len, &s.rows));
	expect(&s, 0x1f, RULE_NONE, 0);
	expect(&s, 0x20, RULE_SP, 16);
	end(&s);
	end(&debug);
}

static void
a_packed_debug_frame_is_unpacked(void **state)
{
	struct writer packed = { 0 };
	uint8_t bytes[256];
	uLongf len = sizeof(bytes);
	struct scene s;
	size_t cie;

	(void)state;
	begin(&s, 0x100);
	cie = add_cie(&s.debug, UINT32_MAX, "", NULL, 0,
		      BYTES(DW_CFA_def_cfa, 7, 16, OFFSET(16), 1));
	add_debug_fde(&s.debug, cie, TEXT + 0x20, 0x20, NULL, 0);
	assert_int_equal(compress(bytes, &len, s.debug.bytes, s.debug.len),
			 Z_OK);
	writer_u32(&packed, ELFCOMPRESS_ZLIB);
	writer_u32(&packed, 0);
	writer_u64(&packed, s.debug.len);
	writer_u64(&packed, 1);
	writer_bytes(&packed, bytes, len);
	writer_free(&s.debug);
	s.debug = packed;
	s.debug_flags = SHF_COMPRESSED;
	build(&s);
	expect(&s, 0x1f, RULE_NONE, 0);
	expect(&s, 0x20, RULE_SP, 16);
	end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_found_by_the_offset_in_the_file),
		cmocka_unit_test(the_odd_rules_are_recognised),
		cmocka_unit_test(the_frame_of_a_signal_is_recognised),
		cmocka_unit_test(a_frame_that_was_called_is_no_signals),
		cmocka_unit_test(padding_keeps_the_rule_before_it),
		cmocka_unit_test(
			a_short_function_that_begins_a_section_is_no_padding),
		cmocka_unit_test(
			what_is_not_understood_has_no_rule_and_is_counted),
		cmocka_unit_test(a_later_start_ends_an_earlier_function),
		cmocka_unit_test(a_header_that_checks_out_gives_the_order),
		cmocka_unit_test(a_header_that_lies_is_not_used),
		cmocka_unit_test(debug_frame_fills_what_eh_frame_leaves),
		cmocka_unit_test(the_debug_file_has_a_debug_frame_too),
		cmocka_unit_test(a_packed_debug_frame_is_unpacked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
