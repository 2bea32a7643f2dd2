/* SPDX-License-Identifier: MIT */
/*
 * walk_fuzz.c - a walk by any tables, from any registers over any stack and
 * any code: it ends, within bounds, and finds the same with and without its
 * caches and its shortcut to the stack.
 *
 * The input is taken byte by byte: what kind of world it is, then two tables
 * that open but mean anything, registers, code and stack. Most words are
 * made to point somewhere: into the code, the stack, or just beside.
 */
#include "sampler/unwind/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#define CODE 0x400000ull
#define CODE_SIZE 4096u
#define STACK 0x7ffe0000ull
#define STACK_WORDS 128
#define MAX 16
/* A step reads for 17 registers, each by a program; and 64 words at a guess,
   for each of which code is looked at. */
#define READS_A_FRAME (17 * (ROWS_OPS_MAX + 1) + 64 * 8)

struct world {
	uint8_t code[CODE_SIZE];
	uint64_t stack[STACK_WORDS];
	struct writer image[2];
	struct rows rows[2];
	enum rows_state state[2];
	struct maps *maps;
	struct regs regs;
	size_t reads;
};

struct result {
	uint64_t pcs[MAX], sps[MAX];
	size_t n;
	enum unwind_end end;
};

static bool
copy_from(const void *from, uint64_t start, size_t size, uint64_t addr,
	  void *buf, size_t len)
{
	if (addr < start || addr - start > size ||
	    len > size - (addr - start))
		return false;
	memcpy(buf, (const uint8_t *)from + (addr - start), len);
	return true;
}

static bool
read_world(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct world *w = ctx;

	w->reads++;
	return copy_from(w->code, CODE, CODE_SIZE, addr, buf, len) ||
	       copy_from(w->stack, STACK, sizeof(w->stack), addr, buf, len);
}

static enum rows_state
find(void *ctx, const struct mapping *mapping, uint64_t offset, bool is_full,
     struct rows *out)
{
	struct world *w = ctx;

	(void)offset;
	maps_set_module(w->maps, mapping->start, 3);
	*out = w->rows[is_full];
	return w->state[is_full];
}

/* --- a world */

static void
take(struct reader *r, void *to, size_t n)
{
	size_t left = (size_t)(r->end - r->at);

	memset(to, 0, n);
	memcpy(to, r->at, n < left ? n : left);
	r->at += n < left ? n : left;
}

static uint64_t
take_word(struct reader *r)
{
	uint8_t kind = reader_u8(r);

	switch (kind & 7) {
	case 0:
		return CODE + reader_u16(r) % CODE_SIZE;
	case 1:
		return UINT64_MAX - reader_u8(r);
	case 2:
		return reader_u64(r);
	case 3:
		return STACK + reader_u16(r);
	case 4:
		return kind >> 3;
	default:
		return STACK + (uint64_t)(reader_u8(r) % STACK_WORDS) * 8;
	}
}

/* A small number more often than a big one. */
static int32_t
take_number(struct reader *r)
{
	uint8_t kind = reader_u8(r);

	if (kind < 200)
		return (kind - 100) * 8;
	return kind < 250 ? (int8_t)reader_u8(r) : (int32_t)reader_u32(r);
}

/* Sound unless IS_WILD: one column that is not spoils the whole rule. */
static struct column
take_column(struct reader *r, uint32_t ops, bool is_wild)
{
	struct column column = {
		.how = reader_u8(r) % (is_wild ? 256 : COLUMN_HOWS),
		.reg = reader_u8(r) % (is_wild ? 256 : X86_COUNT),
		.value = take_number(r),
	};

	if (is_wild || (column.how != COLUMN_AT_CODE &&
			column.how != COLUMN_IS_CODE))
		return column;
	column.value = (int32_t)(reader_u8(r) % (ops + 1));
	column.ops = reader_u8(r) % (ops - (uint32_t)column.value + 1);
	return column;
}

static struct full_rule
take_full(struct reader *r, uint32_t ops)
{
	uint8_t kind = reader_u8(r);
	struct full_rule full = { .cfa = take_column(r, ops, kind == 1) };
	uint32_t i;

	for (i = 0; i < X86_COUNT; i++)
		full.r[i] = take_column(r, ops, kind == 2);
	full.is_signal = kind / 4 % 4 == 0;
	full.is_usual_fp = kind / 16 % 2;
	return full;
}

static struct rule
take_rule(struct reader *r, uint32_t fulls)
{
	uint8_t kind = reader_u8(r);
	struct rule rule = {
		.kind = kind < 240 ? kind % RULE_KINDS : kind,
		.reg = reader_u8(r) % (X86_COUNT + 1),
		.rbp = (int8_t)reader_u8(r),
		.cfa = take_number(r),
	};

	if (rule.kind == RULE_FULL)
		rule.cfa = reader_u8(r) % ((int32_t)fulls + 1);
	return rule;
}

static void
take_contents(struct reader *r, struct writer *w,
	      const struct rows_header *h)
{
	uint32_t i, things = h->is_full ? h->fulls : h->rules;

	for (i = 0; i < h->rows; i++)
		writer_u32(w, (uint32_t)reader_u8(r) << 20 |
			      reader_u8(r) % (things + 1));
	for (i = 0; i < h->rules; i++) {
		struct rule rule = take_rule(r, h->fulls);

		writer_bytes(w, &rule, sizeof(rule));
	}
	for (i = 0; i < h->fulls; i++) {
		struct full_rule full = take_full(r, h->ops);

		writer_bytes(w, &full, sizeof(full));
	}
	for (i = 0; i < h->ops; i++) {
		struct op op = { .code = reader_u8(r) % (OP_CODES + 1),
				 .reg = reader_u8(r) % (X86_COUNT + 1),
				 .value = take_number(r) };

		if (op.code == OP_DEREF && op.reg % 3)
			op.reg = 8;
		writer_bytes(w, &op, sizeof(op));
	}
}

