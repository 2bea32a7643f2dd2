/* SPDX-License-Identifier: MIT */
/*
 * two_pages.h - a table of rules for a program of two pages of code.
 */
#ifndef TESTS_UNIT_TWO_PAGES_H
#define TESTS_UNIT_TWO_PAGES_H

#include "core/reader.h"
#include "core/rows.h"

/* The CFA is CFA bytes above the stack pointer in the first, and the second
   is outermost. */
static inline void
write_two_pages(struct writer *w, int32_t cfa)
{
	const struct rows_header header = {
		.magic = ROWS_MAGIC, .pages = 2, .rows = 2, .rules = 2,
	};
	const struct rule rules[] = {
		{ .kind = RULE_SP, .cfa = cfa }, { .kind = RULE_END },
	};
	const uint32_t rows[] = { 0, 1 };
	uint32_t part;

	writer_bytes(w, &header, sizeof(header));
	for (part = 0; part <= 2 * ROWS_PARTS; part++)
		writer_u32(w, (part + ROWS_PARTS - 1) / ROWS_PARTS);
	writer_bytes(w, rows, sizeof(rows));
	writer_bytes(w, rules, sizeof(rules));
}

#endif
