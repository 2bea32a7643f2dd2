/* SPDX-License-Identifier: MIT */
#include "tests/unit/walk.h"

/*
 * A thread that has left OTHER for STACK, whose copy is the window; since then
 * OTHER has changed, and what it was the trail knows.
 *
 *	0x100	leaf	0x200	was given to	0x300	changes stacks
 *	0x400	calls that	0x500	calls 0x400	0x900	first
 */
#define KEEPS(size) (struct rule){ RULE_SP, X86_RBP, -2, size }
#define GIVEN 0x200u
#define SWITCH 0x300u
#define CALLER 0x400u
#define OUTER 0x500u
#define FIRST 0x900u
#define OTHER_FP (OTHER + 8 * 8)

static uint64_t trail[3];

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

/* A call at CODE + AT of what is at CODE + TO; where it returns to. */
static uint64_t
put_call_to(struct world *w, uint64_t at, uint64_t to)
{
	int32_t distance = (int32_t)(to - at - 5);

	memcpy(w->code + at + 1, &distance, sizeof(distance));
	return put_call(w, at);
}

static void
add_world(struct world *w, enum rows_leave leaves)
{
	struct full_rule full = { .cfa = { .how = COLUMN_IS_CODE, .ops = 1 },
				  .r[X86_RSP] = { .how = COLUMN_IS_CFA },
				  .r[X86_RIP] = { .how = COLUMN_AT_CFA,
						  .value = -8 },
				  .leaves = leaves };
	const struct op nowhere = { .code = OP_CONST };

	full.cfa = program_of(&w->compact, COLUMN_IS_CODE, &nowhere, 1);
	add_rule(w, 0x100, KEEPS(32));
	add_rule(w, GIVEN, KEEPS(32));
	add_rule(w, SWITCH, (struct rule){ .kind = RULE_FULL,
				.cfa = add_full_of(&w->compact, full) });
	add_rule(w, CALLER, KEEPS(48));
	add_rule(w, OUTER, KEEPS(32));
	add_rule(w, FIRST, (struct rule){ .kind = RULE_END });
	w->stack[2] = word_at(6);		/* the leaf's frame */
	w->stack[3] = put_call(w, GIVEN + 0x10);
	w->stack[6] = OTHER_FP;			/* and its caller's */
	w->stack[7] = put_call(w, SWITCH + 0x10);
	w->regs.r[X86_RBP] = word_at(2);
	begin(w, 0x100, 0);
	trail[0] = w->stack[3];
	trail[1] = w->stack[7];
	trail[2] = 0;
}

static void
close_tables(struct world *w, const struct rows_site *site)
{
	struct rows_header header;

	close_table(&w->compact, false);
	close_table(&w->full, true);
	memcpy(&header, w->compact.image.bytes, sizeof(header));
	header.sites = site != NULL;
	memcpy(w->compact.image.bytes, &header, sizeof(header));
	if (site)
		writer_bytes(&w->compact.image, site, sizeof(*site));
	assert_true(rows_open(w->compact.image.bytes, w->compact.image.len,
			      &w->compact.rows));
}

/* With the trail; the walk that has none knows nothing of OTHER. */
static size_t
walk_trail(struct world *w, const uint64_t *ras, size_t n,
	   const struct rows_site *site)
{
	struct memory memory = {
		.read = read_world, .ctx = w, .window = w->stack,
		.window_addr = STACK, .window_len = sizeof(w->stack),
		.trail = ras, .ntrail = n, .trail_fp = w->regs.r[X86_RBP],
	};

	if (!w->compact.image.bytes)
		close_tables(w, site);
	return unwind_stack(w->unwinder, w->maps, &w->regs, &memory, false,
			    w->pcs, w->sps, ARRAY_LEN(w->pcs), &w->end);
}

static void
a_call_is_told_by_what_was_given_to_it(void **state)
{
	struct world *w = *state;
	struct rows_site site = {
		.from = GIVEN + CODE_OFFSET, .to = SWITCH + CODE_OFFSET,
		.caller = CALLER + CODE_OFFSET,
		.ret = CALLER + 0x25 + CODE_OFFSET,
	};
	uint64_t ras[4];

	add_world(w, LEAVE_TO_CALL);
	memcpy(ras, trail, sizeof(trail));
	put_call_to(w, CALLER + 0x20, SWITCH);
	ras[2] = put_call_to(w, OUTER + 0x10, CALLER);
	ras[3] = CODE + FIRST + 1;
	assert_int_equal(walk_trail(w, ras, 4, &site), 6);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->pcs[2], CODE + SWITCH + 0x14);
	assert_int_equal(w->pcs[3], CODE + CALLER + 0x24);
	assert_int_equal(w->pcs[4], CODE + OUTER + 0x14);
	/* Of frames further out it is known where they are. */
	assert_int_equal(w->sps[4], OTHER_FP + 16);
	assert_int_equal(w->sps[5], OTHER_FP + 48);
}

