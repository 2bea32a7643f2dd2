/* SPDX-License-Identifier: MIT */
/*
 * A little program in an array: code of 4 KiB in which every call is where a
 * test puts it, and a stack.
 */
#include "sampler/unwind/unwind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CODE 0x400000ull
#define CODE_SIZE 4096
#define STACK 0x7ffe0000ull
#define STACK_WORDS 512

struct program {
	uint8_t code[CODE_SIZE];
	uint64_t stack[STACK_WORDS];
	struct maps *maps;
	struct unwinder *unwinder;
	struct regs regs;
	uint64_t pcs[64], sps[64];
	enum unwind_end end;
};

static bool
copy(void *buf, size_t len, uint64_t at, const void *from, size_t size)
{
	if (at > size || len > size - at)
		return false;
	memcpy(buf, (const uint8_t *)from + at, len);
	return true;
}

static bool
read_program(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct program *p = ctx;

	if (addr >= STACK)
		return copy(buf, len, addr - STACK, p->stack,
			    sizeof(p->stack));
	return addr >= CODE &&
	       copy(buf, len, addr - CODE, p->code, sizeof(p->code));
}

static int
set_up(void **state)
{
	struct program *p = calloc(1, sizeof(*p));
	struct mapping mapping = { .start = CODE, .end = CODE + CODE_SIZE,
				   .path = "", .is_executable = true,
				   .kind = MODULE_JIT };

	p->maps = maps_new();
	maps_add(p->maps, &mapping);
	p->unwinder = unwind_new(UNWIND_AUTO, NULL);
	memset(p->code, 0x90, sizeof(p->code));
	*state = p;
	return 0;
}

static int
tear_down(void **state)
{
	struct program *p = *state;

	unwind_free(p->unwinder);
	maps_free(p->maps);
	free(p);
	return 0;
}

static uint64_t
word_at(int i)
{
	return STACK + (uint64_t)i * 8;
}

/* Put a call at CODE + AT to CODE + TO; where it returns to. */
static uint64_t
put_call(struct program *p, uint64_t at, uint64_t to)
{
	int32_t distance = (int32_t)(to - (at + 5));

	p->code[at] = 0xe8;
	memcpy(p->code + at + 1, &distance, sizeof(distance));
	return CODE + at + 5;
}

static void
put_frame(struct program *p, int i, uint64_t outer, uint64_t ra)
{
	p->stack[i] = outer;
	p->stack[i + 1] = ra;
}

static size_t
walk(struct program *p, size_t max)
{
	struct memory memory = { .read = read_program, .ctx = p };

	return unwind_stack(p->unwinder, p->maps, &p->regs, &memory, false,
			    p->pcs, p->sps, max, &p->end);
}

static void
begin(struct program *p, uint64_t pc, int sp, int fp)
{
	p->regs.r[X86_RIP] = CODE + pc;
	p->regs.r[X86_RSP] = word_at(sp);
	p->regs.r[X86_RBP] = word_at(fp);
}

static void
frame_pointers_lead_to_the_root(void **state)
{
	struct program *p = *state;
	uint64_t a = put_call(p, 100, 800), b = put_call(p, 200, 50);

	put_frame(p, 4, word_at(8), a);
	put_frame(p, 8, word_at(12), b);
	put_frame(p, 12, 0, 0);
	begin(p, 820, 2, 4);
	assert_int_equal(walk(p, 64), 3);
	assert_int_equal(p->end, UNWIND_COMPLETE);
	assert_int_equal(p->pcs[0], CODE + 820);
	assert_int_equal(p->pcs[1], a - 1);
	assert_int_equal(p->pcs[2], b - 1);
	assert_int_equal(p->sps[0], word_at(2));
	assert_int_equal(p->sps[1], word_at(6));
	assert_int_equal(p->sps[2], word_at(10));
}

static void
a_frame_that_points_at_itself_ends_the_walk(void **state)
{
	struct program *p = *state;
	uint64_t a = put_call(p, 100, 800);

	put_frame(p, 4, word_at(4), a);
	begin(p, 820, 2, 4);
	assert_true(walk(p, 64) < 8);
	assert_true(p->end == UNWIND_STUCK || p->end == UNWIND_NO_RULE);
}

static void
a_stack_that_cannot_be_read_is_cut(void **state)
{
	struct program *p = *state;
	uint64_t a = put_call(p, 100, 800);

	put_frame(p, 4, word_at(STACK_WORDS), a);
	begin(p, 820, 2, 4);
	assert_int_equal(walk(p, 64), 2);
	assert_int_equal(p->end, UNWIND_CUT);
}

static void
a_word_that_no_call_left_is_no_caller(void **state)
{
	struct program *p = *state;

	/* Neither code nor the end of a chain. */
	put_frame(p, 4, 12345, CODE + 300);
	begin(p, 820, 2, 4);
	assert_int_equal(walk(p, 64), 1);
	assert_int_equal(p->end, UNWIND_NO_RULE);
}

