/* SPDX-License-Identifier: MIT */
/*
 * walk.h - a little program with tables of unwind rules: 4 KiB of code, two
 * stacks, and what a test says of each offset. For tests of the walk.
 *
 *	CODE	0x400000, offset 0x1000 of module 7
 *	STACK	512 words	OTHER	64 words, somewhere else
 */
#ifndef TESTS_UNIT_WALK_H
#define TESTS_UNIT_WALK_H

#include "core/base.h"
#include "core/reader.h"
#include "sampler/unwind/unwind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CODE 0x400000ull
#define CODE_SIZE 4096
#define CODE_OFFSET 0x1000u
#define STACK 0x7ffe0000ull
#define STACK_WORDS 512
#define OTHER 0x10000ull
#define OTHER_WORDS 64
#define MODULE 7
#define TABLE_ROWS 16

/* A table in the making: rules in force from an offset in CODE on. */
struct table {
	uint32_t at[TABLE_ROWS];
	struct rule rules[TABLE_ROWS];
	struct full_rule fulls[TABLE_ROWS];
	struct op ops[64];
	uint32_t n, nfulls, nops;
	struct writer image;
	struct rows rows;
	enum rows_state state;
};

struct world {
	uint8_t code[CODE_SIZE];
	uint64_t stack[STACK_WORDS], other[OTHER_WORDS];
	struct table compact, full;
	struct row_source source;
	unsigned asked;			/* how often find() was called */
	struct maps *maps;
	struct unwinder *unwinder;
	struct regs regs;
	uint64_t pcs[64], sps[64];
	enum unwind_end end;
};

static inline bool
copy_from(const void *from, uint64_t start, size_t size, uint64_t addr,
	  void *buf, size_t len)
{
	if (addr < start || addr - start > size ||
	    len > size - (addr - start))
		return false;
	memcpy(buf, (const uint8_t *)from + (addr - start), len);
	return true;
}

static inline bool
read_world(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct world *w = ctx;

	return copy_from(w->code, CODE, CODE_SIZE, addr, buf, len) ||
	       copy_from(w->stack, STACK, sizeof(w->stack), addr, buf, len) ||
	       copy_from(w->other, OTHER, sizeof(w->other), addr, buf, len);
}

static inline enum rows_state
find_rows(void *ctx, const struct mapping *mapping, uint64_t offset,
	  bool is_full, struct rows *out)
{
	struct world *w = ctx;
	struct table *table = is_full ? &w->full : &w->compact;

	w->asked++;
	assert_true(offset >= mapping->file_offset);
	maps_set_module(w->maps, mapping->start, MODULE);
	*out = table->rows;
	return table->state;
}

/* --- tables */

static inline void
add_rule(struct world *w, uint32_t at, struct rule rule)
{
	struct table *table = &w->compact;

	assert_true(table->n < TABLE_ROWS);
	table->at[table->n] = at;
	table->rules[table->n++] = rule;
}

/* Without a row of its own: the number of a rule of the compact table. */
static inline int32_t
add_full_of(struct table *table, struct full_rule full)
{
	assert_true(table->nfulls < TABLE_ROWS);
	table->fulls[table->nfulls] = full;
	return (int32_t)table->nfulls++;
}

static inline void
add_full(struct world *w, uint32_t at, struct full_rule full)
{
	w->full.at[w->full.n++] = at;
	add_full_of(&w->full, full);
}

/* A column with the program of N operations at OPS. */
static inline struct column
program_of(struct table *table, enum column_how how, const struct op *ops,
	   uint16_t n)
{
	struct column column = { .how = (uint8_t)how, .ops = n,
				 .value = (int32_t)table->nops };

	assert_true(table->nops + n <= ARRAY_LEN(table->ops));
	memcpy(table->ops + table->nops, ops, n * sizeof(*ops));
	table->nops += n;
	return column;
}

/* CFA = rsp + SIZE, the return address below it, all else as it is. */
static inline struct full_rule
full_of_size(int32_t size)
{
	return (struct full_rule){
		.cfa = { .how = COLUMN_REG, .reg = X86_RSP, .value = size },
		.r[X86_RSP] = { .how = COLUMN_IS_CFA },
		.r[X86_RIP] = { .how = COLUMN_AT_CFA, .value = -8 },
	};
}

