/* SPDX-License-Identifier: MIT */
/* The walk by tables of rules: what each kind of rule leads to. */
#include "tests/unit/walk.h"

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

/* Code from 0x100 calls from each of two frames; 0x900 is the first frame. */
static void
add_usual_rules(struct world *w)
{
	add_rule(w, 0x100, (struct rule){ .kind = RULE_SP, .cfa = 16 });
	add_rule(w, 0x200, (struct rule){ .kind = RULE_BP, .cfa = 16,
					  .rbp = -2 });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
}

static void
frames_go_by_rsp_and_rbp_to_the_first(void **state)
{
	struct world *w = *state;

	add_usual_rules(w);
	w->stack[1] = put_call(w, 0x210);
	w->stack[10] = 12345;			/* the first frame's rbp */
	w->stack[11] = put_call(w, 0x910);
	w->regs.r[X86_RBP] = word_at(10);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->pcs[0], CODE + 0x100);
	assert_int_equal(w->pcs[1], CODE + 0x214);
	assert_int_equal(w->pcs[2], CODE + 0x914);
	assert_int_equal(w->sps[0], word_at(0));
	assert_int_equal(w->sps[1], word_at(2));
	assert_int_equal(w->sps[2], word_at(12));
}

/* A call that ends its function has the rule of the call, not what follows. */
static void
a_return_address_is_looked_up_inside_of_the_call(void **state)
{
	struct world *w = *state;

	add_rule(w, 0x100, (struct rule){ .kind = RULE_SP, .cfa = 8 });
	add_rule(w, 0x205, (struct rule){ .kind = RULE_SP, .cfa = 800 });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	w->stack[0] = put_call(w, 0x200);
	w->stack[1] = put_call(w, 0x910);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

static void
an_address_that_no_call_left_is_looked_up_itself(void **state)
{
	struct world *w = *state;

	add_rule(w, 0x100, (struct rule){ .kind = RULE_SP, .cfa = 8 });
	add_rule(w, 0x300, (struct rule){ .kind = RULE_END });
	w->stack[0] = CODE + 0x300;
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 2);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->pcs[1], CODE + 0x300);
}

static void
a_return_address_of_zero_is_the_end(void **state)
{
	struct world *w = *state;

	add_usual_rules(w);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 1);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

static void
a_leaf_has_the_register_that_it_has_popped(void **state)
{
	struct world *w = *state;

	/* push %rbp; ...; pop %rbp; here: ret */
	add_rule(w, 0x100, (struct rule){ .kind = RULE_SP, .cfa = 8,
					  .rbp = -2 });
	add_rule(w, 0x200, (struct rule){ .kind = RULE_BP, .cfa = 16,
					  .rbp = -2 });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	w->stack[1] = 0xdead;			/* below rsp */
	w->stack[2] = put_call(w, 0x210);
	w->stack[11] = put_call(w, 0x910);
	w->regs.r[X86_RBP] = word_at(10);
	begin(w, 0x100, 2);
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

static void
a_leaf_may_have_any_base(void **state)
{
	struct world *w = *state;

	add_rule(w, 0x100, (struct rule){ .kind = RULE_REG, .reg = X86_R10,
					  .cfa = -8 });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	w->stack[38] = put_call(w, 0x910);
	w->regs.r[X86_R10] = word_at(40);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 2);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->sps[1], word_at(39));
}

/* Who is called may have changed it; what is left are guesses. */
static void
a_base_that_a_call_may_change_is_no_rule(void **state)
{
	struct world *w = *state;

	add_rule(w, 0x100, (struct rule){ .kind = RULE_SP, .cfa = 8 });
	add_rule(w, 0x200, (struct rule){ .kind = RULE_REG, .reg = X86_R10,
					  .cfa = 8 });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	w->stack[0] = put_call(w, 0x200);
	w->stack[30] = put_call(w, 0x910);
	w->regs.r[X86_R10] = word_at(30);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_GUESSED);
}

static void
a_stub_has_pushed_by_its_tenth_byte(void **state)
{
	struct world *w = *state;
	uint64_t pc;

	add_rule(w, 0x100, (struct rule){ .kind = RULE_PLT, .cfa = 11 });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	w->stack[4] = 5;
	w->stack[5] = put_call(w, 0x910);
	for (pc = 0x110; pc < 0x120; pc++) {
		begin(w, pc, pc < 0x11b ? 5 : 4);
		assert_int_equal(walk(w), 2);
		assert_int_equal(w->end, UNWIND_COMPLETE);
		assert_int_equal(w->sps[1], word_at(6));
	}
}

