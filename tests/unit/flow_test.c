/* SPDX-License-Identifier: MIT */
/* What code without rules does to its stack. */
#include "sampler/unwind/instruction.h"
#include "tests/unit/walk.h"

static int
set_up(void **state)
{
	struct world *w = world_new(UNWIND_AUTO);

	w->compact.state = ROWS_MISSING;
	*state = w;
	return 0;
}

static int
tear_down(void **state)
{
	world_free(*state);
	return 0;
}

#define BYTES(text) (text), sizeof(text) - 1

/* The instruction at the start of BYTES is LEN long. */
static void
check_length(const char *bytes, size_t len, unsigned expected)
{
	struct instruction i;

	assert_true(instruction_decode((const uint8_t *)bytes, len, &i));
	assert_int_equal(i.len, expected);
	/* Cut anywhere it is none. */
	for (len = 0; len < expected; len++)
		assert_false(instruction_decode((const uint8_t *)bytes, len,
						&i));
}

static void
instructions_have_a_length(void **state)
{
	(void)state;
	check_length(BYTES("\x90\x90"), 1);
	check_length(BYTES("\x48\x89\xe5"), 3);
	check_length(BYTES("\x48\x8b\x44\x24\x08"), 5);
	check_length(BYTES("\x48\x8b\x04\xc5\1\2\3\4"), 8);
	check_length(BYTES("\x48\x8b\x05\1\2\3\4"), 7);
	check_length(BYTES("\x48\xb8\1\2\3\4\5\6\7\x08"), 10);
	check_length(BYTES("\x66\xb8\1\2"), 4);
	check_length(BYTES("\xb8\1\2\3\4"), 5);
	check_length(BYTES("\xf6\xc0\1"), 3);
	check_length(BYTES("\xf6\xd0"), 2);
	check_length(BYTES("\xf7\xc0\1\2\3\4"), 6);
	check_length(BYTES("\x66\x2e\x0f\x1f\x84\0\0\0\0\0"), 10);
	check_length(BYTES("\x0f\x84\1\2\3\4"), 6);
	check_length(BYTES("\x66\x0f\x3a\x0f\xc1\x08"), 6);
	check_length(BYTES("\xc5\xf8\x77"), 3);
	check_length(BYTES("\xc4\xe3\x7d\x39\xc1\x01"), 6);
	check_length(BYTES("\x62\xf1\x7c\x48\x10\x44\x24\x01"), 8);
	check_length(BYTES("\xc8\1\2\3"), 4);
}

/*
 * Run the leaf's CODE; its return address is WORDS above rsp and the word
 * SAVED above rsp, unless -1, is its caller's rbp.
 */
static void
check_flow(struct world *w, const char *code, size_t len, int words,
	   int saved)
{
	static uint64_t at = 0x100;	/* what is known is kept by address */
	uint64_t inner = put_call(w, 0x800), outer = put_call(w, 0x810);

	at = (at + 64) % 0x700;
	memset(w->code + at, 0x90, 64);
	memcpy(w->code + at, code, len);
	memset(w->stack, 0, sizeof(w->stack));
	w->stack[4 + words] = inner;
	/* Its caller: leave; ret. */
	memcpy(w->code + 0x805, "\xc9\xc3", 2);
	w->stack[100] = 0;
	w->stack[101] = outer;
	if (saved >= 0)
		w->stack[4 + saved] = word_at(100);
	begin(w, at, 4);
	w->regs.r[X86_RBP] = saved >= 0 ? 1 : word_at(100);
	assert_true(walk(w) >= 3);
	assert_int_equal(w->pcs[1], inner - 1);
	assert_int_equal(w->sps[1], word_at(5 + words));
	assert_int_equal(w->pcs[2], outer - 1);
}

static void
code_is_followed_to_its_ret(void **state)
{
	check_flow(*state, BYTES("\xc3"), 0, -1);
	check_flow(*state, BYTES("\x48\x83\xc4\x18\x5b\x5d\xc3"), 5, 4);
	/* A prologue that is still to come takes back what it does. */
	check_flow(*state, BYTES("\x55\x48\x89\xe5\x48\x83\xec\x20\xc9\xc3"),
		   0, -1);
	check_flow(*state, BYTES("\x55\x53\x50\x58\x5b\x5d\xc3"), 0, -1);
	/* mov 16(%rsp),%rbp; add $24,%rsp */
	check_flow(*state, BYTES("\x48\x8b\x6c\x24\x10\x48\x83\xc4\x18\xc3"),
		   3, 2);
	/* The stack is moved by a register, and mended by rbp. */
	check_flow(*state, BYTES("\x55\x48\x89\xe5\x48\x29\xc4\x48\x8d\x65\0"
				 "\x5d\xc3"), 0, -1);
	/* call; what it returns to */
	check_flow(*state, BYTES("\xe8\1\2\3\4\x5b\xc3"), 1, -1);
}

