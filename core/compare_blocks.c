/* SPDX-License-Identifier: MIT */
/*
 * compare_blocks.c - blocks of several profiles one after the other, in the
 * width of the widest, by function.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/compare_private.h"

/* How many blocks of SECONDS those of ONE are. */
static size_t
count_in(const struct blocks *one, unsigned seconds)
{
	size_t each = seconds / one->seconds;

	return (one->count + each - 1) / each;
}

static void
add_series(uint64_t *sum, const uint64_t *series, size_t count, size_t each)
{
	for (size_t i = 0; i < count; i++)
		sum[i / each] += series[i];
}

/* Give every function that has a row somewhere one of its own. */
static size_t
number_rows(struct compare_side *side)
{
	size_t rows = 0;

	for (size_t i = 0; i < side->nkeyed; i++)
		for (size_t k = 0; k < side->keyed[i].blocks->nrows; k++) {
			uint32_t *row = &side->block_row[
				side->keyed[i].keys[k]];

			if (*row == COMPARED_NONE)
				*row = (uint32_t)rows++;
		}
	return rows;
}

static void
add_rows(struct blocks *sum, const struct compare_side *side,
	 const struct keyed_blocks *keyed, size_t at)
{
	const struct blocks *one = keyed->blocks;
	size_t each = sum->seconds / one->seconds;

	add_series(sum->samples + at, one->samples, one->count, each);
	for (size_t k = 0; k < one->nrows; k++) {
		struct block_row *row =
			&sum->rows[side->block_row[keyed->keys[k]]];

		add_series(row->total + at, one->rows[k].total, one->count,
			   each);
		add_series(row->self + at, one->rows[k].self, one->count,
			   each);
	}
}

static struct blocks *
sum_blocks(struct compare_side *side)
{
	size_t count = 0, at = 0, rows = number_rows(side);
	unsigned seconds = 1;
	struct blocks *sum;

	for (size_t i = 0; i < side->nkeyed; i++)
		if (side->keyed[i].blocks->seconds > seconds)
			seconds = side->keyed[i].blocks->seconds;
	for (size_t i = 0; i < side->nkeyed; i++)
		count += count_in(side->keyed[i].blocks, seconds);
	sum = blocks_new(seconds, count, rows);
	for (size_t i = 0; i < side->nkeyed; i++) {
		add_rows(sum, side, &side->keyed[i], at);
		at += count_in(side->keyed[i].blocks, seconds);
	}
	return sum;
}

void
compare_sum_blocks(struct comparison *comparison, enum side which)
{
	struct compare_side *side = &comparison->sides[which];
	size_t keys = strings_count(comparison->texts);
	struct blocks *sum = NULL;

	side->block_row = xcalloc(keys, sizeof(*side->block_row));
	memset(side->block_row, 0xff, keys * sizeof(*side->block_row));
	if (side->nkeyed && !side->lacks_blocks)
		sum = sum_blocks(side);
	inflation_init(&side->inflation, sum);
	blocks_free(sum);
	side->facts.blocks = side->inflation.blocks;
	side->facts.block_seconds = side->inflation.seconds;
	side->facts.inflation = side->inflation.typical;
}