static void
a_frame_may_be_found_through_memory(void **state)
{
	struct world *w = *state;

	/* CFA = *(rbp - 16) + 8 */
	add_rule(w, 0x100, (struct rule){ .kind = RULE_DEREF, .reg = X86_RBP,
					  .cfa = 8 * 65536 + (65536 - 16) });
	/* CFA = *(rsp + 24) - 8 */
	add_rule(w, 0x200, (struct rule){ .kind = RULE_DEREF, .reg = X86_RSP,
					  .cfa = -8 * 65536 + 24 });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	w->regs.r[X86_RBP] = word_at(10);
	w->stack[8] = word_at(20);
	w->stack[20] = put_call(w, 0x210);
	w->stack[24] = word_at(40);
	w->stack[38] = put_call(w, 0x910);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->sps[1], word_at(21));
	assert_int_equal(w->sps[2], word_at(39));
}

/* The interrupted function's rule is the one of its pc, and all are known. */
static void
a_signal_came_on_another_stack(void **state)
{
	struct world *w = *state;
	uint64_t *saved = w->other + 10 + 5;

	add_rule(w, 0x100, (struct rule){ .kind = RULE_SP, .cfa = 8 });
	add_rule(w, 0x200, (struct rule){ .kind = RULE_SIGNAL });
	add_rule(w, 0x300, (struct rule){ .kind = RULE_SP, .cfa = 80 });
	add_rule(w, 0x310, (struct rule){ .kind = RULE_REG, .reg = X86_R11,
					  .cfa = 8 });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	w->other[9] = CODE + 0x201;
	saved[3] = word_at(50);			/* r11 */
	saved[15] = word_at(0);			/* rsp */
	saved[16] = CODE + 0x310;		/* rip */
	w->stack[50] = put_call(w, 0x910);
	begin(w, 0x100, 0);
	w->regs.r[X86_RSP] = OTHER + 9 * 8;
	assert_int_equal(walk(w), 4);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->pcs[1], CODE + 0x201);
	assert_int_equal(w->pcs[2], CODE + 0x310);
	assert_int_equal(w->sps[2], word_at(0));
	assert_int_equal(w->sps[3], word_at(51));
}

static void
a_frame_that_comes_again_ends_the_walk(void **state)
{
	struct world *w = *state;

	/* CFA = *(rsp), and there it says: here. */
	add_rule(w, 0x100, (struct rule){ .kind = RULE_DEREF, .reg = X86_RSP,
					  .cfa = 0 });
	w->stack[4] = put_call(w, 0x150);
	w->stack[5] = word_at(5);
	begin(w, 0x100, 5);
	assert_true(walk(w) < 10);
	assert_int_equal(w->end, UNWIND_STUCK);
}

static void
addresses_that_wrap_around_are_not_read(void **state)
{
	static const uint64_t bases[] = {
		0, 1, 7, 8, UINT64_MAX, UINT64_MAX - 7, UINT64_MAX - 8,
		UINT64_MAX - 15, STACK - 1, STACK - 8, STACK + 8 * STACK_WORDS,
		STACK + 8 * STACK_WORDS + 1, STACK + 8 * STACK_WORDS - 1,
	};
	struct world *w = *state;
	size_t i;

	add_rule(w, 0x100, (struct rule){ .kind = RULE_SP, .cfa = 8 });
	begin(w, 0x100, 0);
	for (i = 0; i < ARRAY_LEN(bases); i++) {
		w->regs.r[X86_RSP] = bases[i];
		assert_int_equal(walk(w), 1);
		assert_int_equal(w->end, UNWIND_CUT);
	}
}

