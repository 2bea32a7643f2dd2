/* SPDX-License-Identifier: MIT */
#include "sampler/unwind/stride.h"

#include "core/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STACK 0x7ffc00001000u
#define CODE 0x555500000000u
#define BEYOND UINT64_C(0x800000000000)		/* user space */
#define WORDS 4096
#define CALLS 64		/* of a random program */
#define DEPTH 400

struct world {
	struct stride *stride;
	struct memory memory;
	struct walk walk;
	struct state state;
	uint64_t stack[WORDS];
	uint64_t pcs[8], sps[8];
	bool is_root;
};

static int
set_up(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	w->stride = stride_new(true);
	w->memory = (struct memory){
		.window = w->stack, .window_addr = STACK,
		.window_len = sizeof(w->stack),
	};
	w->walk = walk_of(NULL, &w->memory);
	*state = w;
	return 0;
}

static int
tear_down(void **state)
{
	struct world *w = *state;

	stride_free(w->stride);
	free(w);
	return 0;
}

static size_t
go(struct world *w)
{
	return stride_walk(w->stride, NULL, &w->walk, &w->state, w->pcs,
			   w->sps, ARRAY_LEN(w->pcs), &w->is_root);
}

/* A frame whose pc is inside of a call, or is the leaf's own. */
static size_t
walk(struct world *w, uint64_t pc, bool is_leaf, int sp)
{
	uint64_t *r = w->state.regs.r;

	w->state.known = is_leaf ? REGS_ALL : REGS_COMPACT;
	w->walk.is_leaf = is_leaf;
	r[X86_RIP] = pc + !is_leaf;
	r[X86_RSP] = STACK + (uint64_t)((int64_t)sp * 8);
	return go(w);
}

static struct rule
sp(int32_t cfa)
{
	return (struct rule){ .kind = RULE_SP, .cfa = cfa };
}

/* Far more addresses than can be kept: one that is not kept is not walked. */
static void
an_address_has_its_own_rule_or_none(void **state)
{
	struct world *w = *state;
	size_t i, found = 0, count = 60000;

	for (i = 0; i < count; i++) {
		struct rule rule = sp((int32_t)(i % 1000 + 1) * 8);

		stride_keep(w->stride, CODE + i * 7, i % 5 == 0, &rule);
	}
	for (i = 0; i < count; i++) {
		if (!walk(w, CODE + i * 7, i % 5 == 0, 0))
			continue;
		found++;
		assert_int_equal(w->state.regs.r[X86_RSP],
				 STACK + (i % 1000 + 1) * 8);
		assert_int_equal(w->pcs[0], CODE + i * 7);
	}
	assert_in_range(found, 40000, count - 1);
	stride_forget(w->stride);
	for (i = 0; i < count; i++)
		assert_int_equal(walk(w, CODE + i * 7, i % 5 == 0, 0), 0);
}

/* That a leaf was at an address does not say that a call is there. */
static void
a_leaf_and_a_caller_at_one_address_are_two(void **state)
{
	struct world *w = *state;
	struct rule rule = sp(16);

	stride_keep(w->stride, CODE, true, &rule);
	assert_int_equal(walk(w, CODE, true, 0), 1);
	assert_int_equal(walk(w, CODE, false, 0), 0);
	stride_keep(w->stride, CODE + 1, false, &rule);
	assert_int_equal(walk(w, CODE + 1, true, 0), 0);
	assert_int_equal(walk(w, CODE + 1, false, 0), 1);
	/* Nor is it one that no program has. */
	assert_int_equal(walk(w, CODE | BEYOND, false, 0), 0);
}

