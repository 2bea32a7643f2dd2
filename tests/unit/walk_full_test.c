/* SPDX-License-Identifier: MIT */
/* The walk by full rules: other registers, programs, other stacks. */
#include "tests/unit/walk.h"

#define REG(n, v) { .code = OP_REG, .reg = (n), .value = (v) }
#define CONST(v) { .code = OP_CONST, .value = (v) }
#define OP(name) { .code = OP_##name }
#define DEREF(n) { .code = OP_DEREF, .reg = (n) }

static int
set_up(void **state)
{
	*state = world_new(UNWIND_AUTO);
	return 0;
}

static int
tear_down(void **state)
{
	world_free(*state);
	return 0;
}

static void
add_end(struct world *w)
{
	struct full_rule end = full_of_size(8);

	end.r[X86_RIP].how = COLUMN_UNDEFINED;
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	add_full(w, 0x900, end);
}

/*
 * leaf, then one that saves rbx, then two whose CFA is rbx + 16; and again,
 * further out, with a leaf's saving in between.
 */
static void
add_rules_of_rbx(struct world *w)
{
	struct full_rule saves = full_of_size(24), of_rbx = full_of_size(0);

	saves.r[X86_RBX] = (struct column){ .how = COLUMN_AT_CFA,
					    .value = -16 };
	of_rbx.cfa = (struct column){ .how = COLUMN_REG, .reg = X86_RBX,
				      .value = 16 };
	add_rule(w, 0x100, (struct rule){ .kind = RULE_SP, .cfa = 8 });
	add_full(w, 0x100, full_of_size(8));
	add_rule(w, 0x200, (struct rule){ .kind = RULE_SP, .cfa = 24 });
	add_full(w, 0x200, saves);
	add_rule(w, 0x300, (struct rule){ .kind = RULE_REG, .reg = X86_RBX,
					  .cfa = 16 });
	add_full(w, 0x300, of_rbx);
	add_end(w);
}

static void
a_register_of_three_frames_ago_is_a_base(void **state)
{
	struct world *w = *state;

	add_rules_of_rbx(w);
	w->stack[0] = put_call(w, 0x210);
	w->stack[2] = word_at(20);		/* rbx of 0x310 */
	w->stack[3] = put_call(w, 0x310);
	w->stack[21] = put_call(w, 0x110);
	w->stack[22] = put_call(w, 0x220);
	w->stack[24] = word_at(40);		/* rbx of 0x320 */
	w->stack[25] = put_call(w, 0x320);
	w->stack[41] = put_call(w, 0x910);
	w->regs.r[X86_RBX] = word_at(60);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 7);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->pcs[1], CODE + 0x214);
	assert_int_equal(w->pcs[2], CODE + 0x314);
	assert_int_equal(w->pcs[5], CODE + 0x324);
	assert_int_equal(w->sps[3], word_at(22));
	assert_int_equal(w->sps[6], word_at(42));
}

static void
a_full_table_is_waited_for(void **state)
{
	struct world *w = *state;

	add_rules_of_rbx(w);
	w->stack[0] = put_call(w, 0x210);
	w->stack[2] = word_at(20);
	w->stack[3] = put_call(w, 0x310);
	w->stack[21] = put_call(w, 0x910);
	begin(w, 0x100, 0);
	w->full.state = ROWS_ASKED;
	walk_waiting(w, true);
	assert_int_equal(w->end, UNWIND_WAITS);
	walk_waiting(w, false);
	assert_int_not_equal(w->end, UNWIND_COMPLETE);
	w->full.state = ROWS_HERE;
	assert_int_equal(walk_waiting(w, true), 4);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

/* Nobody saved it and nobody knows it: no rule, and no walk without end. */
static void
a_register_that_is_lost_is_no_base(void **state)
{
	struct world *w = *state;
	struct full_rule loses = full_of_size(24);

	loses.r[X86_RBX].how = COLUMN_UNDEFINED;
	add_rules_of_rbx(w);
	w->full.fulls[1] = loses;
	w->stack[0] = put_call(w, 0x210);
	w->stack[3] = put_call(w, 0x310);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_NO_RULE);
}

