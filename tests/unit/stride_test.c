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
	assert_in_range(found, 10000, count - 1);
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
		{ .kind = RULE_SP, .cfa = 16, .rbp = -1024 },
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
	struct rule last = { .kind = RULE_SP, .cfa = 16384, .rbp = -1023 };
	size_t i;

	w->state.regs.r[X86_RBP] = STACK;
	for (i = 0; i < ARRAY_LEN(rules); i++) {
		stride_keep(w->stride, CODE + i, false, &rules[i]);
		assert_int_equal(walk(w, CODE + i, false, 0), 0);
	}
	stride_keep(w->stride, BEYOND + 5, false, &last);
	assert_int_equal(walk(w, BEYOND + 5, false, 0), 0);
	w->stack[2048 - 1023] = 77;
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