static void
a_walk_waits_for_its_table(void **state)
{
	struct world *w = *state;

	add_usual_rules(w);
	w->stack[1] = put_call(w, 0x910);
	begin(w, 0x100, 0);
	w->compact.state = ROWS_ASKED;
	assert_int_equal(walk_waiting(w, true), 1);
	assert_int_equal(w->end, UNWIND_WAITS);
	/* It need not: then there are guesses, as far as they lead. */
	assert_int_equal(walk_waiting(w, false), 2);
	assert_int_equal(w->end, UNWIND_NO_RULE);
	w->compact.state = ROWS_HERE;
	assert_int_equal(walk_waiting(w, true), 2);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

/* One for each page of code, however many frames are in it. */
static void
a_table_is_asked_for_once(void **state)
{
	struct world *w = *state;

	add_usual_rules(w);
	w->stack[1] = put_call(w, 0x150);
	w->stack[3] = put_call(w, 0x160);
	w->stack[5] = put_call(w, 0x910);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 4);
	assert_int_equal(w->asked, 1);
}

static void
rules_outlive_a_change_of_mappings(void **state)
{
	struct world *w = *state;
	struct mapping other = { .start = OTHER, .end = OTHER + 4096,
				 .path = "", .kind = MODULE_NONE };
	struct mapping gone = { .start = CODE, .end = CODE + CODE_SIZE,
				.path = "" };

	add_usual_rules(w);
	w->stack[1] = put_call(w, 0x910);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), 2);
	maps_add(w->maps, &other);
	assert_int_equal(walk(w), 2);
	assert_int_equal(w->asked, 1);
	maps_add(w->maps, &gone);
	assert_int_equal(walk(w), 1);
	assert_int_equal(w->end, UNWIND_NO_RULE);
}

/* The same stack, on which a frame pointer leads where no rule does. */
static void
walk_in_mode(enum unwind_mode mode, size_t n, enum unwind_end end)
{
	struct world *w = world_new(mode);

	add_rule(w, 0x100, (struct rule){ .kind = RULE_SP, .cfa = 16 });
	add_rule(w, 0x200, (struct rule){ .kind = RULE_NONE });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	w->stack[1] = put_call(w, 0x210);
	w->stack[10] = 0;
	w->stack[11] = put_call(w, 0x910);
	w->regs.r[X86_RBP] = word_at(10);
	begin(w, 0x100, 0);
	assert_int_equal(walk(w), n);
	assert_int_equal(w->end, end);
	world_free(w);
}

static void
each_mode_takes_what_it_says(void **state)
{
	(void)state;
	walk_in_mode(UNWIND_AUTO, 3, UNWIND_GUESSED);
	walk_in_mode(UNWIND_CFI, 2, UNWIND_NO_RULE);
	walk_in_mode(UNWIND_FP, 2, UNWIND_COMPLETE);
}

/* Go's way: no rules for a long stretch, and the usual there is rbp. */
static void
frame_pointers_are_no_guess_where_they_are_usual(void **state)
{
	struct world *w = *state;

	add_rule(w, 0x100, (struct rule){ .kind = RULE_FP });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	w->stack[4] = word_at(8);
	w->stack[5] = put_call(w, 0x200);
	w->stack[9] = put_call(w, 0x910);
	w->regs.r[X86_RBP] = word_at(4);
	begin(w, 0x110, 0);
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

/*
 * An exception's frames are left: the leaf keeps the handler's registers and
 * its return address, V, already. ABOVE is the word at the handler's place.
 */
static void
begin_leaving(struct world *w, uint64_t v, uint64_t above)
{
	add_rule(w, 0x100, (struct rule){ .kind = RULE_BP, .rbp = -2,
					  .reg = RULE_LEAVES, .cfa = 16 });
	add_rule(w, 0x200, (struct rule){ .kind = RULE_SP, .cfa = 16 });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	w->stack[11] = v;
	w->stack[30] = above;
	w->stack[32] = put_call(w, 0x910);
	w->regs.r[X86_RBP] = word_at(10);
	begin(w, 0x100, 0);
}

static void
who_leaves_for_a_handler_is_followed_to_it(void **state)
{
	struct world *w = *state;
	uint64_t v = put_call(w, 0x210);

	w->stack[13] = 0x19;
	begin_leaving(w, v, v);
	w->stack[20] = v;			/* not this one */
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->pcs[1], v - 1);
	assert_int_equal(w->sps[1], word_at(31));
	assert_int_equal(w->pcs[2], CODE + 0x914);
}

