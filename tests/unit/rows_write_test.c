/* SPDX-License-Identifier: MIT */
#include "symbols/rows_write.h"

#include "core/base.h"
#include "symbols/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rule
sp(int32_t cfa)
{
	return (struct rule){ .kind = RULE_SP, .cfa = cfa };
}

static void
say(struct rows_writer *w, uint64_t offset, struct rule rule)
{
	rows_writer_rule(w, offset, &rule);
}

static int32_t
cfa_at(const struct rows *rows, uint64_t offset)
{
	const struct rule *rule = rows_rule(rows, offset);

	assert_non_null(rule);
	return rule->kind == RULE_SP ? rule->cfa : -1;
}

static void
open_image(const struct writer *image, struct rows *rows)
{
	assert_true(rows_open(image->bytes, image->len, rows));
}

static void
a_rule_holds_up_to_the_next(void **state)
{
	struct rows_writer *w = rows_writer_new(1, 3, false);
	struct writer image = { 0 };
	struct rows rows;

	(void)state;
	say(w, 0x10010, sp(8));
	say(w, 0x10011, sp(16));
	say(w, 0x30000, sp(8));
	rows_writer_finish(w, &image);
	open_image(&image, &rows);
	assert_int_equal(rows_rule(&rows, 0x1000f)->kind, RULE_NONE);
	assert_int_equal(cfa_at(&rows, 0x10010), 8);
	assert_int_equal(cfa_at(&rows, 0x10011), 16);
	assert_int_equal(cfa_at(&rows, 0x2ffff), 16);
	assert_int_equal(cfa_at(&rows, 0x30000), 8);
	assert_int_equal(cfa_at(&rows, 0x3ffff), 8);
	assert_int_equal(rows.header->rows, 5);
	assert_int_equal(rows.header->rules, 3);
	writer_free(&image);
}

/* Rows about the ends of parts, and parts without any. */
static void
a_rule_holds_beyond_the_part_it_begins_in(void **state)
{
	static const uint64_t at[] = {
		0x10000, 0x11fff, 0x12000, 0x12001, 0x17ffe, 0x1e000, 0x1ffff,
		0x20000, 0x2dfff,
	};
	struct rows_writer *w = rows_writer_new(1, 2, false);
	struct writer image = { 0 };
	struct rows rows;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(at); i++)
		say(w, at[i], sp((int32_t)i * 8));
	rows_writer_finish(w, &image);
	open_image(&image, &rows);
	for (i = 0; i < ARRAY_LEN(at); i++) {
		uint64_t end = i + 1 < ARRAY_LEN(at) ? at[i + 1] : 0x30000;

		assert_int_equal(cfa_at(&rows, at[i]), i * 8);
		assert_int_equal(cfa_at(&rows, end - 1), i * 8);
	}
	writer_free(&image);
}

static void
equal_neighbours_make_one_row(void **state)
{
	struct rows_writer *w = rows_writer_new(0, 1, false);
	struct writer image = { 0 };
	struct rows rows;

	(void)state;
	say(w, 0x10, sp(8));
	say(w, 0x20, sp(8));
	say(w, 0x30, sp(16));
	say(w, 0x30, sp(8));
	say(w, 0x40, sp(24));
	say(w, 0x40, sp(32));
	rows_writer_finish(w, &image);
	open_image(&image, &rows);
	assert_int_equal(rows.header->rows, 3);
	assert_int_equal(cfa_at(&rows, 0x3f), 8);
	assert_int_equal(cfa_at(&rows, 0x40), 32);
	writer_free(&image);
}

static void
what_lies_outside_of_the_pages_is_cut(void **state)
{
	struct rows_writer *w = rows_writer_new(2, 1, false);
	struct writer image = { 0 };
	struct rows rows;

	(void)state;
	say(w, 0x100, sp(8));
	say(w, 0x1fff0, sp(16));
	say(w, 0x20008, sp(24));
	say(w, 0x30000, sp(32));
	say(w, UINT64_MAX, sp(40));
	rows_writer_finish(w, &image);
	open_image(&image, &rows);
	assert_int_equal(cfa_at(&rows, 0x20000), 16);
	assert_int_equal(cfa_at(&rows, 0x2ffff), 24);
	assert_int_equal(rows.header->rows, 2);
	writer_free(&image);
}

static void
an_offset_that_descends_keeps_rows_sorted(void **state)
{
	struct rows_writer *w = rows_writer_new(0, 2, false);
	struct writer image = { 0 };
	struct rows rows;

	(void)state;
	say(w, 0x10020, sp(8));
	say(w, 0x10, sp(16));
	rows_writer_finish(w, &image);
	open_image(&image, &rows);
	assert_int_equal(rows_rule(&rows, 0x1001f)->kind, RULE_NONE);
	assert_int_equal(cfa_at(&rows, 0x10020), 16);
	writer_free(&image);
}

