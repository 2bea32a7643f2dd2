/* SPDX-License-Identifier: MIT */
/*
 * rows_write.c - rules interned, rows cut into pages.
 *
 * Nearly every call brings a rule that was there before, and most of these
 * one of the last few: a cache by the eight bytes of a rule, without any
 * chain, stands before the index.
 */
#include "symbols/rows_write.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/lookup.h"
#include "symbols/rules.h"

#define CACHE_LOG 8
#define PROGRAMS_MAX ((size_t)1 << 20)	/* ops of all full rules */
#define SITES_MAX 65536
#define ROWS_MAX ((size_t)1 << 26)	/* 256 MiB; libxul has 2.5 million */

struct rows_writer {
	bool is_full;
	uint32_t first, pages;
	uint32_t page;		/* that the last row is on, from FIRST */
	uint64_t page_from;	/* its offset in the file */
	uint32_t rule;		/* in force there, by number */
	uint64_t last;		/* offset of the last row that was said */

	uint32_t *starts;	/* of pages up to PAGE */
	uint32_t *rows;
	size_t nrows, rows_capacity;

	struct rule *rules;
	size_t nrules, rules_capacity;
	struct lookup rule_index;
	struct full_rule *fulls;
	size_t nfulls, fulls_capacity;
	struct lookup full_index;
	struct op *ops;
	size_t nops, ops_capacity;
	struct lookup op_index;	/* by first op of a program */
	struct rows_site *sites;
	size_t nsites, sites_capacity;

	uint64_t keys[1 << CACHE_LOG];	/* the bytes of a rule */
	uint32_t numbers[1 << CACHE_LOG];
	uint64_t dropped;
};

struct program {
	const struct op *ops;
	size_t n;
};

static bool
same_rule(const void *owner, uint32_t id, const void *key)
{
	const struct rows_writer *w = owner;

	return !memcmp(&w->rules[id], key, sizeof(struct rule));
}

static bool
same_full(const void *owner, uint32_t id, const void *key)
{
	const struct rows_writer *w = owner;

	return !memcmp(&w->fulls[id], key, sizeof(struct full_rule));
}

static bool
same_program(const void *owner, uint32_t id, const void *key)
{
	const struct rows_writer *w = owner;
	const struct program *program = key;

	return program->n <= w->nops - id &&
	       !memcmp(w->ops + id, program->ops,
		       program->n * sizeof(*program->ops));
}

/* Where PROGRAM is among the ops of the table. */
static uint32_t
intern_program(struct rows_writer *w, const struct program *program)
{
	uint32_t hash, id;

	if (!program->n)
		return 0;
	hash = hash_bytes(program->ops, program->n * sizeof(*program->ops));
	id = lookup_find(&w->op_index, hash, same_program, w, program);
	if (id != LOOKUP_NONE)
		return id;
	id = (uint32_t)w->nops;
	w->ops = grow(w->ops, w->nops + program->n - 1, &w->ops_capacity,
		      sizeof(*w->ops));
	memcpy(w->ops + id, program->ops, program->n * sizeof(*w->ops));
	w->nops += program->n;
	lookup_add(&w->op_index, hash, id);
	return id;
}

static void
intern_column(struct rows_writer *w, struct column *column,
	      const struct op *ops)
{
	struct program program;

	if (column->how != COLUMN_AT_CODE && column->how != COLUMN_IS_CODE)
		return;
	program = (struct program){ ops + column->value, column->ops };
	column->value = (int32_t)intern_program(w, &program);
}

/* The number of FULL among the table's, or LOOKUP_NONE: too many. */
static uint32_t
intern_full(struct rows_writer *w, const struct full_rule *full,
	    const struct op *ops)
{
	struct full_rule own = *full;
	uint32_t hash, id;

	if (w->nops > PROGRAMS_MAX)
		return LOOKUP_NONE;
	intern_column(w, &own.cfa, ops);
	for (size_t i = 0; i < X86_COUNT; i++)
		intern_column(w, &own.r[i], ops);
	hash = hash_bytes(&own, sizeof(own));
	id = lookup_find(&w->full_index, hash, same_full, w, &own);
	if (id != LOOKUP_NONE)
		return id;
	if (w->nfulls >= ROWS_RULES_MAX)
		return LOOKUP_NONE;
	id = (uint32_t)w->nfulls++;
	w->fulls = grow(w->fulls, id, &w->fulls_capacity, sizeof(*w->fulls));
	w->fulls[id] = own;
	lookup_add(&w->full_index, hash, id);
	return id;
}