static void
take_table(struct reader *r, struct world *w, bool is_full)
{
	struct rows_header h = {
		.magic = ROWS_MAGIC, .is_full = is_full, .pages = 1,
		.rows = reader_u8(r) % 12, .fulls = reader_u8(r) % 6,
		.rules = is_full ? 0 : reader_u8(r) % 12,
		.ops = reader_u8(r) % 32,
	};
	struct writer *image = &w->image[is_full];

	writer_bytes(image, &h, sizeof(h));
	for (uint32_t part = 0; part <= ROWS_PARTS; part++)
		writer_u32(image, part ? h.rows : 0);
	take_contents(r, image, &h);
	if (!rows_open(image->bytes, image->len, &w->rows[is_full]))
		abort();
	w->state[is_full] = reader_u8(r) % 16 == 0 ? ROWS_ASKED :
			    reader_u8(r) % 16 == 0 ? ROWS_MISSING : ROWS_HERE;
}

static void
take_world(struct reader *r, struct world *w)
{
	struct mapping mapping = { .start = CODE, .end = CODE + CODE_SIZE,
				   .path = "", .inode = 1,
				   .is_executable = true,
				   .kind = MODULE_LIBRARY };
	uint8_t kind = reader_u8(r);
	size_t i;

	w->maps = maps_new();
	if (kind & 1)
		mapping.end -= 100;
	if (kind & 2)	/* as of a thread that sleeps */
		w->regs.missing = UINT32_MAX & ~((uint32_t)1 << X86_RIP |
						 (uint32_t)1 << X86_RSP);
	maps_add(w->maps, &mapping);
	take_table(r, w, false);
	take_table(r, w, true);
	for (i = 0; i < X86_COUNT; i++)
		w->regs.r[i] = take_word(r);
	/* Calls everywhere, so that most addresses can be returned to. */
	memset(w->code, reader_u8(r), CODE_SIZE);
	if (reader_u8(r) % 4)
		for (i = 0; i + 5 <= CODE_SIZE; i += 5)
			w->code[i] = 0xe8;
	take(r, w->code + reader_u16(r) % (CODE_SIZE - 64), 64);
	for (i = 0; i < STACK_WORDS; i++)
		w->stack[i] = take_word(r);
}

/* --- and its walk */

/* By words of its own stack in place of what the kernel would have found. */
static void
walk_trail(struct world *w, struct unwinder *unwinder)
{
	struct memory memory = {
		.read = read_world, .ctx = w, .window = w->stack,
		.window_addr = STACK, .window_len = sizeof(w->stack) / 2,
		.trail = w->stack, .ntrail = STACK_WORDS,
		.trail_fp = w->regs.r[X86_RBP],
	};
	struct result result;
	size_t n = unwind_stack(unwinder, w->maps, &w->regs, &memory, false,
				result.pcs, result.sps, MAX, &result.end);

	if (n > unwind_limit(MAX) || result.end >= UNWIND_END_COUNT)
		abort();
}

static void
walk(struct world *w, struct unwinder *unwinder, bool may_wait,
     bool has_window, struct result *result)
{
	struct memory memory = { .read = read_world, .ctx = w };

	if (has_window) {
		memory.window = w->stack;
		memory.window_addr = STACK;
		memory.window_len = sizeof(w->stack);
	}
	w->reads = 0;
	memset(result, 0, sizeof(*result));
	result->n = unwind_stack(unwinder, w->maps, &w->regs, &memory,
				 may_wait, result->pcs, result->sps, MAX,
				 &result->end);
	if (result->n > unwind_limit(MAX) ||
	    result->end >= UNWIND_END_COUNT ||
	    (result->end == UNWIND_WAITS && !may_wait) ||
	    w->reads > 2 * (result->n + 2) * READS_A_FRAME)
		abort();
}

static void
check_walks(struct world *w, enum unwind_mode mode, bool may_wait)
{
	struct row_source source = { find, w };
	struct unwinder *unwinder = unwind_new(mode, &source);
	struct result first, again;
	int i;

	walk(w, unwinder, may_wait, false, &first);
	for (i = 0; i < 3; i++) {
		unwind_use_cache(unwinder, i != 1);
		walk(w, unwinder, may_wait, i == 2, &again);
		if (memcmp(&first, &again, sizeof(first)))
			abort();
	}
	walk_trail(w, unwinder);
	unwind_free(unwinder);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const enum unwind_mode modes[] = { UNWIND_AUTO, UNWIND_AUTO,
						  UNWIND_CFI, UNWIND_FP };
	struct reader r = reader_of(bytes, len);
	struct world *w = xcalloc(1, sizeof(*w));
	uint8_t kind = reader_u8(&r);

	take_world(&r, w);
	check_walks(w, modes[kind & 3], kind & 4);
	writer_free(&w->image[0]);
	writer_free(&w->image[1]);
	maps_free(w->maps);
	free(w);
	return 0;
}