static void
too_many_rules_become_none_and_are_counted(void **state)
{
	struct rows_writer *w = rows_writer_new(0, 2, false);
	struct writer image = { 0 };
	struct rows rows;
	uint32_t i;

	(void)state;
	for (i = 0; i < 0x10010; i++)
		say(w, i, sp((int32_t)i));
	assert_int_equal(rows_writer_dropped(w), 0x11);
	rows_writer_finish(w, &image);
	open_image(&image, &rows);
	assert_int_equal(rows.header->rules, ROWS_RULES_MAX);
	assert_int_equal(cfa_at(&rows, 0xfffe), 0xfffe);
	assert_int_equal(rows_rule(&rows, 0xffff)->kind, RULE_NONE);
	assert_int_equal(rows_rule(&rows, 0x1000f)->kind, RULE_NONE);
	writer_free(&image);
}

/* CFA = rbx + 24 and a return address in rdi, with a program for r12. */
static struct full_rule
odd_rule(void)
{
	struct full_rule full;

	rules_begin(&full);
	full.cfa = (struct column){ COLUMN_REG, X86_RBX, 0, 24 };
	full.r[X86_RIP] = (struct column){ COLUMN_REG, X86_RDI, 0, 0 };
	full.r[X86_R12] = (struct column){ COLUMN_AT_CODE, 0, 2, 1 };
	return full;
}

static void
an_odd_rule_is_kept_in_full_with_its_programs(void **state)
{
	const struct op ops[] = {
		{ .code = OP_DUP },
		{ .code = OP_REG, .reg = X86_RAX, .value = 8 },
		{ .code = OP_DEREF, .reg = 8 },
	};
	struct rows_writer *w = rows_writer_new(0, 1, false);
	struct full_rule odd = odd_rule();
	struct writer image = { 0 };
	const struct full_rule *found;
	struct rows rows;

	(void)state;
	rows_writer_full(w, 0x10, &odd, ops);
	say(w, 0x20, sp(8));
	rows_writer_full(w, 0x30, &odd, ops);
	rows_writer_finish(w, &image);
	open_image(&image, &rows);
	assert_int_equal(rows.header->fulls, 1);
	assert_int_equal(rows.header->ops, 2);
	assert_int_equal(rows_rule(&rows, 0x30)->kind, RULE_FULL);
	found = rows_full(&rows, (uint64_t)rows_rule(&rows, 0x30)->cfa);
	assert_non_null(found);
	assert_int_equal(found->r[X86_RIP].reg, X86_RDI);
	assert_int_equal(found->r[X86_R12].ops, 2);
	assert_memory_equal(rows.ops + found->r[X86_R12].value, ops + 1,
			    2 * sizeof(*ops));
	writer_free(&image);
}

static void
a_full_table_has_full_rules_only(void **state)
{
	struct rows_writer *w = rows_writer_new(0, 1, true);
	const struct rule saved = { .kind = RULE_BP, .rbp = -2, .cfa = 16 };
	const struct full_rule *found;
	struct writer image = { 0 };
	struct rows rows;

	(void)state;
	rows_writer_rule(w, 0x10, &saved);
	rows_writer_finish(w, &image);
	open_image(&image, &rows);
	assert_int_equal(rows.header->rules, 0);
	assert_int_equal(rows_full_at(&rows, 0)->cfa.how, COLUMN_UNDEFINED);
	found = rows_full_at(&rows, 0x10);
	assert_int_equal(found->cfa.reg, X86_RBP);
	assert_int_equal(found->r[X86_RBP].value, -16);
	assert_int_equal(found->r[X86_RIP].value, -8);
	assert_int_equal(found->r[X86_RAX].how, COLUMN_UNDEFINED);
	writer_free(&image);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_holds_up_to_the_next),
		cmocka_unit_test(a_rule_holds_beyond_the_part_it_begins_in),
		cmocka_unit_test(equal_neighbours_make_one_row),
		cmocka_unit_test(what_lies_outside_of_the_pages_is_cut),
		cmocka_unit_test(an_offset_that_descends_keeps_rows_sorted),
		cmocka_unit_test(too_many_rules_become_none_and_are_counted),
		cmocka_unit_test(an_odd_rule_is_kept_in_full_with_its_programs),
		cmocka_unit_test(a_full_table_has_full_rules_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