static void
a_return_address_may_be_in_a_register(void **state)
{
	struct world *w = *state;
	struct full_rule vfork = full_of_size(0);

	vfork.r[X86_RIP] = (struct column){ .how = COLUMN_REG,
					    .reg = X86_RDI };
	add_rule(w, 0x100, (struct rule){ .kind = RULE_FULL, .cfa =
			   add_full_of(&w->compact, vfork) });
	add_end(w);
	w->regs.r[X86_RDI] = put_call(w, 0x910);
	begin(w, 0x100, 5);
	assert_int_equal(walk(w), 2);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->sps[1], word_at(5));
}

static void
a_return_address_that_is_undefined_is_the_end(void **state)
{
	struct world *w = *state;
	struct full_rule first = full_of_size(8);

	first.r[X86_RIP].how = COLUMN_UNDEFINED;
	add_rule(w, 0x100, (struct rule){ .kind = RULE_FULL, .cfa =
			   add_full_of(&w->compact, first) });
	w->stack[0] = put_call(w, 0x910);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 1);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

/*
 * OCaml 5 runs on a stack of its own. C is called on the first stack, and
 * what calls back from there has its CFA in a word of its frame; so has what
 * began the OCaml stack.
 */
static void
frames_go_to_another_stack_and_back(void **state)
{
	const struct op to_other[] = { REG(X86_RSP, 16), DEREF(8),
				       { .code = OP_ADD_CONST, .value = 8 } };
	const struct op back[] = { REG(X86_RSP, 8), DEREF(8) };
	struct world *w = *state;
	struct full_rule calls_c = full_of_size(0), began = full_of_size(0);
	struct table *table = &w->compact;

	calls_c.cfa = program_of(table, COLUMN_IS_CODE, to_other, 3);
	began.cfa = program_of(table, COLUMN_IS_CODE, back, 2);
	began.r[X86_RBP] = (struct column){ .how = COLUMN_AT_CFA,
					    .value = -16 };
	add_rule(w, 0x100, (struct rule){ .kind = RULE_SP, .cfa = 8 });
	add_rule(w, 0x200, (struct rule){ .kind = RULE_FULL,
			   .cfa = add_full_of(table, calls_c) });
	add_rule(w, 0x300, (struct rule){ .kind = RULE_FULL,
			   .cfa = add_full_of(table, began) });
	add_rule(w, 0x400, (struct rule){ .kind = RULE_BP, .cfa = 16 });
	add_end(w);
	w->stack[0] = put_call(w, 0x210);	/* C, called by OCaml */
	w->stack[3] = OTHER + 8 * 8;
	w->other[8] = put_call(w, 0x110);	/* OCaml */
	w->other[9] = put_call(w, 0x310);	/* where its stack began */
	w->other[11] = word_at(30);
	w->stack[28] = word_at(40);		/* rbp */
	w->stack[29] = put_call(w, 0x410);
	w->stack[41] = put_call(w, 0x910);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 6);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->sps[2], OTHER + 9 * 8);
	assert_int_equal(w->sps[4], word_at(30));
	assert_int_equal(w->pcs[4], CODE + 0x414);
}

/* The registers of whoever was interrupted, as libc says where they are. */
static void
a_signal_frame_may_be_a_full_rule(void **state)
{
	const struct op rip[] = { REG(X86_RSP, 16) },
			rsp[] = { REG(X86_RSP, 24), DEREF(8) };
	struct world *w = *state;
	struct table *table = &w->compact;
	struct full_rule frame = { .is_signal = 1 };

	frame.cfa = program_of(table, COLUMN_IS_CODE, rsp, 2);
	frame.r[X86_RIP] = program_of(table, COLUMN_AT_CODE, rip, 1);
	frame.r[X86_R11] = program_of(table, COLUMN_IS_CODE, rsp, 2);
	add_rule(w, 0x100, (struct rule){ .kind = RULE_FULL,
			   .cfa = add_full_of(table, frame) });
	add_rule(w, 0x200, (struct rule){ .kind = RULE_REG, .reg = X86_R11,
					  .cfa = 8 });
	add_end(w);
	w->stack[2] = CODE + 0x200;
	w->stack[3] = word_at(20);
	w->stack[20] = put_call(w, 0x910);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->pcs[1], CODE + 0x200);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