static inline void
close_table(struct table *table, bool is_full)
{
	const struct rows_header header = {
		.magic = ROWS_MAGIC, .is_full = is_full, .pages = 1,
		.rows = table->n, .rules = is_full ? 0 : table->n,
		.fulls = table->nfulls, .ops = table->nops,
	};
	struct writer *w = &table->image;
	uint32_t i;

	writer_bytes(w, &header, sizeof(header));
	/* All code is in one part. */
	for (i = 0; i <= ROWS_PARTS; i++)
		writer_u32(w, i << ROWS_PART_LOG > CODE_OFFSET ? table->n : 0);
	for (i = 0; i < table->n; i++) {
		uint32_t row = (table->at[i] + CODE_OFFSET) << 16 | i;

		writer_bytes(w, &row, sizeof(row));
	}
	if (!is_full)
		writer_bytes(w, table->rules, table->n * sizeof(struct rule));
	writer_bytes(w, table->fulls,
		     table->nfulls * sizeof(struct full_rule));
	writer_bytes(w, table->ops, table->nops * sizeof(struct op));
	assert_true(rows_open(w->bytes, w->len, &table->rows));
}

/* --- the program */

static inline struct world *
world_new(enum unwind_mode mode)
{
	struct world *w = calloc(1, sizeof(*w));
	struct mapping mapping = { .start = CODE, .end = CODE + CODE_SIZE,
				   .file_offset = CODE_OFFSET, .inode = 1,
				   .path = "/bin/world", .is_executable = true,
				   .kind = MODULE_LIBRARY };

	assert_non_null(w);
	w->maps = maps_new();
	maps_add(w->maps, &mapping);
	w->source = (struct row_source){ find_rows, w };
	w->unwinder = unwind_new(mode, &w->source);
	memset(w->code, 0x90, sizeof(w->code));
	return w;
}

static inline void
world_free(struct world *w)
{
	unwind_free(w->unwinder);
	maps_free(w->maps);
	writer_free(&w->compact.image);
	writer_free(&w->full.image);
	free(w);
}

static inline uint64_t
word_at(int i)
{
	return STACK + (uint64_t)((int64_t)i * 8);
}

/* Put a call at CODE + AT; where it returns to. */
static inline uint64_t
put_call(struct world *w, uint64_t at)
{
	w->code[at] = 0xe8;
	return CODE + at + 5;
}

static inline void
begin(struct world *w, uint64_t at, int sp)
{
	w->regs.r[X86_RIP] = CODE + at;
	w->regs.r[X86_RSP] = word_at(sp);
}

/* Again, reading in another way: the frames are the same. */
static inline void
walk_again(struct world *w, const struct memory *memory, bool may_wait,
	   size_t n)
{
	uint64_t pcs[ARRAY_LEN(w->pcs)], sps[ARRAY_LEN(w->sps)];
	enum unwind_end end;

	assert_int_equal(unwind_stack(w->unwinder, w->maps, &w->regs, memory,
				      may_wait, pcs, sps, ARRAY_LEN(pcs),
				      &end), n);
	assert_int_equal(end, w->end);
	if (n > ARRAY_LEN(pcs))
		n = ARRAY_LEN(pcs);
	assert_memory_equal(pcs, w->pcs, n * sizeof(*pcs));
	assert_memory_equal(sps, w->sps, n * sizeof(*sps));
}

/* How many frames; by the tables as they are at the first walk. */
static inline size_t
walk_waiting(struct world *w, bool may_wait)
{
	struct memory memory = { .read = read_world, .ctx = w };
	size_t n;

	if (!w->compact.image.bytes) {
		close_table(&w->compact, false);
		close_table(&w->full, true);
	}
	n = unwind_stack(w->unwinder, w->maps, &w->regs, &memory, may_wait,
			 w->pcs, w->sps, ARRAY_LEN(w->pcs), &w->end);
	walk_again(w, &memory, may_wait, n);
	unwind_use_cache(w->unwinder, false);
	walk_again(w, &memory, may_wait, n);
	memory.window = w->stack;
	memory.window_addr = STACK;
	memory.window_len = sizeof(w->stack);
	/* Once to find the rules, once to go by them at a stride. */
	walk_again(w, &memory, may_wait, n);
	walk_again(w, &memory, may_wait, n);
	/* And once to go by what the last walk had. */
	unwind_use_cache(w->unwinder, true);
	walk_again(w, &memory, may_wait, n);
	walk_again(w, &memory, may_wait, n);
	walk_again(w, &memory, may_wait, n);
	return n;
}

static inline size_t
walk(struct world *w)
{
	return walk_waiting(w, false);
}

#endif
