/* SPDX-License-Identifier: MIT */
#include "symbols/cfi_expression.h"

#include <dwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/cfi_fake.h"

static struct op ops[ROWS_OPS_MAX];
static size_t nops;

static bool
compiles(const uint8_t *bytes, size_t len)
{
	return cfi_compile(bytes, len, false, ops, &nops);
}

static bool
compiles_after_cfa(const uint8_t *bytes, size_t len)
{
	return cfi_compile(bytes, len, true, ops, &nops);
}

static void
expect(size_t i, enum op_code code, uint8_t reg, int32_t value)
{
	assert_true(i < nops);
	assert_int_equal(ops[i].code, code);
	assert_int_equal(ops[i].reg, reg);
	assert_int_equal(ops[i].value, value);
	assert_int_equal(ops[i].unused, 0);
}

static void
the_rule_of_a_plt_is_nine_operations(void **state)
{
	(void)state;
	assert_true(compiles(BYTES(DW_OP_breg7, 8, DW_OP_breg16, 0,
				   DW_OP_lit15, DW_OP_and, DW_OP_lit11,
				   DW_OP_ge, DW_OP_lit3, DW_OP_shl,
				   DW_OP_plus)));
	assert_int_equal(nops, 9);
	expect(0, OP_REG, X86_RSP, 8);
	expect(1, OP_REG, X86_RIP, 0);
	expect(2, OP_CONST, 0, 15);
	expect(3, OP_AND, 0, 0);
	expect(8, OP_ADD, 0, 0);
}

static void
constants_of_every_form_are_pushed(void **state)
{
	(void)state;
	assert_true(compiles(BYTES(
		DW_OP_lit0, DW_OP_lit31, DW_OP_const1u, 0xff, DW_OP_const1s,
		0xff, DW_OP_const2u, 0xff, 0xff, DW_OP_const2s, 0xfe, 0xff,
		DW_OP_const4u, 1, 0, 0, 0, DW_OP_const4s, 0xff, 0xff, 0xff,
		0xff, DW_OP_constu, 0x80, 0x01, DW_OP_consts, 0x7f,
		DW_OP_const8s, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff)));
	assert_int_equal(nops, 11);
	expect(0, OP_CONST, 0, 0);
	expect(1, OP_CONST, 0, 31);
	expect(2, OP_CONST, 0, 255);
	expect(3, OP_CONST, 0, -1);
	expect(4, OP_CONST, 0, 65535);
	expect(5, OP_CONST, 0, -2);
	expect(6, OP_CONST, 0, 1);
	expect(7, OP_CONST, 0, -1);
	expect(8, OP_CONST, 0, 128);
	expect(9, OP_CONST, 0, -1);
	expect(10, OP_CONST, 0, -3);
}

static void
a_large_constant_is_put_together(void **state)
{
	(void)state;
	assert_true(compiles(BYTES(DW_OP_const8u, 0x88, 0x77, 0x66, 0x55,
				   0x44, 0x33, 0x22, 0x11)));
	assert_int_equal(nops, 9);
	expect(0, OP_CONST, 0, 0x11223344);
	expect(1, OP_CONST, 0, 16);
	expect(2, OP_SHL, 0, 0);
	expect(3, OP_CONST, 0, 0x5566);
	expect(4, OP_OR, 0, 0);
	expect(7, OP_CONST, 0, 0x7788);
	assert_true(compiles(BYTES(DW_OP_const4u, 0, 0, 0, 0x80)));
	expect(0, OP_CONST, 0, 0);
	expect(3, OP_CONST, 0, 0x8000);
}

static void
registers_and_memory_are_read(void **state)
{
	(void)state;
	assert_true(compiles(BYTES(DW_OP_breg6, 0x70, DW_OP_deref,
				   DW_OP_plus_uconst, 8, DW_OP_bregx, 3, 0x18,
				   DW_OP_deref_size, 4, DW_OP_plus,
				   DW_OP_nop)));
	assert_int_equal(nops, 6);
	expect(0, OP_REG, X86_RBP, -16);
	expect(1, OP_DEREF, 8, 0);
	expect(2, OP_ADD_CONST, 0, 8);
	expect(3, OP_REG, X86_RBX, 24);
	expect(4, OP_DEREF, 4, 0);
}

static void
sums_of_constants_are_one(void **state)
{
	(void)state;
	assert_true(compiles(BYTES(DW_OP_breg7, 8, DW_OP_plus_uconst, 0x80,
				   0x01)));
	assert_int_equal(nops, 1);
	expect(0, OP_REG, X86_RSP, 136);
	assert_true(compiles(BYTES(DW_OP_breg7, 8, DW_OP_plus_uconst, 0xff,
				   0xff, 0xff, 0xff, 0x07)));
	assert_int_equal(nops, 2);
	expect(1, OP_ADD_CONST, 0, INT32_MAX);
	assert_true(compiles(BYTES(DW_OP_breg7, 8, DW_OP_plus_uconst, 0xff,
				   0xff, 0xff, 0xff, 0x0f)));
	expect(nops - 1, OP_ADD, 0, 0);
}

