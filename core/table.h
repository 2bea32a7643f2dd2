/* SPDX-License-Identifier: MIT */
/*
 * table.h - rows of one kind, each once; a row's number is its id.
 *
 * Rows can be searched by content and copied to a second table under the
 * same ids. The copy is hashed only when somebody searches it.
 */
#ifndef CORE_TABLE_H
#define CORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/lookup.h"

/* What a row is. HASH and SAME look at what makes its identity only. */
struct table_kind {
	size_t size;
	uint32_t (*hash)(const void *row);
	bool (*same)(const void *a, const void *b);
};

struct table {
	const struct table_kind *kind;
	char *rows;
	size_t count, capacity;
	struct lookup lookup;
	size_t hashed;		/* rows before this one are in LOOKUP */
};

/* A table whose row 0 is all zeroes. */
void table_init(struct table *table, const struct table_kind *kind);
void table_fini(struct table *table);

/* The id of ROW, or LOOKUP_NONE. */
uint32_t table_find(struct table *table, const void *row);

/* The id of ROW, which is copied if it is new. */
uint32_t table_add(struct table *table, const void *row);

/* The same for a ROW that table_find() has just not found. */
uint32_t table_append(struct table *table, const void *row);

/* Row ID; valid until the next call that adds. Row 0 for an unknown id. */
void *table_at(const struct table *table, uint32_t id);

/* Append what SRC has and DST has not. */
void table_take(struct table *dst, const struct table *src);

size_t table_bytes(const struct table *table);

#endif