/* --- programs */

/* What OPS compute as the CFA, which is below a return address. */
static void
check_result(const struct op *ops, uint16_t n, int64_t expected)
{
	struct world *w = world_new(UNWIND_CFI);
	struct full_rule rule = full_of_size(0);

	rule.cfa = program_of(&w->compact, COLUMN_IS_CODE, ops, n);
	rule.r[X86_RIP] = (struct column){ .how = COLUMN_REG,
					   .reg = X86_RDI };
	add_rule(w, 0x100, (struct rule){ .kind = RULE_FULL, .cfa =
			   add_full_of(&w->compact, rule) });
	add_end(w);
	w->stack[4] = 0x8877665544332211;
	w->regs.r[X86_RDI] = put_call(w, 0x910);
	begin(w, 0x100, 4);
	assert_int_equal(walk(w), 2);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->sps[1], (uint64_t)expected);
	world_free(w);
}

#define CHECK(expected, ...)                                                 \
	do {                                                                 \
		const struct op ops[] = { __VA_ARGS__ };                     \
		check_result(ops, ARRAY_LEN(ops), (int64_t)(expected));      \
	} while (0)

static void
programs_compute(void **state)
{
	(void)state;
	CHECK(-5, CONST(-5));
	CHECK(STACK + 48, REG(X86_RSP, 16));
	CHECK(3, CONST(1), CONST(2), OP(ADD));
	CHECK(-1, CONST(1), CONST(2), OP(SUB));
	CHECK(-6, CONST(-3), CONST(2), OP(MUL));
	CHECK(4, CONST(6), CONST(12), OP(AND));
	CHECK(14, CONST(6), CONST(12), OP(OR));
	CHECK(10, CONST(6), CONST(12), OP(XOR));
	CHECK(5, CONST(-5), OP(ABS));
	CHECK(5, CONST(5), OP(ABS));
	CHECK(-5, CONST(5), OP(NEG));
	CHECK(-6, CONST(5), OP(NOT));
	CHECK(12, CONST(5), { .code = OP_ADD_CONST, .value = 7 });
}

static void
programs_shift(void **state)
{
	(void)state;
	CHECK(40, CONST(5), CONST(3), OP(SHL));
	CHECK(0, CONST(5), CONST(64), OP(SHL));
	CHECK(0, CONST(5), CONST(-1), OP(SHL));
	CHECK(0x1fffffffffffffff, CONST(-1), CONST(3), OP(SHR));
	CHECK(0, CONST(-1), CONST(64), OP(SHR));
	CHECK(-1, CONST(-1), CONST(3), OP(SHRA));
	CHECK(-2, CONST(-16), CONST(3), OP(SHRA));
	CHECK(-16, CONST(-16), CONST(0), OP(SHRA));
	CHECK(-1, CONST(-16), CONST(99), OP(SHRA));
	CHECK(2, CONST(16), CONST(3), OP(SHRA));
}

static void
programs_compare_with_sign(void **state)
{
	(void)state;
	CHECK(1, CONST(-1), CONST(1), OP(LT));
	CHECK(0, CONST(1), CONST(-1), OP(LT));
	CHECK(1, CONST(1), CONST(1), OP(LE));
	CHECK(1, CONST(1), CONST(-1), OP(GT));
	CHECK(0, CONST(-1), CONST(1), OP(GE));
	CHECK(1, CONST(7), CONST(7), OP(EQ));
	CHECK(0, CONST(7), CONST(7), OP(NE));
}