static void
every_plain_operation_has_its_own(void **state)
{
	static const uint8_t pairs[][2] = {
		{ DW_OP_dup, OP_DUP },	 { DW_OP_drop, OP_DROP },
		{ DW_OP_over, OP_OVER }, { DW_OP_swap, OP_SWAP },
		{ DW_OP_rot, OP_ROT },	 { DW_OP_abs, OP_ABS },
		{ DW_OP_and, OP_AND },	 { DW_OP_minus, OP_SUB },
		{ DW_OP_mul, OP_MUL },	 { DW_OP_neg, OP_NEG },
		{ DW_OP_not, OP_NOT },	 { DW_OP_or, OP_OR },
		{ DW_OP_plus, OP_ADD },	 { DW_OP_shl, OP_SHL },
		{ DW_OP_shr, OP_SHR },	 { DW_OP_shra, OP_SHRA },
		{ DW_OP_xor, OP_XOR },	 { DW_OP_eq, OP_EQ },
		{ DW_OP_ge, OP_GE },	 { DW_OP_gt, OP_GT },
		{ DW_OP_le, OP_LE },	 { DW_OP_lt, OP_LT },
		{ DW_OP_ne, OP_NE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		assert_true(compiles(BYTES(DW_OP_lit1, DW_OP_lit2, DW_OP_lit3,
					   pairs[i][0])));
		expect(3, pairs[i][1], 0, 0);
	}
	assert_true(compiles(BYTES(DW_OP_lit1, DW_OP_lit2, DW_OP_pick, 1)));
	expect(2, OP_PICK, 0, 1);
}

static void
what_cannot_be_said_is_refused(void **state)
{
	static const uint8_t codes[] = {
		DW_OP_div, DW_OP_mod, DW_OP_xderef, DW_OP_reg0, DW_OP_reg16,
		DW_OP_call_frame_cfa, DW_OP_stack_value, DW_OP_fbreg, 0x00,
		0xff, DW_OP_push_object_address, DW_OP_form_tls_address,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(codes); i++)
		assert_false(compiles(BYTES(DW_OP_lit1, DW_OP_lit2, codes[i],
					    0, 0)));
	assert_false(compiles(BYTES(DW_OP_lit1, DW_OP_skip, 0, 0)));
	assert_false(compiles(BYTES(DW_OP_lit1, DW_OP_lit1, DW_OP_bra, 0,
				    0)));
	assert_false(compiles(BYTES(DW_OP_addr, 0, 0, 0, 0, 0, 0, 0, 0)));
	assert_false(compiles(BYTES(DW_OP_breg17, 0)));
	assert_false(compiles(BYTES(DW_OP_bregx, 17, 0)));
	assert_false(compiles(BYTES(DW_OP_lit1, DW_OP_deref_size, 3)));
	assert_false(compiles(BYTES(DW_OP_breg7, 0xff, 0xff, 0xff, 0xff,
				    0x0f)));
}

static void
a_stack_that_runs_empty_is_refused(void **state)
{
	(void)state;
	assert_false(compiles(NULL, 0));
	assert_true(compiles_after_cfa(NULL, 0));
	assert_false(compiles(BYTES(DW_OP_deref)));
	assert_true(compiles_after_cfa(BYTES(DW_OP_deref)));
	assert_false(compiles(BYTES(DW_OP_lit1, DW_OP_plus)));
	assert_true(compiles_after_cfa(BYTES(DW_OP_lit1, DW_OP_plus)));
	assert_false(compiles(BYTES(DW_OP_lit1, DW_OP_drop)));
	assert_false(compiles(BYTES(DW_OP_lit1, DW_OP_pick, 1)));
	assert_false(compiles(BYTES(DW_OP_lit1, DW_OP_lit1, DW_OP_rot)));
	assert_false(compiles(BYTES(DW_OP_plus_uconst, 8)));
}

static void
a_program_has_at_most_32_operations(void **state)
{
	uint8_t bytes[ROWS_OPS_MAX + 1];

	(void)state;
	memset(bytes, DW_OP_lit1, sizeof(bytes));
	assert_true(compiles(bytes, ROWS_OPS_MAX));
	assert_false(compiles(bytes, ROWS_OPS_MAX + 1));
}

static void
a_cut_operand_is_refused(void **state)
{
	static const uint8_t whole[] = {
		DW_OP_lit1, DW_OP_breg7, 0x88, 0x01, DW_OP_const8u, 1, 2, 3,
		4, 5, 6, 7, 8,
	};
	size_t accepted = 0;

	(void)state;
	for (size_t len = 0; len <= sizeof(whole); len++)
		accepted += compiles(whole, len);
	assert_int_equal(accepted, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_of_a_plt_is_nine_operations),
		cmocka_unit_test(constants_of_every_form_are_pushed),
		cmocka_unit_test(a_large_constant_is_put_together),
		cmocka_unit_test(registers_and_memory_are_read),
		cmocka_unit_test(sums_of_constants_are_one),
		cmocka_unit_test(every_plain_operation_has_its_own),
		cmocka_unit_test(what_cannot_be_said_is_refused),
		cmocka_unit_test(a_stack_that_runs_empty_is_refused),
		cmocka_unit_test(a_program_has_at_most_32_operations),
		cmocka_unit_test(a_cut_operand_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
