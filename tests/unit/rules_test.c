/* SPDX-License-Identifier: MIT */
#include "symbols/rules.h"

#include "core/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
each_compact_rule_comes_back_from_its_full_form(void **state)
{
	static const struct rule rules[] = {
		{ .kind = RULE_NONE },
		{ .kind = RULE_FP },
		{ .kind = RULE_END },
		{ .kind = RULE_SP, .cfa = 8 },
		{ .kind = RULE_SP, .rbp = -2, .cfa = INT32_MAX },
		{ .kind = RULE_BP, .rbp = -2, .cfa = 16 },
		{ .kind = RULE_BP, .rbp = INT16_MIN, .cfa = -16 },
		{ .kind = RULE_REG, .reg = X86_R10, .cfa = 0 },
		{ .kind = RULE_PLT, .cfa = 11 },
		{ .kind = RULE_PLT, .cfa = 10 },
		{ .kind = RULE_DEREF, .reg = X86_RSP, .cfa = 0x80078 },
		{ .kind = RULE_DEREF, .reg = X86_RBP, .cfa = 0xfff8 },
		{ .kind = RULE_SIGNAL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
		struct op ops[RULES_OPS_MAX];
		struct full_rule full;
		struct rule back;
		size_t nops;

		rules_lengthen(&rules[i], &full, ops, &nops);
		assert_true(nops <= RULES_OPS_MAX);
		assert_true(rules_shorten(&full, ops, &back));
		assert_memory_equal(&back, &rules[i], sizeof(back));
	}
}

/* Only who leaves for an exception's handler keeps rax and rdx. */
static void
who_keeps_what_a_handler_is_told_leaves(void **state)
{
	const struct column kept = { COLUMN_AT_CFA, 0, 0, -72 };
	struct full_rule full;
	struct rule rule;

	(void)state;
	rules_begin(&full);
	full.cfa = (struct column){ COLUMN_REG, X86_RBP, 0, 16 };
	full.r[X86_RAX] = kept;
	assert_true(rules_shorten(&full, NULL, &rule));
	assert_int_equal(rule.reg, 0);
	full.r[X86_RDX] = kept;
	assert_true(rules_shorten(&full, NULL, &rule));
	assert_int_equal(rule.kind, RULE_BP);
	assert_int_equal(rule.reg, RULE_LEAVES);
}

static struct full_rule
usual(void)
{
	struct full_rule full;

	rules_begin(&full);
	full.cfa = (struct column){ COLUMN_REG, X86_RSP, 0, 16 };
	return full;
}

static bool
is_short(const struct full_rule *full, const struct op *ops)
{
	struct rule rule;

	return rules_shorten(full, ops, &rule);
}

static void
what_a_compact_rule_cannot_say_is_not_shortened(void **state)
{
	struct full_rule full = usual();

	(void)state;
	assert_true(is_short(&full, NULL));
	full.r[X86_RIP].value = -16;
	assert_false(is_short(&full, NULL));
	full = usual();
	full.r[X86_RIP] = (struct column){ COLUMN_REG, X86_RDI, 0, 0 };
	assert_false(is_short(&full, NULL));
	full = usual();
	full.r[X86_RSP].value = 8;
	assert_false(is_short(&full, NULL));
	full = usual();
	full.r[X86_RBP] = (struct column){ COLUMN_AT_CFA, 0, 0, -12 };
	assert_false(is_short(&full, NULL));
	full.r[X86_RBP].value = 0;
	assert_false(is_short(&full, NULL));
	full.r[X86_RBP].value = 8 * INT16_MAX + 8;
	assert_false(is_short(&full, NULL));
	full.r[X86_RBP] = (struct column){ .how = COLUMN_UNDEFINED };
	assert_false(is_short(&full, NULL));
	full = usual();
	full.is_signal = 1;
	assert_false(is_short(&full, NULL));
}

static void
a_program_that_is_nearly_a_known_one_is_not_shortened(void **state)
{
	struct op ops[RULES_OPS_MAX];
	struct full_rule full;
	size_t nops;

	(void)state;
	rules_lengthen(&(struct rule){ .kind = RULE_PLT, .cfa = 11 }, &full,
		       ops, &nops);
	ops[7].code = OP_SHR;
	assert_false(is_short(&full, ops));
	rules_lengthen(&(struct rule){ .kind = RULE_DEREF, .reg = X86_RSP },
		       &full, ops, &nops);
	ops[1].reg = 4;
	assert_false(is_short(&full, ops));
	ops[1].reg = 8;
	ops[0].value = INT16_MAX + 1;
	assert_false(is_short(&full, ops));
	rules_lengthen(&(struct rule){ .kind = RULE_DEREF, .cfa = 0x10000 },
		       &full, ops, &nops);
	ops[2].value = -8;
	assert_false(is_short(&full, ops));
	rules_lengthen(&(struct rule){ .kind = RULE_SIGNAL }, &full, ops,
		       &nops);
	full.r[X86_RIP] = (struct column){ COLUMN_AT_CFA, 0, 0, -8 };
	assert_false(is_short(&full, ops));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			each_compact_rule_comes_back_from_its_full_form),
		cmocka_unit_test(who_keeps_what_a_handler_is_told_leaves),
		cmocka_unit_test(
			what_a_compact_rule_cannot_say_is_not_shortened),
		cmocka_unit_test(
			a_program_that_is_nearly_a_known_one_is_not_shortened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
