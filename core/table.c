/* SPDX-License-Identifier: MIT */
/*
 * table.c - an array of rows and the way from a row to its number.
 */
#include "core/table.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

static void
append(struct table *table, const void *rows, size_t count)
{
	size_t size = table->kind->size;

	if (!count)
		return;
	table->rows = grow(table->rows, table->count + count - 1,
			   &table->capacity, size);
	memcpy(table->rows + table->count * size, rows, count * size);
	table->count += count;
}

void
table_init(struct table *table, const struct table_kind *kind)
{
	void *zeroes = xcalloc(1, kind->size);

	*table = (struct table){ .kind = kind };
	append(table, zeroes, 1);
	free(zeroes);
}

void
table_fini(struct table *table)
{
	lookup_fini(&table->lookup);
	free(table->rows);
	*table = (struct table){ 0 };
}

void *
table_at(const struct table *table, uint32_t id)
{
	return table->rows + (id < table->count ? id : 0) * table->kind->size;
}

static bool
is_same(const void *owner, uint32_t id, const void *key)
{
	const struct table *table = owner;

	return table->kind->same(table->rows + id * table->kind->size, key);
}

static void
hash_new_rows(struct table *table)
{
	for (; table->hashed < table->count; table->hashed++) {
		uint32_t id = (uint32_t)table->hashed;

		lookup_add(&table->lookup,
			   table->kind->hash(table_at(table, id)), id);
	}
}

uint32_t
table_find(struct table *table, const void *row)
{
	hash_new_rows(table);
	return lookup_find(&table->lookup, table->kind->hash(row), is_same,
			   table, row);
}

uint32_t
table_add(struct table *table, const void *row)
{
	uint32_t id = table_find(table, row);

	return id != LOOKUP_NONE ? id : table_append(table, row);
}

uint32_t
table_append(struct table *table, const void *row)
{
	append(table, row, 1);
	return (uint32_t)(table->count - 1);
}

void
table_take(struct table *dst, const struct table *src)
{
	if (dst->count < src->count)
		append(dst, table_at(src, (uint32_t)dst->count),
		       src->count - dst->count);
}

size_t
table_bytes(const struct table *table)
{
	return table->capacity * table->kind->size +
	       lookup_bytes(&table->lookup);
}
