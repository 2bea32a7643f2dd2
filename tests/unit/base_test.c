/* SPDX-License-Identifier: MIT */
/* The walk of a thread of which rip and rsp are known and no more. */
#include "tests/unit/walk.h"

#define FRAMED 0x200		/* a function that is counted from rbp */
#define STUB 0x700		/* jmp *x(%rip) to it */
#define STUB_WORD 0x780

static void
put_code(struct world *w, uint64_t at, const char *bytes, size_t len)
{
	memcpy(w->code + at, bytes, len);
}

/* A direct call of CODE + TO. */
static uint64_t
put_call_to(struct world *w, uint64_t at, uint64_t to)
{
	uint64_t ra = put_call(w, at);
	int32_t distance = (int32_t)(CODE + to - ra);

	memcpy(w->code + at + 1, &distance, sizeof(distance));
	return ra;
}

/* call *%rax */
static uint64_t
put_indirect_call(struct world *w, uint64_t at)
{
	put_code(w, at, "\xff\xd0", 2);
	return CODE + at + 2;
}

/*
 * The leaf at 0x100 is called by FRAMED, which has room for 40 bytes and
 * pushes rbx; code from 0x900 on is the first frame.
 */
static int
set_up(void **state)
{
	struct world *w = world_new(UNWIND_AUTO);

	*state = w;
	add_rule(w, 0x100, (struct rule){ .kind = RULE_SP, .cfa = 8 });
	add_rule(w, FRAMED, (struct rule){ .kind = RULE_BP, .cfa = 16,
					   .rbp = -2 });
	add_rule(w, 0x900, (struct rule){ .kind = RULE_END });
	put_code(w, FRAMED, "\xf3\x0f\x1e\xfa"		/* endbr64 */
			    "\x55"			/* push %rbp */
			    "\x48\x89\xe5"		/* mov %rsp,%rbp */
			    "\x53"			/* push %rbx */
			    "\x48\x83\xec\x28", 13);	/* sub $40,%rsp */
	w->stack[0] = put_call(w, FRAMED + 0x40);
	w->regs.missing = UINT32_MAX & ~(1u << X86_RIP | 1u << X86_RSP);
	begin(w, 0x100, 0);
	return 0;
}

static int
tear_down(void **state)
{
	world_free(*state);
	return 0;
}

static void
assert_whole(struct world *w, uint64_t caller)
{
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	assert_int_equal(w->pcs[1], CODE + FRAMED + 0x44);
	assert_int_equal(w->pcs[2], caller - 1);
}

static void
a_frame_begins_where_its_function_has_made_it(void **state)
{
	struct world *w = *state;
	uint64_t caller = put_indirect_call(w, 0x910);

	/* What has been called before lies in the room. */
	w->stack[3] = word_at(40);
	w->stack[4] = put_indirect_call(w, 0x980);
	w->stack[7] = word_at(30);
	w->stack[8] = caller;
	assert_whole(w, caller);
}

static void
what_lies_in_the_room_is_no_guess_of_a_known_frame(void **state)
{
	struct world *w = *state;
	uint64_t caller = put_indirect_call(w, 0x910);

	w->stack[8] = put_indirect_call(w, 0x980);
	w->stack[20] = 0;
	w->stack[21] = caller;
	w->regs.missing &= ~(1u << X86_RBP);
	w->regs.r[X86_RBP] = word_at(20);
	assert_whole(w, caller);
}

/* Two words of arguments, one of them like a return address. */
static void
pushed_arguments_are_skipped_by_who_has_called(void **state)
{
	struct world *w = *state;
	uint64_t caller = put_call_to(w, 0x910, FRAMED);

	w->stack[8] = put_call_to(w, 0x980, 0x100);
	w->stack[9] = 0;
	w->stack[10] = caller;
	assert_whole(w, caller);
}

static void
a_call_through_a_stub_leads_where_that_does(void **state)
{
	struct world *w = *state;
	uint64_t caller = put_call_to(w, 0x910, STUB), target = CODE + FRAMED;
	int32_t distance = STUB_WORD - (STUB + 10);

	put_code(w, STUB, "\xf3\x0f\x1e\xfa\xff\x25", 6);
	memcpy(w->code + STUB + 6, &distance, sizeof(distance));
	memcpy(w->code + STUB_WORD, &target, sizeof(target));
	w->stack[8] = caller;
	assert_whole(w, caller);
	target = CODE + 0x100;
	memcpy(w->code + STUB_WORD, &target, sizeof(target));
	walk(w);
	assert_int_not_equal(w->end, UNWIND_COMPLETE);
}

/* Room that is made as the function goes: a guess, and it is said so. */
static void
far_above_where_it_was_made_it_is_a_guess(void **state)
{
	struct world *w = *state;
	uint64_t caller = put_indirect_call(w, 0x910);

	w->stack[60] = caller;
	assert_int_equal(walk(w), 3);
	assert_int_equal(w->end, UNWIND_GUESSED);
}

static void
without_a_beginning_nothing_is_made_up(void **state)
{
	struct world *w = *state;

	memset(w->code + FRAMED, 0x90, 13);
	w->stack[8] = put_indirect_call(w, 0x910);
	assert_int_equal(walk(w), 2);
	assert_int_equal(w->end, UNWIND_NO_RULE);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(a_frame_begins_where_its_function_has_made_it),
		CASE(what_lies_in_the_room_is_no_guess_of_a_known_frame),
		CASE(pushed_arguments_are_skipped_by_who_has_called),
		CASE(a_call_through_a_stub_leads_where_that_does),
		CASE(far_above_where_it_was_made_it_is_a_guess),
		CASE(without_a_beginning_nothing_is_made_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