static void
before_its_first_push_a_function_has_its_caller_on_top(void **state)
{
	struct program *p = *state;
	uint64_t a = put_call(p, 100, 800), b = put_call(p, 200, 50);

	p->code[800] = 0x55;	/* push %rbp */
	memcpy(p->code + 801, "\x48\x89\xe5", 3);
	p->stack[2] = a;
	put_frame(p, 4, word_at(8), b);
	put_frame(p, 8, 0, 0);
	begin(p, 800, 2, 4);
	assert_int_equal(walk(p, 64), 3);
	assert_int_equal(p->pcs[1], a - 1);
	assert_int_equal(p->pcs[2], b - 1);
	assert_int_equal(p->end, UNWIND_COMPLETE);

	/* And after the push it is one further down. */
	p->stack[1] = word_at(4);
	begin(p, 801, 1, 4);
	assert_int_equal(walk(p, 64), 3);
	assert_int_equal(p->pcs[1], a - 1);
	assert_int_equal(p->end, UNWIND_COMPLETE);
}

/* Any code between here and ret that takes a frame down is followed. */
static void
a_leaf_on_its_way_out_has_its_caller_above(void **state)
{
	static const struct {
		char code[10];
		int words;	/* from rsp to the return address */
		bool is_by_rbp;	/* rbp is the frame's still, else restored */
	} ends[] = {
		{ "\xc3", 0, false },
		{ "\xf3\xc3", 0, false },
		{ "\x48\x83\xc4\x08\xc3", 1, false },
		{ "\x48\x81\xc4\x10\x01\0\0\x5b\xc3", 35, false },
		{ "\x5b\x41\x5c\x41\x5d\x41\x5f\xc3", 4, false },
		{ "\x5b\x5d\xc3", 2, true },
		{ "\xc9\xc3", 6, true },
		{ "\x48\x8d\x65\xf8\x5b\x5d\xc3", 6, true },
	};
	struct program *p = *state;
	uint64_t a = put_call(p, 100, 800), b = put_call(p, 200, 50);
	size_t i;

	put_frame(p, 60, 0, b);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		uint64_t pc = 900 + i * 16;
		int at = 4 + ends[i].words;

		memcpy(p->code + pc, ends[i].code, 10);
		p->stack[at - 1] = ends[i].is_by_rbp ? word_at(60) : 7;
		p->stack[at] = a;
		begin(p, pc, 4, ends[i].is_by_rbp ? at - 1 : 60);
		assert_int_equal(walk(p, 64), 3);
		assert_int_equal(p->pcs[1], a - 1);
		assert_int_equal(p->pcs[2], b - 1);
		assert_int_equal(p->sps[1], word_at(at + 1));
		assert_int_equal(p->end, UNWIND_COMPLETE);
	}
}

/* rbp of zero is the end of a chain that the leaf itself has left. */
static void
a_leaf_without_frame_is_not_the_first_function(void **state)
{
	struct program *p = *state;
	uint64_t a = put_call(p, 100, 800);

	p->code[900] = 0x90;
	p->stack[6] = a;
	begin(p, 900, 4, 0);
	p->regs.r[X86_RBP] = 0;
	assert_int_equal(walk(p, 64), 2);
	assert_int_equal(p->pcs[1], a - 1);
	assert_int_equal(p->end, UNWIND_GUESSED);
}

static void
a_signal_handler_leads_to_what_it_interrupted(void **state)
{
	static const char code[] = "\x48\xc7\xc0\x0f\0\0\0\x0f\x05";
	struct program *p = *state;
	uint64_t a = put_call(p, 100, 800);
	/* struct ucontext from word 10; registers are 5 words on. */
	enum { FRAME = 10, REGS = FRAME + 5 };

	memcpy(p->code + 500, code, sizeof(code) - 1);
	put_frame(p, 8, 0, CODE + 500);
	p->stack[REGS + 10] = word_at(40);	/* rbp */
	p->stack[REGS + 15] = word_at(38);	/* rsp */
	p->stack[REGS + 16] = CODE + 820;	/* rip */
	put_frame(p, 40, word_at(44), a);
	put_frame(p, 44, 0, 0);
	begin(p, 600, 6, 8);
	assert_int_equal(walk(p, 64), 4);
	assert_int_equal(p->pcs[1], CODE + 500);
	assert_int_equal(p->pcs[2], CODE + 820);
	assert_int_equal(p->pcs[3], a - 1);
	assert_int_equal(p->end, UNWIND_COMPLETE);
}

/* While the kernel is in rt_sigreturn(2) the pc is behind its syscall. */
static void
a_return_from_a_handler_leads_to_what_was_interrupted(void **state)
{
	static const char code[] = "\x48\xc7\xc0\x0f\0\0\0\x0f\x05";
	struct program *p = *state;
	uint64_t a = put_call(p, 100, 800);
	enum { FRAME = 10, REGS = FRAME + 5 };

	memcpy(p->code + 500, code, sizeof(code) - 1);
	p->stack[REGS + 10] = word_at(40);	/* rbp */
	p->stack[REGS + 15] = word_at(38);	/* rsp */
	p->stack[REGS + 16] = CODE + 820;	/* rip */
	put_frame(p, 40, word_at(44), a);
	put_frame(p, 44, 0, 0);
	begin(p, 500 + sizeof(code) - 1, FRAME, 8);
	assert_int_equal(walk(p, 64), 3);
	assert_int_equal(p->pcs[1], CODE + 820);
	assert_int_equal(p->pcs[2], a - 1);
	assert_int_equal(p->end, UNWIND_COMPLETE);
}