static void
without_the_call_nothing_is_made_up(void **state)
{
	struct world *w = *state;
	uint64_t ras[4];

	add_world(w, LEAVE_TO_CALL);
	memcpy(ras, trail, sizeof(trail));
	ras[2] = put_call_to(w, OUTER + 0x10, CALLER);
	ras[3] = CODE + FIRST + 1;
	assert_int_equal(walk_trail(w, ras, 4, NULL), 3);
	assert_int_equal(w->end, UNWIND_CUT);
}

/* What is copied must be what the kernel has seen, up to the switch. */
static void
a_trail_of_another_chain_is_left_alone(void **state)
{
	struct world *w = *state;
	struct rows_site site = {
		.from = GIVEN + CODE_OFFSET, .to = SWITCH + CODE_OFFSET,
		.ret = CALLER + 0x25 + CODE_OFFSET,
	};
	uint64_t ras[4];

	add_world(w, LEAVE_TO_CALL);
	memcpy(ras, trail, sizeof(trail));
	put_call_to(w, CALLER + 0x20, SWITCH);
	ras[1]++;
	ras[2] = put_call_to(w, OUTER + 0x10, CALLER);
	ras[3] = CODE + FIRST + 1;
	assert_int_equal(walk_trail(w, ras, 4, &site), 3);
	assert_int_equal(w->end, UNWIND_CUT);
}

/*
 * cmp 16(%r14), %rsp; jbe to the call; CALLER wanted more stack, OUTER had
 * called it, and GIVEN has kept OUTER's rsp and return address.
 */
static void
a_function_that_wanted_more_stack_is_told_by_its_caller(void **state)
{
	struct world *w = *state;
	uint64_t ras[3];

	add_world(w, LEAVE_TO_GROW);
	memcpy(ras, trail, sizeof(trail));
	memcpy(w->code + CALLER, "\x49\x3b\x66\x10\x76\x30", 6);
	put_call_to(w, CALLER + 0x36, SWITCH);
	w->stack[4] = OTHER_FP - 16;
	w->stack[5] = put_call_to(w, OUTER + 0x10, CALLER);
	ras[2] = CODE + FIRST + 1;
	assert_int_equal(walk_trail(w, ras, 3, NULL), 6);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->pcs[3], CODE + CALLER + 0x3a);
	assert_int_equal(w->pcs[4], CODE + OUTER + 0x14);
	assert_int_equal(w->sps[4], OTHER_FP - 16);
}

/* GIVEN has kept nothing yet; by the runtime's records it was RIP at RSP. */
static size_t
walk_recorded(struct world *w, uint64_t rsp, uint64_t rip)
{
	const struct op sp = { .code = OP_CONST, .value = (int32_t)rsp };
	const struct op pc = { .code = OP_CONST, .value = (int32_t)rip };
	struct full_rule *full = &w->compact.fulls[0];
	uint64_t ras[] = { trail[0], trail[1], CODE + FIRST + 1 };

	full->cfa = program_of(&w->compact, COLUMN_IS_CODE, &sp, 1);
	full->r[X86_RIP] = program_of(&w->compact, COLUMN_IS_CODE, &pc, 1);
	memcpy(w->code + CALLER, "\x49\x3b\x66\x10\x76\x30", 6);
	put_call_to(w, CALLER + 0x36, SWITCH);
	w->other[5] = put_call_to(w, OUTER + 0x10, CALLER);
	return walk_trail(w, ras, ARRAY_LEN(ras), NULL);
}

static void
one_that_is_not_kept_yet_is_told_by_records(void **state)
{
	struct world *w = *state;

	add_world(w, LEAVE_TO_GROW);
	assert_int_equal(walk_recorded(w, OTHER_FP - 24, CODE + CALLER + 0x3b),
			 6);
	assert_int_equal(w->end, UNWIND_GUESSED);
	assert_int_equal(w->pcs[3], CODE + CALLER + 0x3a);
	assert_int_equal(w->pcs[4], CODE + OUTER + 0x14);
	assert_int_equal(w->sps[4], OTHER_FP - 16);
}