static uint32_t
intern_rule(struct rows_writer *w, const struct rule *rule)
{
	uint64_t key;
	uint32_t hash, id;

	memcpy(&key, rule, sizeof(key));
	hash = hash_words(key, 0);
	id = lookup_find(&w->rule_index, hash, same_rule, w, rule);
	if (id != LOOKUP_NONE)
		return id;
	if (w->nrules >= ROWS_RULES_MAX)
		return LOOKUP_NONE;
	id = (uint32_t)w->nrules++;
	w->rules = grow(w->rules, id, &w->rules_capacity, sizeof(*w->rules));
	w->rules[id] = *rule;
	lookup_add(&w->rule_index, hash, id);
	return id;
}

/* The number of RULE as the rows of the table have it. */
static uint32_t
number_of_rule(struct rows_writer *w, const struct rule *rule)
{
	struct op ops[RULES_OPS_MAX];
	struct full_rule full;
	size_t nops;

	if (!w->is_full)
		return intern_rule(w, rule);
	rules_lengthen(rule, &full, ops, &nops);
	return intern_full(w, &full, ops);
}

static uint32_t
number_of_full(struct rows_writer *w, const struct full_rule *full,
	       const struct op *ops)
{
	struct rule rule = { 0 };

	if (w->is_full)
		return intern_full(w, full, ops);
	if (!rules_shorten(full, ops, &rule)) {
		uint32_t id = intern_full(w, full, ops);

		if (id == LOOKUP_NONE)
			return id;
		rule = (struct rule){ .kind = RULE_FULL, .cfa = (int32_t)id };
	}
	return intern_rule(w, &rule);
}

static void
put_row(struct rows_writer *w, uint32_t at, uint32_t rule)
{
	w->rows = grow(w->rows, w->nrows, &w->rows_capacity, sizeof(*w->rows));
	w->rows[w->nrows++] = at << 16 | rule;
}

/* Begin pages up to PAGE with what is in force. */
static void
go_to(struct rows_writer *w, uint32_t page)
{
	while (w->page < page) {
		w->starts[++w->page] = (uint32_t)w->nrows;
		put_row(w, 0, w->rule);
	}
	w->page_from = (uint64_t)(w->first + page) << ROWS_PAGE_LOG;
}

/* From OFFSET on rule number RULE holds, wherever that is. */
static __attribute__((noinline)) void
put_anywhere(struct rows_writer *w, uint64_t offset, uint32_t rule)
{
	uint64_t page;
	uint32_t at, before;

	if (rule == LOOKUP_NONE || w->nrows >= ROWS_MAX) {
		w->dropped++;
		rule = 0;
	}
	w->last = offset > w->last ? offset : w->last;
	page = (w->last >> ROWS_PAGE_LOG) - w->first;
	if (page >= w->pages || rule == w->rule)
		return;
	go_to(w, (uint32_t)page);
	w->rule = rule;
	at = (uint32_t)(w->last & (ROWS_PAGE - 1));
	if (w->rows[w->nrows - 1] >> 16 != at) {
		put_row(w, at, rule);
		return;
	}
	/* Said again: unless it is now as the row before, put right. */
	before = at ? w->rows[w->nrows - 2] & 0xffff : LOOKUP_NONE;
	if (before == rule)
		w->nrows--;
	else
		w->rows[w->nrows - 1] = at << 16 | rule;
}

/*
 * HOT: nearly always on the page of the last row, and behind that. Whether the
 * rule is another one no processor can guess, so there is no branch: a row
 * that says nothing new is written and then not counted.
 */
static inline void
put(struct rows_writer *w, uint64_t offset, uint32_t rule)
{
	uint64_t at = offset - w->page_from;

	if (at >= ROWS_PAGE || offset <= w->last || rule == LOOKUP_NONE ||
	    w->nrows >= ROWS_MAX || w->nrows == w->rows_capacity) {
		put_anywhere(w, offset, rule);
		return;
	}
	w->rows[w->nrows] = (uint32_t)at << 16 | rule;
	w->nrows += rule != w->rule;
	w->last = offset;
	w->rule = rule;
}