static void
what_does_not_fit_is_not_kept(void **state)
{
	static const struct rule rules[] = {
		{ .kind = RULE_SP, .cfa = 65536 },
		{ .kind = RULE_SP, .cfa = -8 },
		{ .kind = RULE_SP, .cfa = 16, .rbp = -127 },
		{ .kind = RULE_SP, .cfa = 16, .rbp = 1 },
		{ .kind = RULE_SP, .cfa = 16, .rbp = INT16_MIN },
		{ .kind = RULE_PLT, .cfa = 11 },
		{ .kind = RULE_REG, .cfa = 16, .reg = X86_RBX },
		{ .kind = RULE_BP, .cfa = 16, .rbp = -2, .reg = RULE_LEAVES },
		{ .kind = RULE_FP },
		{ .kind = RULE_NONE },
		{ .kind = RULE_FULL },
		{ .kind = 255, .cfa = 16 },
	};
	struct world *w = *state;
	struct rule last = { .kind = RULE_SP, .cfa = 16384, .rbp = -126 };
	size_t i;

	w->state.regs.r[X86_RBP] = STACK;
	for (i = 0; i < ARRAY_LEN(rules); i++) {
		stride_keep(w->stride, CODE + i, false, &rules[i]);
		assert_int_equal(walk(w, CODE + i, false, 0), 0);
	}
	stride_keep(w->stride, BEYOND + 5, false, &last);
	assert_int_equal(walk(w, BEYOND + 5, false, 0), 0);
	w->stack[2048 - 126] = 77;
	stride_keep(w->stride, CODE, false, &last);
	assert_int_equal(walk(w, CODE, false, 0), 1);
	assert_int_equal(w->state.regs.r[X86_RBP], 77);
}

static void
a_frame_that_is_not_in_the_window_is_left(void **state)
{
	struct world *w = *state;
	struct rule rule = sp(16);
	/* What the leaf has popped: beyond its rsp, and perhaps the window. */
	struct rule popped = { .kind = RULE_SP, .cfa = 8, .rbp = -2 };

	stride_keep(w->stride, CODE + 5, true, &popped);
	assert_int_equal(walk(w, CODE + 5, true, 0), 0);
	assert_int_equal(walk(w, CODE + 5, true, 1), 0);
	stride_keep(w->stride, CODE, false, &rule);
	assert_int_equal(walk(w, CODE, false, WORDS - 2), 1);
	assert_int_equal(walk(w, CODE, false, WORDS - 1), 0);
	assert_int_equal(walk(w, CODE, false, -1), 0);
	assert_int_equal(walk(w, CODE, false, -3), 0);
	w->memory.window_len--;
	w->walk = walk_of(NULL, &w->memory);
	assert_int_equal(walk(w, CODE, false, WORDS - 2), 0);
}

static void
a_frame_by_rbp_is_left_unless_that_is_known(void **state)
{
	struct world *w = *state;
	struct rule rule = { .kind = RULE_BP, .cfa = 16, .rbp = -2 };

	stride_keep(w->stride, CODE, false, &rule);
	stride_keep(w->stride, CODE + 10, false, &(struct rule){
				.kind = RULE_END });
	w->stack[8] = 77;
	w->stack[9] = CODE + 11;
	w->state.regs.r[X86_RBP] = STACK + 64;
	assert_int_equal(walk(w, CODE, false, 0), 2);
	assert_true(w->is_root);
	assert_int_equal(w->sps[1], STACK + 80);
	assert_int_equal(w->state.regs.r[X86_RBP], 77);
	w->state.known &= ~REG_BIT(X86_RBP);
	w->state.regs.r[X86_RBP] = STACK + 64;
	w->state.regs.r[X86_RSP] = STACK;
	w->state.regs.r[X86_RIP] = CODE + 1;
	assert_int_equal(go(w), 0);
	assert_false(w->is_root);
}

/* --- a program whose stack changes by and by */

static uint32_t
random_below(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1103515245 + 12345;
	return (*seed >> 8) % n;
}

/*
 * Frames of 16 bytes and more: return addresses are in the odd words, and rbp
 * in even ones. One call in twelve is the first function's.
 */
static void
keep_random_rules(struct stride *stride, uint32_t seed)
{
	unsigned i;

	for (i = 0; i < CALLS; i++) {
		uint32_t pairs = 1 + random_below(&seed, 3);
		struct rule rule = {
			.kind = random_below(&seed, 4) ? RULE_SP : RULE_BP,
			.cfa = 16 * (int32_t)pairs,
			.rbp = (int16_t)(-2 * (int)random_below(&seed,
								pairs + 1)),
		};

		if (random_below(&seed, 12) == 0)
			rule = (struct rule){ .kind = RULE_END };
		stride_keep(stride, CODE + i, false, &rule);
		/* A leaf there has another one. */
		rule = sp(64 - 16 * (int32_t)pairs);
		stride_keep(stride, CODE + i, true, &rule);
	}
}

static uint64_t
random_word(uint32_t *seed, size_t i)
{
	if (i % 2 && random_below(seed, 64))
		return CODE + random_below(seed, CALLS) + 1;
	return STACK + (i / 2 + random_below(seed, 6)) * 16;
}