static void
jumps_are_followed(void **state)
{
	/* jmp over ud2; je, whose way goes on; a loop */
	check_flow(*state, BYTES("\xeb\x02\x0f\x0b\x5b\xc3"), 1, -1);
	check_flow(*state, BYTES("\x74\x02\x5b\xc3\x0f\x0b"), 1, -1);
	check_flow(*state, BYTES("\xff\xc9\x75\xfc\x5b\xc3"), 1, -1);
	/* Straight on there is no ret: the other way has one. */
	check_flow(*state, BYTES("\x74\x02\x0f\x0b\x5b\xc3"), 1, -1);
	check_flow(*state, BYTES("\x74\x02\xff\xe0\x5b\xc3"), 1, -1);
	check_flow(*state, BYTES("\x75\x03\x90\xeb\xfd\x5b\xc3"), 1, -1);
}

/* xor %esp,%esp; ... ret, and a loop: nobody can say. */
static void
a_stack_that_is_lost_is_no_rule(void **state)
{
	static const char *const codes[] = {
		"\x31\xe4\x5b\xc3", "\x48\x29\xc4\x5b\xc3", "\xeb\xfe",
		"\x5c\xc3", "\x48\x8b\x20\xc3",
		"\x48\x81\xec\x10\x10\x10\x10\xc3",
		"\x48\x87\xe0\xc3", "\x48\x83\xec\x10\xc3",
	};
	struct world *w = *state;
	size_t i;

	for (i = 0; i < ARRAY_LEN(codes); i++) {
		uint64_t at = 0x100 + i * 64;

		memset(w->code + at, 0x0b, 64);
		memcpy(w->code + at, codes[i], strlen(codes[i]));
		begin(w, at, 4);
		assert_int_equal(walk(w), 1);
		assert_int_not_equal(w->end, UNWIND_COMPLETE);
	}
}

/*
 * The first function of a process has no way to a ret, and above it what the
 * kernel has put there: argc, argv, environment, auxv.
 */
static void
a_process_begins_on_a_stack_like_no_other(void **state)
{
	struct world *w = *state;

	memcpy(w->code + 0x205, "\xf4", 1);	/* hlt */
	memcpy(w->code + 0x100, "\x5b\xc3", 2);
	w->stack[5] = put_call(w, 0x200);
	w->stack[6] = 2;
	w->stack[7] = word_at(40);
	w->stack[8] = word_at(41);
	w->stack[10] = word_at(42);
	w->stack[12] = 33;
	begin(w, 0x100, 4);
	w->regs.r[X86_RBP] = 5;
	assert_int_equal(walk(w), 2);
	assert_int_equal(w->end, UNWIND_COMPLETE);
	/* One word makes it another one. */
	w->stack[9] = 1;
	assert_int_equal(walk(w), 2);
	assert_int_equal(w->end, UNWIND_NO_RULE);
	w->stack[9] = 0;
	w->stack[12] = 64;
	walk(w);
	assert_int_equal(w->end, UNWIND_NO_RULE);
}

/* xor %ebp,%ebp; ...; call: the first function of a thread. */
static void
a_thread_begins_where_rbp_is_cleared(void **state)
{
	struct world *w = *state;

	memcpy(w->code + 0x1f0, "\x31\xed", 2);
	memcpy(w->code + 0x205, "\xf4", 1);
	memcpy(w->code + 0x100, "\x5b\xc3", 2);
	w->stack[5] = put_call(w, 0x200);
	w->stack[8] = put_call(w, 0x300);	/* no caller of it */
	begin(w, 0x100, 4);
	assert_int_equal(walk(w), 2);
	assert_int_equal(w->end, UNWIND_COMPLETE);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_have_a_length),
		TEST(code_is_followed_to_its_ret),
		TEST(jumps_are_followed),
		TEST(a_stack_that_is_lost_is_no_rule),
		TEST(a_process_begins_on_a_stack_like_no_other),
		TEST(a_thread_begins_where_rbp_is_cleared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
