/* SPDX-License-Identifier: MIT */
#include "symbols/rule_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "symbols/rules.h"

static void
reads(struct rule rule, const char *wanted)
{
	char text[256];

	assert_string_equal(rule_text(&rule, text, sizeof(text)), wanted);
}

static void
a_compact_rule_is_a_sentence(void **state)
{
	(void)state;
	reads((struct rule){ RULE_SP, .cfa = 48, .rbp = -2 },
	      "CFA = rsp + 48, rbp at CFA-16, return address at CFA-8");
	reads((struct rule){ RULE_BP, .cfa = 16 },
	      "CFA = rbp + 16, return address at CFA-8");
	reads((struct rule){ RULE_REG, .reg = X86_R10, .cfa = -8 },
	      "CFA = r10 - 8, return address at CFA-8");
	reads((struct rule){ RULE_PLT, .cfa = 11 },
	      "CFA = rsp + 8, or rsp + 16 from byte 11 of each 16 on, return "
	      "address at CFA-8");
	reads((struct rule){ .kind = RULE_END },
	      "the outermost frame: there is no caller");
}

/* rbp - 8 and then + 16, in one number. */
static void
a_rule_by_memory_shows_both_its_sums(void **state)
{
	(void)state;
	reads((struct rule){ RULE_DEREF, .reg = X86_RBP,
			     .cfa = 16 * 65536 + (uint16_t)-8 },
	      "CFA = *(rbp - 8) +16, return address at CFA-8");
	reads((struct rule){ RULE_DEREF, .reg = X86_RBP,
			     .cfa = (uint16_t)-8 },
	      "CFA = *(rbp - 8), return address at CFA-8");
}

static void
a_rule_that_is_damaged_is_called_that(void **state)
{
	(void)state;
	reads((struct rule){ .kind = RULE_KINDS }, "damaged");
	reads((struct rule){ RULE_REG, .reg = 99, .cfa = 8 },
	      "CFA = ? + 8, return address at CFA-8");
}

static void
a_full_rule_tells_of_every_register_that_is_kept(void **state)
{
	struct rows rows = { 0 };
	struct full_rule full;
	char text[512];

	(void)state;
	rules_begin(&full);
	full.cfa = (struct column){ COLUMN_REG, X86_RSP, 0, 48 };
	full.r[X86_RBP] = (struct column){ COLUMN_AT_CFA, 0, 0, -16 };
	full.r[X86_RBX] = (struct column){ COLUMN_REG, X86_RDI, 0, 0 };
	assert_string_equal(
		rule_text_full(&rows, &full, text, sizeof(text)),
		"CFA = rsp + 48, rbx = rdi, rbp at CFA-16, return address at "
		"CFA-8; unchanged: r12 r13 r14 r15");
	full.r[X86_RIP].how = COLUMN_UNDEFINED;
	assert_non_null(strstr(
		rule_text_full(&rows, &full, text, sizeof(text)),
		"no return address"));
	rules_begin(&full);
	assert_non_null(strstr(
		rule_text_full(&rows, &full, text, sizeof(text)), "none:"));
}

static void
a_program_is_told_in_its_order(void **state)
{
	struct op ops[] = {
		{ OP_REG, X86_RSP, 0, 160 }, { OP_DEREF, 8, 0, 0 },
		{ OP_CONST, 0, 0, -3 }, { OP_AND, 0, 0, 0 },
		{ OP_ADD_CONST, 0, 0, 8 }, { OP_PICK, 0, 0, 1 },
	};
	struct rows rows = { .ops = ops };
	struct full_rule full;
	char text[512];

	(void)state;
	rules_begin(&full);
	full.cfa = (struct column){ COLUMN_IS_CODE, 0, 6, 0 };
	full.r[X86_RIP] = (struct column){ COLUMN_AT_CODE, 0, 1, 0 };
	rule_text_full(&rows, &full, text, sizeof(text));
	assert_non_null(strstr(text, "CFA = [rsp + 160, deref 8, -3, and, add "
				     "8, pick 1]"));
	assert_non_null(strstr(text, "return address at [rsp + 160]"));
}

static void
what_does_not_fit_is_cut(void **state)
{
	struct rule rule = { RULE_SP, .cfa = 48, .rbp = -2 };
	char text[12];

	(void)state;
	assert_string_equal(rule_text(&rule, text, sizeof(text)),
			    "CFA = rsp +");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_compact_rule_is_a_sentence),
		cmocka_unit_test(a_rule_by_memory_shows_both_its_sums),
		cmocka_unit_test(a_rule_that_is_damaged_is_called_that),
		cmocka_unit_test(
			a_full_rule_tells_of_every_register_that_is_kept),
		cmocka_unit_test(a_program_is_told_in_its_order),
		cmocka_unit_test(what_does_not_fit_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