static void
programs_arrange_their_stack(void **state)
{
	(void)state;
	CHECK(10, CONST(5), OP(DUP), OP(ADD));
	CHECK(5, CONST(5), CONST(6), OP(DROP));
	CHECK(1, CONST(5), CONST(6), OP(SWAP), OP(SUB));
	CHECK(5, CONST(5), CONST(6), OP(OVER));
	/* 1 2 3 -> 3 1 2 */
	CHECK(2, CONST(1), CONST(2), CONST(3), OP(ROT));
	CHECK(1, CONST(1), CONST(2), CONST(3), OP(ROT), OP(DROP));
	CHECK(3, CONST(1), CONST(2), CONST(3), OP(ROT), OP(DROP), OP(DROP));
	CHECK(1, CONST(1), CONST(2), CONST(3),
	      { .code = OP_PICK, .value = 2 });
}

static void
programs_load(void **state)
{
	(void)state;
	CHECK(0x11, REG(X86_RSP, 0), DEREF(1));
	CHECK(0x2211, REG(X86_RSP, 0), DEREF(2));
	CHECK(0x44332211, REG(X86_RSP, 0), DEREF(4));
	CHECK(0x8877665544332211, REG(X86_RSP, 0), DEREF(8));
}

/* PLT: the CFA is 8 further up from the stub's eleventh byte on. */
static void
programs_do_what_linkers_write(void **state)
{
	(void)state;
	CHECK(STACK + 40, REG(X86_RSP, 8), REG(X86_RIP, 0), CONST(15),
	      OP(AND), CONST(11), OP(GE), CONST(3), OP(SHL), OP(ADD));
}

static void
a_program_that_goes_wrong_is_no_rule(void **state)
{
	const struct op bad[][2] = {
		{ OP(DROP), CONST(1) }, { CONST(1), OP(ADD) },
		{ CONST(1), OP(SWAP) }, { CONST(1), OP(DROP) },
		{ OP(DUP), CONST(1) }, { CONST(1), OP(ROT) },
		{ CONST(1), { .code = OP_PICK, .value = 1 } },
		{ CONST(1), { .code = OP_PICK, .value = -1 } },
		{ CONST(1), { .code = OP_CODES } },
		{ CONST(1), { .code = 255 } },
		{ CONST(1), { .code = OP_REG, .reg = X86_COUNT } },
		{ REG(X86_RSP, 0), DEREF(3) }, { REG(X86_RSP, 0), DEREF(0) },
		{ REG(X86_RSP, 0), DEREF(255) },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		struct world *w = world_new(UNWIND_CFI);
		struct full_rule rule = full_of_size(0);

		rule.cfa = program_of(&w->compact, COLUMN_IS_CODE, bad[i], 2);
		add_rule(w, 0x100, (struct rule){ .kind = RULE_FULL, .cfa =
				   add_full_of(&w->compact, rule) });
		begin(w, 0x100, 4);
		assert_int_equal(walk(w), 1);
		assert_int_equal(w->end, UNWIND_NO_RULE);
		world_free(w);
	}
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_register_of_three_frames_ago_is_a_base),
		TEST(a_full_table_is_waited_for),
		TEST(a_register_that_is_lost_is_no_base),
		TEST(a_return_address_may_be_in_a_register),
		TEST(a_return_address_that_is_undefined_is_the_end),
		TEST(frames_go_to_another_stack_and_back),
		TEST(a_signal_frame_may_be_a_full_rule),
		cmocka_unit_test(programs_compute),
		cmocka_unit_test(programs_shift),
		cmocka_unit_test(programs_compare_with_sign),
		cmocka_unit_test(programs_arrange_their_stack),
		cmocka_unit_test(programs_load),
		cmocka_unit_test(programs_do_what_linkers_write),
		cmocka_unit_test(a_program_that_goes_wrong_is_no_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
