/* SPDX-License-Identifier: MIT */
/*
 * rows_write.h - who knows the rules of some code makes a table of them.
 *
 *	w = rows_writer_new(first, pages, false);
 *	rows_writer_rule(w, 0x1000, &(struct rule){ RULE_SP, .cfa = 8 });
 *	rows_writer_rule(w, 0x1001, &(struct rule){ RULE_SP, .cfa = 16 });
 *	rows_writer_rule(w, 0x1080, &(struct rule){ RULE_NONE });
 *	rows_writer_finish(w, &image);
 *
 * Offsets of the file ascend; each call says what holds from there up to the
 * next call's offset (RULE_NONE before the first). Said twice of one offset,
 * the last one counts; an offset below the last is taken for it. What lies
 * outside of the pages is understood, so a function that begins before them
 * may be said whole.
 *
 * Equal rules are kept once, equal neighbours make one row, and every page
 * begins with a row. There is room for ROWS_RULES_MAX rules and 256 MiB of
 * rows: what comes later becomes RULE_NONE and is counted.
 */
#ifndef SYMBOLS_ROWS_WRITE_H
#define SYMBOLS_ROWS_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/reader.h"
#include "core/rows.h"

struct rows_writer;

/*
 * A table of PAGES pages (at most ROWS_PAGES_MAX) from page FIRST of the file
 * on; IS_FULL: of full rules. Taken by rows_writer_finish().
 */
struct rows_writer *rows_writer_new(uint32_t first, uint32_t pages,
				    bool is_full);

/* From OFFSET on RULE holds, which is not RULE_FULL. The fast way. */
void rows_writer_rule(struct rows_writer *w, uint64_t offset,
		      const struct rule *rule);

/*
 * From OFFSET on FULL holds: a compact rule is made of it where it fits. The
 * programs of its columns are in OPS (column.value is a number in there),
 * which may be NULL if it has none; both are copied.
 */
void rows_writer_full(struct rows_writer *w, uint64_t offset,
		      const struct full_rule *full, const struct op *ops);

/* A call that changes stacks; copied. They belong to the table as a whole. */
void rows_writer_site(struct rows_writer *w, const struct rows_site *site);

/* How many rows became RULE_NONE because there was no room. */
uint64_t rows_writer_dropped(const struct rows_writer *w);

/* Append the image (core/rows.h) to OUT and free W. */
void rows_writer_finish(struct rows_writer *w, struct writer *out);

#endif