struct result {
	uint64_t pcs[DEPTH], sps[DEPTH];
	struct state state;
	size_t n;
	bool is_root;
};

static void
walk_to(const struct world *w, struct stride *stride, size_t room,
	struct result *out)
{
	memset(out, 0, sizeof(*out));
	out->state = w->state;
	out->n = stride_walk(stride, NULL, &w->walk, &out->state, out->pcs,
			     out->sps, room, &out->is_root);
}

/* WORDS of it, which a walk can see from its leaf on. */
static void
show_stack(struct world *w, size_t from)
{
	w->memory.window = w->stack + from;
	w->memory.window_addr = STACK + from * 8;
	w->memory.window_len = sizeof(w->stack) - from * 8;
	w->walk = walk_of(NULL, &w->memory);
}

/* Whatever of the stack is another one, and whatever the registers are. */
static void
frames_of_the_last_walk_are_those_of_this_one(void **state)
{
	struct world *w = *state;
	struct result a, b;
	struct stride *fresh;
	uint32_t seed = 7, i, roots = 0, from, at;

	for (i = 0; i < WORDS; i++)
		w->stack[i] = random_word(&seed, i);
	for (i = 0; i < 30000; i++) {
		if (i % 100 == 0)
			stride_forget(w->stride);
		if (i % 100 == 0)
			keep_random_rules(w->stride, i);
		fresh = stride_new(true);
		keep_random_rules(fresh, i - i % 100);
		at = random_below(&seed, 60);
		if (random_below(&seed, 2))
			w->stack[at] = random_word(&seed, at);
		from = random_below(&seed, 4) * 2;
		show_stack(w, from);
		w->state.known = random_below(&seed, 4) ? REGS_ALL : 0;
		w->walk.is_leaf = random_below(&seed, 2);
		w->state.regs.r[X86_RIP] = CODE + 1 + i % 3;
		w->state.regs.r[X86_RSP] = STACK + from * 8;
		w->state.regs.r[X86_RBP] = STACK + 16 * (3 + i % 3);
		walk_to(w, w->stride, i % 16 ? DEPTH : 9, &a);
		walk_to(w, fresh, i % 16 ? DEPTH : 9, &b);
		stride_free(fresh);
		assert_int_equal(a.n, b.n);
		assert_int_equal(a.is_root, b.is_root);
		assert_memory_equal(a.pcs, b.pcs, sizeof(a.pcs));
		assert_memory_equal(a.sps, b.sps, sizeof(a.sps));
		if (!a.is_root)
			assert_memory_equal(&a.state, &b.state,
					    sizeof(a.state));
		roots += a.is_root && a.n > 4;
	}
	assert_in_range(roots, 5000, 30000);
}

/* What is checked of a stack that has changed ends where it has. */
static void
a_deep_stack_is_the_same_at_its_outer_end(void **state)
{
	struct world *w = *state;
	struct rule rule = sp(16), end = { .kind = RULE_END };
	struct result a;
	size_t i, round;

	stride_keep(w->stride, CODE, false, &rule);
	stride_keep(w->stride, CODE + 8, false, &rule);
	stride_keep(w->stride, CODE + 16, false, &end);
	for (i = 0; i < 300; i++)
		w->stack[2 * i + 1] = CODE + 1 + (i % 2) * 8;
	w->stack[2 * i + 1] = CODE + 17;
	show_stack(w, 0);
	for (round = 0; round < 300; round++) {
		w->state.known = REGS_ALL;
		w->state.regs.r[X86_RIP] = CODE + 1;
		w->state.regs.r[X86_RSP] = STACK;
		w->stack[2 * round + 1] ^= 8;
		walk_to(w, w->stride, DEPTH, &a);
		assert_int_equal(a.n, 302);
		for (i = 1; i < 301; i++)
			assert_int_equal(a.pcs[i], w->stack[2 * i - 1] - 1);
		assert_true(a.is_root);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_address_has_its_own_rule_or_none),
		TEST(a_leaf_and_a_caller_at_one_address_are_two),
		TEST(what_does_not_fit_is_not_kept),
		TEST(a_frame_that_is_not_in_the_window_is_left),
		TEST(a_frame_by_rbp_is_left_unless_that_is_known),
		TEST(frames_of_the_last_walk_are_those_of_this_one),
		TEST(a_deep_stack_is_the_same_at_its_outer_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