/* Another call is there by now. */
static void
records_that_do_not_fit_are_not_believed(void **state)
{
	struct world *w = *state;

	add_world(w, LEAVE_TO_GROW);
	assert_int_equal(walk_recorded(w, OTHER_FP - 24, CODE + CALLER + 0x2b),
			 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

static void
nor_are_records_of_another_place(void **state)
{
	struct world *w = *state;

	add_world(w, LEAVE_TO_GROW);
	assert_int_equal(walk_recorded(w, OTHER_FP + 24, CODE + CALLER + 0x3b),
			 3);
}

/* GIVEN has kept the call at OUTER + AT; AT 0: nothing yet. */
static size_t
walk_grower(struct world *w, uint64_t at)
{
	uint64_t ras[] = { trail[0], trail[1], CODE + FIRST + 1 };

	memcpy(w->code + CALLER, "\x49\x3b\x66\x10\x76\x30", 6);
	put_call_to(w, CALLER + 0x36, SWITCH);
	w->stack[4] = at ? OTHER_FP - 16 : 0;
	w->stack[5] = at ? put_call_to(w, OUTER + at, CALLER) : 0;
	return walk_trail(w, ras, ARRAY_LEN(ras), NULL);
}

static void
one_that_is_not_kept_yet_may_be_the_usual_one(void **state)
{
	struct world *w = *state;

	add_world(w, LEAVE_TO_GROW);
	assert_int_equal(walk_grower(w, 0), 3);
	assert_int_equal(walk_grower(w, 0x10), 6);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(walk_grower(w, 0), 6);
	assert_int_equal(w->end, UNWIND_GUESSED);
	assert_int_equal(w->pcs[3], CODE + CALLER + 0x3a);
	assert_int_equal(w->pcs[4], CODE + OUTER + 0x14);
}

static void
where_several_were_seen_none_is_the_usual_one(void **state)
{
	struct world *w = *state;

	add_world(w, LEAVE_TO_GROW);
	assert_int_equal(walk_grower(w, 0x10), 6);
	assert_int_equal(walk_grower(w, 0x18), 6);
	assert_int_equal(walk_grower(w, 0), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

/* The leaf clears memory: rbp is two words below rsp, which is not copied. */
static size_t
walk_from_below(struct world *w)
{
	const uint64_t ras[] = { 1, trail[0], trail[1], CODE + FIRST + 1 };

	w->regs.r[X86_RBP] = STACK - 16;
	memcpy(w->code + CALLER, "\x49\x3b\x66\x10\x76\x30", 6);
	put_call_to(w, CALLER + 0x36, SWITCH);
	w->stack[4] = OTHER_FP - 16;
	w->stack[5] = put_call_to(w, OUTER + 0x10, CALLER);
	return walk_trail(w, ras, ARRAY_LEN(ras), NULL);
}

static void
a_frame_below_rsp_is_none_of_the_copy(void **state)
{
	struct world *w = *state;

	add_world(w, LEAVE_TO_GROW);
	w->stack[1] = w->stack[3];	/* of an older call */
	assert_int_equal(walk_from_below(w), 6);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->pcs[3], CODE + CALLER + 0x3a);
	assert_int_equal(w->pcs[4], CODE + OUTER + 0x14);
}

/* By the other one it is a frame less. */
static void
of_two_that_a_frame_below_rsp_leads_to_the_nearest_is_a_guess(void **state)
{
	struct world *w = *state;

	add_world(w, LEAVE_TO_GROW);
	w->stack[10] = OTHER_FP;
	w->stack[11] = w->stack[3];
	assert_int_equal(walk_from_below(w), 6);
	assert_int_equal(w->end, UNWIND_GUESSED);
	assert_int_equal(w->pcs[4], CODE + OUTER + 0x14);
}

/* Its runtime says that the stack begins there. */
static void
one_that_is_not_told_is_the_first_of_its_stack(void **state)
{
	struct world *w = *state;

	add_world(w, LEAVE_TO_GROW);
	assert_int_equal(walk_trail(w, trail, 2, NULL), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

/* A copy that is too short; what lies behind it has changed since. */
static void
frames_beyond_the_copy_are_as_they_were(void **state)
{
	struct world *w = *state;
	uint64_t ras[2];

	add_rule(w, 0x100, KEEPS(32));
	add_rule(w, OUTER, KEEPS(32));
	add_rule(w, FIRST, (struct rule){ .kind = RULE_END });
	w->regs.r[X86_RBP] = OTHER_FP;
	begin(w, 0x100, 0);
	w->regs.r[X86_RSP] = OTHER_FP - 16;
	w->other[9] = put_call(w, 0x150);
	ras[0] = put_call(w, OUTER + 0x10);
	ras[1] = CODE + FIRST + 1;
	assert_int_equal(walk_trail(w, ras, 2, NULL), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->pcs[1], CODE + OUTER + 0x14);
	assert_int_equal(w->sps[2], OTHER_FP + 48);
}

/*
 * STUB has no frame, and OUTER has called its caller by a register: what is at
 * the place of the return address now has been called by STUB, or not.
 */
#define STUB 0xa00u
#define INNER 0xb00u
#define ANOTHER 0xd80u

static size_t
walk_stub(struct world *w, uint64_t now)
{
	const struct rows_site site = {
		.from = GIVEN + CODE_OFFSET, .to = SWITCH + CODE_OFFSET,
		.ret = CALLER + 0x25 + CODE_OFFSET,
	};
	const uint64_t ras[] = { trail[0], trail[1], CODE + STUB + 7,
				 CODE + OUTER + 0x12, CODE + FIRST + 1 };

	w->other[10] = now;
	return walk_trail(w, ras, ARRAY_LEN(ras), &site);
}

static void
add_stub(struct world *w)
{
	add_world(w, LEAVE_TO_CALL);
	add_rule(w, STUB, (struct rule){ RULE_SP, X86_RBP, 0, 8 });
	add_rule(w, INNER, KEEPS(32));
	put_call_to(w, CALLER + 0x20, SWITCH);
	put_call_to(w, STUB + 2, CALLER);
	put_call_to(w, INNER + 0x10, STUB);
	put_call_to(w, ANOTHER + 0x10, STUB);
	memcpy(w->code + OUTER + 0x10, "\xff\xd0", 2);
}

static void
whom_a_register_led_to_before_it_may_lead_to_again(void **state)
{
	struct world *w = *state;

	add_stub(w);
	assert_int_equal(walk_stub(w, 0), 5);
	assert_int_equal(w->end, UNWIND_CUT);
	assert_int_equal(walk_stub(w, CODE + INNER + 0x15), 8);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->pcs[5], CODE + INNER + 0x14);
	assert_int_equal(walk_stub(w, 0), 8);
	assert_int_equal(w->end, UNWIND_GUESSED);
	assert_int_equal(w->pcs[4], CODE + STUB + 6);
	assert_int_equal(w->pcs[5], CODE + INNER + 0x14);
	assert_int_equal(w->pcs[6], CODE + OUTER + 0x11);
}

static void
whom_it_led_to_now_and_then_is_not_told(void **state)
{
	struct world *w = *state;

	add_stub(w);
	walk_stub(w, CODE + INNER + 0x15);
	assert_int_equal(walk_stub(w, CODE + ANOTHER + 0x15), 8);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(walk_stub(w, 0), 5);
	assert_int_equal(w->end, UNWIND_CUT);
}

/* Where frame pointers are kept the first frame is known by its rule. */
static void
zero_in_place_of_a_caller_is_no_end(void **state)
{
	struct world *w = *state;

	add_rule(w, 0x100, KEEPS(32));
	w->regs.r[X86_RBP] = word_at(2);
	begin(w, 0x100, 0);
	assert_int_equal(walk_trail(w, NULL, 0, NULL), 1);
	assert_int_equal(w->end, UNWIND_CUT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_call_is_told_by_what_was_given_to_it),
		TEST(without_the_call_nothing_is_made_up),
		TEST(a_trail_of_another_chain_is_left_alone),
		TEST(a_function_that_wanted_more_stack_is_told_by_its_caller),
		TEST(one_that_is_not_kept_yet_is_told_by_records),
		TEST(records_that_do_not_fit_are_not_believed),
		TEST(nor_are_records_of_another_place),
		TEST(one_that_is_not_kept_yet_may_be_the_usual_one),
		TEST(where_several_were_seen_none_is_the_usual_one),
		TEST(a_frame_below_rsp_is_none_of_the_copy),
		TEST(of_two_that_a_frame_below_rsp_leads_to_the_nearest_is_a_guess),
		TEST(one_that_is_not_told_is_the_first_of_its_stack),
		TEST(frames_beyond_the_copy_are_as_they_were),
		TEST(whom_a_register_led_to_before_it_may_lead_to_again),
		TEST(whom_it_led_to_now_and_then_is_not_told),
		TEST(zero_in_place_of_a_caller_is_no_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
