/* SPDX-License-Identifier: MIT */
#include "symbols/cfi_program.h"

#include "symbols/cfi_entry.h"
#include "tests/unit/cfi_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define VADDR 0x5000		/* of the section */
#define START 0x1000		/* of the function */

/* One function of 64 bytes, run up to some row. */
struct scene {
	struct writer bytes;
	struct cfi_section section;
	struct cfi_cies cies;
	struct cfi_fde fde;
	struct cfi_run run;
};

static void
begin(struct scene *s, size_t cie, const uint8_t *instructions, size_t len)
{
	size_t at = add_fde(&s->bytes, cie, VADDR, START, 64, instructions,
			    len);

	s->section = (struct cfi_section){ .bytes = s->bytes.bytes,
					   .len = s->bytes.len,
					   .vaddr = VADDR };
	assert_true(cfi_read_fde(&s->section, &s->cies, at, &s->fde));
	cfi_run_begin(&s->run, &s->fde);
}

/* Rows of a function that the usual CIE begins. */
static void
run_usual(struct scene *s, const uint8_t *instructions, size_t len)
{
	*s = (struct scene){ 0 };
	begin(s, add_usual_cie(&s->bytes), instructions, len);
}

static void
end(struct scene *s)
{
	writer_free(&s->bytes);
}

static void
expect_row(struct scene *s, uint64_t from, uint64_t to)
{
	assert_true(cfi_run_next(&s->run));
	assert_int_equal(s->run.from, START + from);
	assert_int_equal(s->run.to, START + to);
}

static void
expect_column(const struct column *column, enum column_how how, uint8_t reg,
	      int32_t value)
{
	assert_int_equal(column->how, how);
	assert_int_equal(column->reg, reg);
	assert_int_equal(column->value, value);
}

static void
expect_cfa(struct scene *s, uint8_t reg, int32_t offset)
{
	expect_column(&s->run.row.cfa, COLUMN_REG, reg, offset);
}

static void
expect_end(struct scene *s)
{
	assert_false(cfi_run_next(&s->run));
	assert_false(s->run.is_bad);
	end(s);
}

/* The row of a function that has these instructions only. */
static void
run_one_row(struct scene *s, const uint8_t *instructions, size_t len)
{
	run_usual(s, instructions, len);
	expect_row(s, 0, 64);
}

static void
a_function_without_instructions_is_one_row(void **state)
{
	struct scene s;

	(void)state;
	run_one_row(&s, NULL, 0);
	expect_cfa(&s, X86_RSP, 8);
	expect_column(&s.run.row.r[X86_RIP], COLUMN_AT_CFA, 0, -8);
	expect_column(&s.run.row.r[X86_RSP], COLUMN_IS_CFA, 0, 0);
	expect_column(&s.run.row.r[X86_RBX], COLUMN_SAME, 0, 0);
	expect_column(&s.run.row.r[X86_RAX], COLUMN_UNDEFINED, 0, 0);
	assert_false(s.run.row.is_signal);
	expect_end(&s);
}

static void
a_prologue_and_an_epilogue_are_rows(void **state)
{
	struct scene s;

	(void)state;
	run_usual(&s, BYTES(ADVANCE(1), DW_CFA_def_cfa_offset, 16, OFFSET(6),
			    2, ADVANCE(3), DW_CFA_def_cfa_register, 6,
			    DW_CFA_remember_state, ADVANCE(20),
			    DW_CFA_def_cfa, 7, 8, RESTORE(6), ADVANCE(1),
			    DW_CFA_restore_state));
	expect_row(&s, 0, 1);
	expect_row(&s, 1, 4);
	expect_cfa(&s, X86_RSP, 16);
	expect_column(&s.run.row.r[X86_RBP], COLUMN_AT_CFA, 0, -16);
	expect_row(&s, 4, 24);
	expect_cfa(&s, X86_RBP, 16);
	expect_row(&s, 24, 25);
	expect_cfa(&s, X86_RSP, 8);
	expect_column(&s.run.row.r[X86_RBP], COLUMN_SAME, 0, 0);
	expect_row(&s, 25, 64);
	expect_cfa(&s, X86_RBP, 16);
	expect_column(&s.run.row.r[X86_RBP], COLUMN_AT_CFA, 0, -16);
	expect_end(&s);
}

static void
every_way_to_advance_is_known(void **state)
{
	struct scene s;

	(void)state;
	run_usual(&s, BYTES(DW_CFA_advance_loc1, 1, DW_CFA_advance_loc2, 2, 0,
			    DW_CFA_advance_loc4, 3, 0, 0, 0,
			    DW_CFA_MIPS_advance_loc8, 4, 0, 0, 0, 0, 0, 0, 0,
			    DW_CFA_advance_loc1, 0, ADVANCE(63)));
	expect_row(&s, 0, 1);
	expect_row(&s, 1, 3);
	expect_row(&s, 3, 6);
	expect_row(&s, 6, 10);
	expect_row(&s, 10, 64);
	expect_end(&s);
	run_usual(&s, BYTES(DW_CFA_MIPS_advance_loc8, 255, 255, 255, 255, 255,
			    255, 255, 255, DW_CFA_advance_loc1, 1));
	expect_row(&s, 0, 64);
	expect_end(&s);
}