/* By luck the thrower's stack pointer leads to a whole stack, too. */
static void
a_call_of_another_function_shows_who_has_left(void **state)
{
	struct world *w = *state;
	uint64_t v = put_call(w, 0x210);
	const int32_t distance = 0x800 - 0x215;

	memcpy(w->code + 0x211, &distance, sizeof(distance));
	w->stack[13] = put_call(w, 0x920);
	begin_leaving(w, v, v);
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->sps[1], word_at(31));
	assert_int_equal(w->pcs[2], CODE + 0x914);
}

static void
who_has_not_left_has_its_caller(void **state)
{
	struct world *w = *state;
	uint64_t v = put_call(w, 0x210);

	w->stack[13] = put_call(w, 0x920);
	begin_leaving(w, v, v);
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->sps[1], word_at(12));
	assert_int_equal(w->pcs[2], CODE + 0x924);
}

/* mov -56(%rbp),%rax; lea 8(%rbp,%rcx),%rcx; mov (%rbp),%rbp; mov %rcx,%rsp */
static void
who_is_about_to_enter_a_handler_is_in_it(void **state)
{
	static const uint8_t last[] = {
		0x48, 0x8b, 0x45, 0xc8, 0x48, 0x8d, 0x4c, 0x0d, 0x08,
		0x48, 0x8b, 0x6d, 0x00, 0x48, 0x89, 0xcc, 0x59, 0xff, 0xe1,
	};
	struct world *w = *state;
	size_t i;

	memcpy(w->code + 0x100, last, sizeof(last));
	begin_leaving(w, put_call(w, 0x210), CODE + 0x220);
	w->regs.r[X86_RCX] = word_at(30) - word_at(11);
	for (i = 0; i < 2; i++) {
		assert_int_equal(walk(w), 3);
		assert_int_equal(w->end, UNWIND_COMPLETE);
		assert_int_equal(w->pcs[1], CODE + 0x220);
		assert_int_equal(w->sps[1], word_at(31));
		assert_int_equal(w->pcs[2], CODE + 0x914);
		w->regs.r[X86_RCX] = word_at(30);	/* behind lea */
		w->regs.r[X86_RIP] = CODE + 0x109;
	}
}

/* A local variable of zero is no proof of that. */
static void
who_leaves_has_not_ended_at_a_zero(void **state)
{
	struct world *w = *state;
	uint64_t v = put_call(w, 0x210);

	begin_leaving(w, v, v);
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->sps[1], word_at(31));
	/* But another zero is no better. */
	w->stack[32] = 0;
	assert_int_equal(walk(w), 2);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->sps[1], word_at(12));
}

static void
without_a_handler_s_place_the_walk_ends_where_it_did(void **state)
{
	struct world *w = *state;
	uint64_t v = put_call(w, 0x210);

	w->stack[13] = 0x19;
	begin_leaving(w, v, v);
	w->stack[32] = 0x19;
	assert_int_equal(walk(w), 2);
	assert_int_equal(w->end, UNWIND_NO_RULE);
	assert_int_equal(w->sps[1], word_at(12));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(frames_go_by_rsp_and_rbp_to_the_first),
		TEST(a_return_address_is_looked_up_inside_of_the_call),
		TEST(an_address_that_no_call_left_is_looked_up_itself),
		TEST(a_return_address_of_zero_is_the_end),
		TEST(a_leaf_has_the_register_that_it_has_popped),
		TEST(a_leaf_may_have_any_base),
		TEST(a_base_that_a_call_may_change_is_no_rule),
		TEST(a_stub_has_pushed_by_its_tenth_byte),
		TEST(a_frame_may_be_found_through_memory),
		TEST(a_signal_came_on_another_stack),
		TEST(a_frame_that_comes_again_ends_the_walk),
		TEST(addresses_that_wrap_around_are_not_read),
		TEST(a_walk_waits_for_its_table),
		TEST(a_table_is_asked_for_once),
		TEST(rules_outlive_a_change_of_mappings),
		cmocka_unit_test(each_mode_takes_what_it_says),
		TEST(frame_pointers_are_no_guess_where_they_are_usual),
		TEST(who_leaves_for_a_handler_is_followed_to_it),
		TEST(a_call_of_another_function_shows_who_has_left),
		TEST(who_has_not_left_has_its_caller),
		TEST(who_is_about_to_enter_a_handler_is_in_it),
		TEST(who_leaves_has_not_ended_at_a_zero),
		TEST(without_a_handler_s_place_the_walk_ends_where_it_did),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
