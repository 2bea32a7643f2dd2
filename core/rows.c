/* SPDX-License-Identifier: MIT */
/*
 * rows.c - lookup in a table of unwind rules.
 */
#include "core/rows.h"

#include "core/base.h"

#define PAGE_MASK (ROWS_PAGE - 1)

/* Cut COUNT things of SIZE bytes off the front of *AT. */
static const void *
take(const uint8_t **at, const uint8_t *end, uint64_t count, size_t size)
{
	const uint8_t *taken = *at;

	if (!taken || count > (size_t)(end - taken) / size) {
		*at = NULL;
		return NULL;
	}
	*at += count * size;
	return taken;
}

static bool
is_ascending(const uint32_t *starts, uint32_t parts, uint32_t rows)
{
	uint32_t i;

	for (i = 0; i < parts; i++)
		if (starts[i] > starts[i + 1])
			return false;
	return starts[0] == 0 && starts[parts] == rows;
}

bool
rows_open(const void *image, size_t len, struct rows *out)
{
	const uint8_t *at = image, *end = at + len;
	const struct rows_header *h;
	uint32_t parts;

	*out = (struct rows){ 0 };
	if ((uintptr_t)image % 8 || len < sizeof(*h))
		return false;
	h = take(&at, end, 1, sizeof(*h));
	if (h->magic != ROWS_MAGIC || h->pages > ROWS_PAGES_MAX ||
	    h->rules > ROWS_RULES_MAX)
		return false;
	parts = h->pages * ROWS_PARTS;
	*out = (struct rows){
		.header = h,
		.starts = take(&at, end, (uint64_t)parts + 1, 4),
		.rows = take(&at, end, h->rows, 4),
		.rules = take(&at, end, h->rules, sizeof(struct rule)),
		.fulls = take(&at, end, h->fulls, sizeof(struct full_rule)),
		.ops = take(&at, end, h->ops, sizeof(struct op)),
		.sites = take(&at, end, h->sites, sizeof(struct rows_site)),
	};
	return at == end && is_ascending(out->starts, parts, h->rows);
}

bool
rows_has(const struct rows *rows, uint64_t offset)
{
	uint64_t page = offset >> ROWS_PAGE_LOG;

	return page >= rows->header->first &&
	       page - rows->header->first < rows->header->pages;
}

/*
 * The number of the rule in force at OFFSET.
 *
 * With branches: of code that is met again and again they are foreseen, and no
 * step of the search waits for the row that the one before has looked at.
 */
static inline bool
find_row(const struct rows *rows, uint64_t offset, uint32_t *rule)
{
	uint64_t part = (offset >> ROWS_PART_LOG) -
			(uint64_t)rows->header->first * ROWS_PARTS;
	uint32_t wanted = (uint32_t)(offset & PAGE_MASK) << 16 | 0xffff;
	const uint32_t *first, *at;
	uint32_t n;

	if (!rows_has(rows, offset))
		return false;
	first = rows->rows + rows->starts[part / ROWS_PARTS * ROWS_PARTS];
	at = rows->rows + rows->starts[part];
	n = rows->starts[part + 1] - rows->starts[part];
	while (n > 0) {
		uint32_t half = n / 2;

		if (at[half] <= wanted) {
			at += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	if (at == first)
		return false;
	*rule = at[-1] & 0xffff;
	return true;
}

const struct rule *
rows_rule(const struct rows *rows, uint64_t offset)
{
	uint32_t rule;

	if (rows->header->is_full || !find_row(rows, offset, &rule) ||
	    rule >= rows->header->rules)
		return NULL;
	return &rows->rules[rule];
}

static bool
is_sound(const struct rows *rows, const struct column *column)
{
	if (column->how >= COLUMN_HOWS || column->reg >= X86_COUNT)
		return false;
	if (column->how != COLUMN_AT_CODE && column->how != COLUMN_IS_CODE)
		return true;
	return column->value >= 0 && column->ops <= ROWS_OPS_MAX &&
	       (uint32_t)column->value <= rows->header->ops &&
	       column->ops <= rows->header->ops - (uint32_t)column->value;
}

const struct full_rule *
rows_full(const struct rows *rows, uint64_t index)
{
	const struct full_rule *full;
	size_t i;

	if (index >= rows->header->fulls)
		return NULL;
	full = &rows->fulls[index];
	for (i = 0; i < X86_COUNT; i++)
		if (!is_sound(rows, &full->r[i]))
			return NULL;
	return is_sound(rows, &full->cfa) ? full : NULL;
}

const struct full_rule *
rows_full_at(const struct rows *rows, uint64_t offset)
{
	uint32_t rule;

	if (!rows->header->is_full || !find_row(rows, offset, &rule))
		return NULL;
	return rows_full(rows, rule);
}