static void
a_location_may_be_set_forward_only(void **state)
{
	const uint64_t to = START + 16;
	uint8_t code[] = { DW_CFA_set_loc, 0, 0, 0, 0 };
	struct scene s;
	uint32_t distance;

	(void)state;
	run_usual(&s, code, sizeof(code));
	/* Relative to where it stands, as the CIE says. */
	distance = (uint32_t)(to - (VADDR + (uint64_t)(
			s.fde.instructions.at + 1 - s.section.bytes)));
	memcpy((uint8_t *)(uintptr_t)s.fde.instructions.at + 1, &distance, 4);
	cfi_run_begin(&s.run, &s.fde);
	expect_row(&s, 0, 16);
	expect_row(&s, 16, 64);
	distance -= 17;
	memcpy((uint8_t *)(uintptr_t)s.fde.instructions.at + 1, &distance, 4);
	cfi_run_begin(&s.run, &s.fde);
	assert_false(cfi_run_next(&s.run));
	assert_true(s.run.is_bad);
	end(&s);
}

static void
every_way_to_say_the_cfa_is_known(void **state)
{
	struct scene s;

	(void)state;
	run_one_row(&s, BYTES(DW_CFA_def_cfa, 3, 0x80, 0x01));
	expect_cfa(&s, X86_RBX, 128);
	expect_end(&s);
	run_one_row(&s, BYTES(DW_CFA_def_cfa_sf, 6, 0x7e));
	expect_cfa(&s, X86_RBP, 16);
	expect_end(&s);
	run_one_row(&s, BYTES(DW_CFA_def_cfa_offset_sf, 0x7d));
	expect_cfa(&s, X86_RSP, 24);
	expect_end(&s);
	run_one_row(&s, BYTES(DW_CFA_def_cfa_register, 10));
	expect_cfa(&s, X86_R10, 8);
	expect_end(&s);
	run_one_row(&s, BYTES(DW_CFA_def_cfa_expression, 2, DW_OP_breg7, 8));
	assert_int_equal(s.run.row.cfa.how, COLUMN_IS_CODE);
	assert_int_equal(s.run.row.cfa.ops, 2);
	assert_int_equal(s.section.bytes[s.run.row.cfa.value], DW_OP_breg7);
	expect_end(&s);
}

static void
every_way_to_say_a_register_is_known(void **state)
{
	const struct column *r;
	struct scene s;

	(void)state;
	run_one_row(&s, BYTES(OFFSET(3), 3, DW_CFA_offset_extended, 12, 4,
			      DW_CFA_offset_extended_sf, 13, 0x7f,
			      DW_CFA_GNU_negative_offset_extended, 14, 2,
			      DW_CFA_val_offset, 15, 1, DW_CFA_val_offset_sf,
			      0, 0x7f, DW_CFA_register, 16, 5,
			      DW_CFA_undefined, 6, DW_CFA_same_value, 1,
			      DW_CFA_expression, 2, 2, DW_OP_breg6, 0,
			      DW_CFA_val_expression, 4, 1, DW_OP_nop,
			      DW_CFA_GNU_args_size, 16));
	r = s.run.row.r;
	expect_column(&r[X86_RBX], COLUMN_AT_CFA, 0, -24);
	expect_column(&r[X86_R12], COLUMN_AT_CFA, 0, -32);
	expect_column(&r[X86_R13], COLUMN_AT_CFA, 0, 8);
	expect_column(&r[X86_R14], COLUMN_AT_CFA, 0, 16);
	expect_column(&r[X86_R15], COLUMN_IS_CFA, 0, -8);
	expect_column(&r[X86_RAX], COLUMN_IS_CFA, 0, 8);
	expect_column(&r[X86_RIP], COLUMN_REG, X86_RDI, 0);
	expect_column(&r[X86_RBP], COLUMN_UNDEFINED, 0, 0);
	expect_column(&r[X86_RDX], COLUMN_SAME, 0, 0);
	assert_int_equal(r[X86_RCX].how, COLUMN_AT_CODE);
	assert_int_equal(r[X86_RCX].ops, 2);
	assert_int_equal(r[X86_RSI].how, COLUMN_IS_CODE);
	expect_end(&s);
	run_one_row(&s, BYTES(DW_CFA_undefined, 16, DW_CFA_same_value, 7,
			      OFFSET(12), 2, DW_CFA_restore_extended, 12,
			      OFFSET(33), 2, DW_CFA_register, 3, 49));
	r = s.run.row.r;
	expect_column(&r[X86_RIP], COLUMN_UNDEFINED, 0, 0);
	expect_column(&r[X86_RSP], COLUMN_REG, X86_RSP, 0);
	expect_column(&r[X86_R12], COLUMN_SAME, 0, 0);
	expect_column(&r[X86_RBX], COLUMN_UNSAID, 0, 0);
	expect_end(&s);
}