struct rows_writer *
rows_writer_new(uint32_t first, uint32_t pages, bool is_full)
{
	struct rows_writer *w = xcalloc(1, sizeof(*w));
	const struct rule none = { .kind = RULE_NONE };

	w->is_full = is_full;
	w->first = first;
	w->pages = pages < ROWS_PAGES_MAX ? pages : ROWS_PAGES_MAX;
	w->starts = xcalloc((size_t)w->pages + 1, sizeof(*w->starts));
	w->last = w->page_from = (uint64_t)first << ROWS_PAGE_LOG;
	memset(w->numbers, 0xff, sizeof(w->numbers));
	w->rule = number_of_rule(w, &none);
	if (w->pages)
		put_row(w, 0, w->rule);
	return w;
}

void
rows_writer_rule(struct rows_writer *w, uint64_t offset,
		 const struct rule *rule)
{
	uint64_t key;
	size_t slot;

	memcpy(&key, rule, sizeof(key));
	slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - CACHE_LOG));
	if (w->keys[slot] != key || w->numbers[slot] == LOOKUP_NONE) {
		w->keys[slot] = key;
		w->numbers[slot] = number_of_rule(w, rule);
	}
	put(w, offset, w->numbers[slot]);
}

void
rows_writer_full(struct rows_writer *w, uint64_t offset,
		 const struct full_rule *full, const struct op *ops)
{
	put(w, offset, number_of_full(w, full, ops));
}

void
rows_writer_site(struct rows_writer *w, const struct rows_site *site)
{
	if (w->nsites >= SITES_MAX)
		return;
	w->sites = grow(w->sites, w->nsites, &w->sites_capacity,
			sizeof(*w->sites));
	w->sites[w->nsites++] = *site;
}

uint64_t
rows_writer_dropped(const struct rows_writer *w)
{
	return w->dropped;
}

/* Where the rows of each part of PAGE begin: a search for each. */
static void
write_starts(const struct rows_writer *w, uint32_t page, struct writer *out)
{
	uint32_t low = w->starts[page], part;

	for (part = 0; part < ROWS_PARTS; part++) {
		uint32_t key = part << (16 + ROWS_PART_LOG);
		uint32_t high = w->starts[page + 1];

		while (low < high) {
			uint32_t middle = low + (high - low) / 2;

			if (w->rows[middle] < key)
				low = middle + 1;
			else
				high = middle;
		}
		writer_u32(out, low);
	}
}

static void
write_image(struct rows_writer *w, struct writer *out)
{
	const struct rows_header header = {
		.magic = ROWS_MAGIC,
		.is_full = w->is_full,
		.first = w->first,
		.pages = w->pages,
		.rows = (uint32_t)w->nrows,
		.rules = (uint32_t)w->nrules,
		.fulls = (uint32_t)w->nfulls,
		.ops = (uint32_t)w->nops,
		.sites = (uint32_t)w->nsites,
	};
	uint32_t page;

	writer_bytes(out, &header, sizeof(header));
	for (page = 0; page < w->pages; page++)
		write_starts(w, page, out);
	writer_u32(out, (uint32_t)w->nrows);
	writer_bytes(out, w->rows, w->nrows * sizeof(*w->rows));
	writer_bytes(out, w->rules, w->nrules * sizeof(*w->rules));
	writer_bytes(out, w->fulls, w->nfulls * sizeof(*w->fulls));
	writer_bytes(out, w->ops, w->nops * sizeof(*w->ops));
	writer_bytes(out, w->sites, w->nsites * sizeof(*w->sites));
}

void
rows_writer_finish(struct rows_writer *w, struct writer *out)
{
	if (w->pages)
		go_to(w, w->pages - 1);
	w->starts[w->pages] = (uint32_t)w->nrows;
	write_image(w, out);
	free(w->starts);
	free(w->rows);
	free(w->rules);
	free(w->fulls);
	free(w->ops);
	free(w->sites);
	lookup_fini(&w->rule_index);
	lookup_fini(&w->full_index);
	lookup_fini(&w->op_index);
	free(w);
}
