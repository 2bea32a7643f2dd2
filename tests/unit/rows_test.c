/* SPDX-License-Identifier: MIT */
#include "core/rows.h"

#include "core/base.h"
#include "core/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Two pages from the file's third one; the second has no row at all. */
static void
write_table(struct writer *w, uint32_t is_full)
{
	const struct rows_header header = {
		.magic = ROWS_MAGIC, .is_full = is_full, .first = 2,
		.pages = 2, .rows = 3, .rules = 2, .fulls = 1, .ops = 1,
	};
	uint32_t starts[2 * ROWS_PARTS + 1] = { 0 };
	const uint32_t rows[] = { 0x00000001, 0x00100000, 0x01000001 };
	const struct rule rules[] = {
		{ .kind = RULE_SP, .cfa = 8 }, { .kind = RULE_NONE },
	};
	struct full_rule full = { .cfa = { .how = COLUMN_IS_CODE, .ops = 1 } };
	const struct op op = { .code = OP_REG, .reg = X86_RBX };
	size_t i;

	for (i = 1; i < ARRAY_LEN(starts); i++)
		starts[i] = 3;
	writer_bytes(w, &header, sizeof(header));
	writer_bytes(w, starts, sizeof(starts));
	writer_bytes(w, rows, sizeof(rows));
	writer_bytes(w, rules, sizeof(rules));
	writer_bytes(w, &full, sizeof(full));
	writer_bytes(w, &op, sizeof(op));
}

static void
the_row_in_force_is_found(void **state)
{
	struct writer w = { 0 };
	struct rows rows;

	(void)state;
	write_table(&w, 0);
	assert_true(rows_open(w.bytes, w.len, &rows));
	assert_int_equal(rows_rule(&rows, 0x20000)->kind, RULE_NONE);
	assert_int_equal(rows_rule(&rows, 0x2000f)->kind, RULE_NONE);
	assert_int_equal(rows_rule(&rows, 0x20010)->kind, RULE_SP);
	assert_int_equal(rows_rule(&rows, 0x200ff)->kind, RULE_SP);
	assert_int_equal(rows_rule(&rows, 0x20100)->kind, RULE_NONE);
	assert_int_equal(rows_rule(&rows, 0x2ffff)->kind, RULE_NONE);
	writer_free(&w);
}

static void
other_code_has_no_rule(void **state)
{
	struct writer w = { 0 };
	struct rows rows;

	(void)state;
	write_table(&w, 0);
	assert_true(rows_open(w.bytes, w.len, &rows));
	assert_true(rows_has(&rows, 0x3ffff));
	assert_null(rows_rule(&rows, 0x30000));
	assert_false(rows_has(&rows, 0x1ffff));
	assert_false(rows_has(&rows, 0x40000));
	assert_null(rows_rule(&rows, 0x1ffff));
	assert_null(rows_rule(&rows, 0x40000));
	assert_null(rows_rule(&rows, UINT64_MAX));
	assert_null(rows_full_at(&rows, 0x20010));
	writer_free(&w);
}

/* Cut anywhere it does not open; with any byte changed it is not left. */
static void
a_damaged_image_is_not_read_beyond(void **state)
{
	struct writer w = { 0 };
	struct rows rows;
	uint8_t *copy;
	size_t i, bit;

	(void)state;
	write_table(&w, 1);
	for (i = 0; i < w.len; i++) {
		copy = malloc(i + 1);
		memcpy(copy, w.bytes, i);
		assert_false(rows_open(copy, i, &rows));
		free(copy);
	}
	copy = malloc(w.len);
	for (i = 0; i < w.len; i++) {
		for (bit = 0; bit < 8; bit++) {
			memcpy(copy, w.bytes, w.len);
			copy[i] ^= (uint8_t)(1u << bit);
			if (!rows_open(copy, w.len, &rows))
				continue;
			rows_rule(&rows, 0x20010);
			rows_full_at(&rows, 0x20010);
			rows_full_at(&rows, 0x20100);
		}
	}
	free(copy);
	writer_free(&w);
}

static void
a_program_outside_of_the_image_is_no_rule(void **state)
{
	struct writer w = { 0 };
	struct rows rows;
	struct full_rule *full;

	(void)state;
	write_table(&w, 1);
	assert_true(rows_open(w.bytes, w.len, &rows));
	assert_non_null(rows_full_at(&rows, 0x20010));
	full = (struct full_rule *)(uintptr_t)rows.fulls;
	full->cfa.ops = 2;
	assert_null(rows_full_at(&rows, 0x20010));
	full->cfa.ops = 1;
	full->cfa.value = -1;
	assert_null(rows_full_at(&rows, 0x20010));
	full->cfa.value = 0;
	full->r[X86_RBX].reg = X86_COUNT;
	assert_null(rows_full_at(&rows, 0x20010));
	assert_null(rows_full(&rows, 1));
	writer_free(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_row_in_force_is_found),
		cmocka_unit_test(other_code_has_no_rule),
		cmocka_unit_test(a_damaged_image_is_not_read_beyond),
		cmocka_unit_test(a_program_outside_of_the_image_is_no_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