static void
an_offset_that_does_not_fit_is_not_said(void **state)
{
	struct scene s;

	(void)state;
	run_one_row(&s, BYTES(OFFSET(3), 0xff, 0xff, 0xff, 0xff, 0x0f,
			      DW_CFA_offset_extended_sf, 12, 0x80, 0x80, 0x80,
			      0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f,
			      DW_CFA_GNU_negative_offset_extended, 13, 0xff,
			      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
			      0x01, DW_CFA_def_cfa, 40, 8));
	assert_int_equal(s.run.row.r[X86_RBX].how, COLUMN_UNSAID);
	assert_int_equal(s.run.row.r[X86_R12].how, COLUMN_UNSAID);
	assert_int_equal(s.run.row.r[X86_R13].how, COLUMN_UNSAID);
	assert_int_equal(s.run.row.cfa.how, COLUMN_UNSAID);
	expect_end(&s);
	run_one_row(&s, BYTES(DW_CFA_def_cfa_offset, 0xff, 0xff, 0xff, 0xff,
			      0x0f));
	assert_int_equal(s.run.row.cfa.how, COLUMN_UNSAID);
	expect_end(&s);
}

/* Rows before a bad instruction are good. */
static void
expect_bad(const uint8_t *instructions, size_t len)
{
	struct writer w = { 0 };
	struct scene s;

	writer_u8(&w, ADVANCE(4));
	writer_bytes(&w, instructions, len);
	run_usual(&s, w.bytes, w.len);
	expect_row(&s, 0, 4);
	while (cfi_run_next(&s.run))
		;
	assert_true(s.run.is_bad);
	assert_true(s.run.from >= START + 4);
	end(&s);
	writer_free(&w);
}

static void
rows_end_at_what_is_not_understood(void **state)
{
	uint8_t remember[CFI_DEPTH + 1];

	(void)state;
	expect_bad(BYTES(0x17));
	expect_bad(BYTES(DW_CFA_GNU_window_save));
	expect_bad(BYTES(DW_CFA_restore_state));
	expect_bad(BYTES(DW_CFA_def_cfa_expression, 0, DW_CFA_def_cfa_offset,
			 8));
	expect_bad(BYTES(DW_CFA_def_cfa_expression, 0,
			 DW_CFA_def_cfa_register, 6));
	expect_bad(BYTES(DW_CFA_def_cfa_expression, 100));
	/* As long as to need no padding, which would be read as operands. */
	expect_bad(BYTES(OFFSET(3), 0x80));
	expect_bad(BYTES(DW_CFA_def_cfa_offset, 0x80));
	expect_bad(BYTES(DW_CFA_nop, DW_CFA_nop, DW_CFA_advance_loc4, 0, 0,
			 0));
	memset(remember, DW_CFA_remember_state, sizeof(remember));
	expect_bad(remember, sizeof(remember));
}

static void
a_bad_cie_makes_no_rows(void **state)
{
	struct scene s = { 0 };
	uint8_t *nops;

	(void)state;
	begin(&s, add_cie(&s.bytes, 0, "zR", BYTES(0x1b), BYTES(RESTORE(3))),
	      NULL, 0);
	assert_false(cfi_run_next(&s.run));
	assert_true(s.run.is_bad);
	end(&s);
	s = (struct scene){ 0 };
	nops = calloc(1, 5000);
	begin(&s, add_cie(&s.bytes, 0, "zR", BYTES(0x1b), nops, 5000), NULL,
	      0);
	assert_false(cfi_run_next(&s.run));
	assert_true(s.run.is_bad);
	end(&s);
	free(nops);
}

static void
a_return_address_that_nobody_gives_is_not_said(void **state)
{
	struct scene s = { 0 };

	(void)state;
	begin(&s, add_cie(&s.bytes, 0, "zRS", BYTES(0x1b),
			  BYTES(DW_CFA_def_cfa, 7, 8)), NULL, 0);
	expect_row(&s, 0, 64);
	assert_int_equal(s.run.row.r[X86_RIP].how, COLUMN_UNSAID);
	assert_true(s.run.row.is_signal);
	expect_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_without_instructions_is_one_row),
		cmocka_unit_test(a_prologue_and_an_epilogue_are_rows),
		cmocka_unit_test(every_way_to_advance_is_known),
		cmocka_unit_test(a_location_may_be_set_forward_only),
		cmocka_unit_test(every_way_to_say_the_cfa_is_known),
		cmocka_unit_test(every_way_to_say_a_register_is_known),
		cmocka_unit_test(an_offset_that_does_not_fit_is_not_said),
		cmocka_unit_test(rows_end_at_what_is_not_understood),
		cmocka_unit_test(a_bad_cie_makes_no_rows),
		cmocka_unit_test(
			a_return_address_that_nobody_gives_is_not_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