static void
of_a_deep_stack_both_ends_stay(void **state)
{
	struct program *p = *state;
	uint64_t inner = put_call(p, 100, 800), outer = put_call(p, 200, 50);
	size_t seen;
	int i;

	for (i = 0; i < 20; i++)
		put_frame(p, 4 + i * 2, word_at(6 + i * 2),
			  i < 18 ? inner : outer);
	put_frame(p, 44, 0, 0);
	begin(p, 820, 2, 4);
	seen = walk(p, 16);
	assert_int_equal(seen, 21);
	assert_int_equal(p->end, UNWIND_DEEP);
	assert_int_equal(unwind_leaf_part(16), 12);
	assert_int_equal(p->pcs[0], CODE + 820);
	assert_int_equal(p->pcs[11], inner - 1);
	assert_int_equal(p->pcs[13], inner - 1);
	assert_int_equal(p->pcs[14], outer - 1);
	assert_int_equal(p->pcs[15], outer - 1);
}

static void
a_walk_without_end_gives_up(void **state)
{
	struct program *p = *state;
	uint64_t a = put_call(p, 100, 800);
	int i;

	for (i = 0; i < 250; i++)
		put_frame(p, 4 + i * 2, word_at(6 + i * 2), a);
	begin(p, 820, 2, 4);
	assert_int_equal(walk(p, 16), unwind_limit(16));
	assert_int_equal(p->end, UNWIND_DEEP);
}

static void
every_form_of_a_call_is_seen_as_one(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
	} calls[] = {
		{ "\xe8\0\0\0\0", 5 },
		{ "\xff\xd0", 2 },			/* *%rax */
		{ "\xff\x14\x24", 3 },		/* *(%rsp) */
		{ "\xff\x55\xf8", 3 },		/* *-8(%rbp) */
		{ "\xff\x54\x24\x08", 4 },		/* *8(%rsp) */
		{ "\xff\x15\0\0\0\0", 6 },	/* *0(%rip) */
		{ "\xff\x92\0\x01\0\0", 6 },	/* *256(%rdx) */
		{ "\xff\x94\x24\0\x01\0\0", 7 },	/* *256(%rsp) */
		{ "\xff\x14\xcd\0\xae\x73\0", 7 },	/* *table(,%rcx,8) */
	};
	struct program *p = *state;
	struct memory memory = { .read = read_program, .ctx = p };
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		uint64_t end = 64 * (i + 1);

		memcpy(p->code + end - calls[i].len, calls[i].bytes,
		       calls[i].len);
		assert_true(unwind_is_after_call(p->maps, &memory,
						 CODE + end));
	}
	assert_false(unwind_is_after_call(p->maps, &memory, CODE + 32));
}

static void
code_without_a_mapping_has_no_callers(void **state)
{
	struct program *p = *state;

	put_frame(p, 4, 12345, 12345);
	begin(p, 0, 2, 4);
	p->regs.r[X86_RIP] = 0xdead0000;
	assert_int_equal(walk(p, 64), 1);
	assert_int_equal(p->pcs[0], 0xdead0000);
	assert_int_equal(p->end, UNWIND_NO_RULE);
}

static void
maps_that_change_are_noticed(void **state)
{
	struct program *p = *state;
	uint64_t a = put_call(p, 100, 800);
	struct mapping gone = { .start = CODE, .end = CODE + CODE_SIZE,
				.path = "" };

	put_frame(p, 4, 0, a);
	begin(p, 820, 2, 4);
	assert_int_equal(walk(p, 64), 2);
	maps_add(p->maps, &gone);
	assert_int_equal(walk(p, 64), 1);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(frame_pointers_lead_to_the_root),
		TEST(a_frame_that_points_at_itself_ends_the_walk),
		TEST(a_stack_that_cannot_be_read_is_cut),
		TEST(a_word_that_no_call_left_is_no_caller),
		TEST(before_its_first_push_a_function_has_its_caller_on_top),
		TEST(a_leaf_on_its_way_out_has_its_caller_above),
		TEST(a_leaf_without_frame_is_not_the_first_function),
		TEST(a_signal_handler_leads_to_what_it_interrupted),
		TEST(a_return_from_a_handler_leads_to_what_was_interrupted),
		TEST(of_a_deep_stack_both_ends_stay),
		TEST(a_walk_without_end_gives_up),
		TEST(every_form_of_a_call_is_seen_as_one),
		TEST(code_without_a_mapping_has_no_callers),
		TEST(maps_that_change_are_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
