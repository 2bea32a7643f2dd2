/* SPDX-License-Identifier: MIT */
/*
 * cfi.c - segments, functions, holes: each byte of code gets its rule.
 */
#include "symbols/cfi.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/cfi_code.h"
#include "symbols/cfi_expression.h"
#include "symbols/cfi_holes.h"
#include "symbols/cfi_index.h"
#include "symbols/cfi_program.h"
#include "symbols/rows_write.h"
#include "symbols/rules.h"

/* Long holes are searched for stubs only where there is not more of them. */
#define SEARCHED_MAX ((uint64_t)64 << 20)

struct cfi_file {
	const struct elf *elf;
	const struct go_rows *go;	/* or NULL */
	struct cfi_index index;
	struct cfi_code *codes;
	size_t ncodes;
	uint64_t *starts;	/* of sections of code, in the file; sorted */
	size_t nstarts;
	uint64_t in_holes;	/* bytes of code without FDE */
	enum rule_kind sparse;	/* what holds in short holes */
	struct cfi_counts counts;
};

/* A table in the making. */
struct build {
	struct cfi_file *cfi;
	struct rows_writer *w;
	const struct cfi_code *code;
	uint64_t from, to;	/* part of it that is wanted */
	bool is_full;
	bool goes_on;		/* the last rule may hold in padding */
};

/* The first entry that starts in CODE or behind it. */
static size_t
first_entry(const struct cfi_file *cfi, const struct cfi_code *code)
{
	uint64_t vaddr = code->from + code->bias;
	size_t at = cfi_index_find(&cfi->index, vaddr);

	if (at == cfi->index.n)
		return 0;
	return cfi->index.entries[at].start < vaddr ? at + 1 : at;
}

/* The part of CODE before the next entry, NUMBER, which may be none. */
static uint64_t
start_of(const struct cfi_file *cfi, const struct cfi_code *code, size_t number)
{
	uint64_t end = code->to + code->bias, start = end;

	if (number < cfi->index.n)
		start = cfi->index.entries[number].start;
	return (start < end ? start : end) - code->bias;
}

/* Sum up FDEs and holes, and find the largest one of these. */
static void
survey(struct cfi_file *cfi, struct cfi_hole *largest)
{
	const struct cfi_entry *entries = cfi->index.entries;

	for (size_t i = 0; i < cfi->ncodes; i++) {
		const struct cfi_code *code = &cfi->codes[i];
		size_t at = first_entry(cfi, code);
		uint64_t done = code->from, start;

		if (code->is_go) {
			cfi->counts.covered += code->to - code->from;
			continue;
		}
		for (; done < code->to; at++) {
			start = start_of(cfi, code, at);
			if (start - done > largest->to - largest->from)
				*largest = (struct cfi_hole){ done, start,
							      code->bias };
			cfi->in_holes += start - done;
			if (start == code->to)
				break;
			done = start + entries[at].len;
			if (done > code->to)
				done = code->to;
			cfi->counts.covered += done - start;
		}
	}
}

bool
cfi_file_open(const struct elf *elf, const struct elf *debug,
	      const struct go_rows *go, struct cfi_file **out,
	      struct error *err)
{
	struct cfi_file *cfi = xcalloc(1, sizeof(*cfi));
	struct cfi_hole largest = { 0 };

	cfi->elf = elf;
	cfi->go = go;
	cfi->codes = cfi_codes(elf, go, &cfi->ncodes);
	if (!cfi->ncodes || elf->header.e_machine != EM_X86_64) {
		cfi_file_free(cfi);
		return fail(err, 0, "the file has no code for x86-64");
	}
	cfi->starts = cfi_section_starts(elf, &cfi->nstarts);
	cfi_index_init(&cfi->index, elf, debug);
	survey(cfi, &largest);
	cfi->counts.code = cfi_code_size(elf, cfi->codes, cfi->ncodes);
	cfi->counts.fdes = cfi->index.n;
	cfi->counts.bad_fdes = cfi->index.nbad;
	cfi->counts.has_header = cfi->index.has_header;
	cfi->counts.has_debug = cfi->index.debug.len > 0;
	cfi->sparse = RULE_NONE;
	if (cfi->counts.covered < cfi->counts.code / 2 &&
	    cfi_keeps_fp(elf, &largest))
		cfi->sparse = RULE_FP;
	*out = cfi;
	return true;
}

void
cfi_file_free(struct cfi_file *cfi)
{
	if (!cfi)
		return;
	cfi_index_fini(&cfi->index);
	free(cfi->codes);
	free(cfi->starts);
	free(cfi);
}

void
cfi_file_pages(const struct cfi_file *cfi, uint32_t *first, uint32_t *pages)
{
	uint64_t end = cfi->codes[cfi->ncodes - 1].to + ROWS_PAGE - 1;

	*first = (uint32_t)(cfi->codes[0].from >> ROWS_PAGE_LOG);
	*pages = (uint32_t)(end >> ROWS_PAGE_LOG) - *first;
}

static void
say_none(struct build *b, uint64_t offset)
{
	rows_writer_rule(b->w, offset, &(struct rule){ .kind = RULE_NONE });
	b->goes_on = false;
}

/* The programs of one row: at most one of each register, and of the CFA. */
struct programs {
	struct op ops[(X86_COUNT + 1) * ROWS_OPS_MAX];
	size_t n;
};

/* Compile what COLUMN says, if that is an expression. */
static bool
compile_column(const struct cfi_run *run, struct column *column, bool has_cfa,
	       struct programs *programs)
{
	const uint8_t *bytes = run->cie->section->bytes + column->value;
	size_t n;

	if (column->how != COLUMN_AT_CODE && column->how != COLUMN_IS_CODE)
		return column->how != COLUMN_UNSAID;
	if (!cfi_compile(bytes, column->ops, has_cfa,
			 programs->ops + programs->n, &n))
		return false;
	column->ops = (uint16_t)n;
	column->value = (int32_t)programs->n;
	programs->n += n;
	return true;
}

/*
 * Was who has the CFA of ROW interrupted? What lies right below it a call has
 * left there, and no signal. OCaml 5 marks its changes of stacks as if they
 * were signals, so that debuggers let a stack go the other way.
 */
static bool
is_interrupted(const struct full_rule *row)
{
	const struct column *rip = &row->r[X86_RIP];

	return row->is_signal &&
	       !(rip->how == COLUMN_AT_CFA && rip->value == -8);
}

/*
 * The row of RUN as a full rule with programs; false: it cannot be said. A
 * register that the walk can do without is then lost, and no more.
 */
static bool
compile_row(const struct cfi_run *run, struct full_rule *full,
	    struct programs *programs)
{
	bool is_end = run->row.r[X86_RIP].how == COLUMN_UNDEFINED;

	*full = run->row;
	full->is_signal = is_interrupted(full);
	programs->n = 0;
	if (!compile_column(run, &full->cfa, false, programs) ||
	    full->cfa.how == COLUMN_UNDEFINED) {
		if (!is_end)
			return false;
		full->cfa = (struct column){ .how = COLUMN_REG,
					     .reg = X86_RSP, .value = 8 };
	}
	for (size_t i = 0; i < X86_COUNT; i++) {
		if (compile_column(run, &full->r[i], true, programs))
			continue;
		if (i == X86_RIP || i == X86_RSP)
			return false;
		full->r[i] = (struct column){ .how = COLUMN_UNDEFINED };
	}
	return true;
}

static void
say_odd(struct build *b, const struct cfi_run *run, uint64_t offset)
{
	struct programs programs;
	struct full_rule full;

	if (!compile_row(run, &full, &programs)) {
		b->cfi->counts.bad_rows++;
		say_none(b, offset);
		return;
	}
	rows_writer_full(b->w, offset, &full, programs.ops);
	b->goes_on = !full.is_signal && full.cfa.how == COLUMN_REG &&
		     full.r[X86_RIP].how != COLUMN_UNDEFINED;
}

/* HOT: once a row. What is simple never becomes more than eight bytes. */
static void
say_row(struct build *b, const struct cfi_run *run)
{
	const struct full_rule *row = &run->row;
	uint64_t offset = run->from - b->code->bias;
	struct rule rule;

	if (b->is_full || is_interrupted(row) || row->cfa.how != COLUMN_REG ||
	    !rules_shorten(row, NULL, &rule)) {
		say_odd(b, run, offset);
		return;
	}
	rows_writer_rule(b->w, offset, &rule);
	b->goes_on = rule.kind != RULE_END;
}

/* Behind a change of stacks that RUN's only row knows nothing of. */
static void
say_switch(struct build *b, const struct cfi_run *run)
{
	uint64_t bias = b->code->bias, to = run->end - bias;
	uint64_t at = cfi_leaves_stack(b->cfi->elf, run->from - bias, to);

	if (at < to)
		say_none(b, at);
}

/* Is the caller's frame all that RUN's row has, to the entry's end? */
static bool
is_bare(const struct cfi_run *run, const struct cfi_entry *entry)
{
	return run->from == entry->start && run->to == run->end &&
	       run->row.cfa.how == COLUMN_REG && run->row.cfa.reg == X86_RSP &&
	       run->row.cfa.value == 8;
}

static void
say_entry(struct build *b, const struct cfi_entry *entry)
{
	struct cfi_run run;
	struct cfi_fde fde;

	if (!cfi_index_read(&b->cfi->index, entry, &fde)) {
		say_none(b, entry->start - b->code->bias);
		return;
	}
	cfi_run_begin(&run, &fde);
	while (cfi_run_next(&run)) {
		say_row(b, &run);
		if (is_bare(&run, entry))
			say_switch(b, &run);
	}
	if (!run.is_bad)
		return;
	b->cfi->counts.bad_programs++;
	say_none(b, run.from - b->code->bias);
}

/* Crt's own functions in .init and .fini are as short as padding. */
static bool
begins_section(const struct cfi_file *cfi, uint64_t from, uint64_t to)
{
	size_t low = 0, high = cfi->nstarts;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (cfi->starts[middle] < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < cfi->nstarts && cfi->starts[low] < to;
}

static void
say_hole(struct build *b, uint64_t from, uint64_t to)
{
	const struct cfi_hole hole = { from, to, b->code->bias };
	const struct cfi_file *cfi = b->cfi;
	enum rule_kind kind = cfi->sparse;
	bool is_long = to - from >= CFI_LONG_HOLE;

	if (from == to)
		return;
	if (to - from <= CFI_PADDING && !begins_section(cfi, from, to)) {
		if (!b->goes_on)
			say_none(b, from);
		return;
	}
	if (is_long)
		kind = cfi_keeps_fp(cfi->elf, &hole) ? RULE_FP : RULE_NONE;
	if (is_long && cfi->in_holes > SEARCHED_MAX)
		cfi_fill_hole(cfi->elf, &hole, from, from, kind, b->w);
	else
		cfi_fill_hole(cfi->elf, &hole, b->from, b->to, kind, b->w);
	b->goes_on = false;
}

/* The rules of a segment, as far as they are wanted. */
static void
say_code(struct build *b)
{
	const struct cfi_file *cfi = b->cfi;
	const struct cfi_code *code = b->code;
	size_t before = cfi_index_find(&cfi->index, b->from + code->bias);
	size_t at = first_entry(cfi, code);
	uint64_t done = code->from;

	b->goes_on = false;
	if (before != cfi->index.n && before >= at) {
		at = before;
		done = start_of(cfi, code, at);
	}
	for (; done < b->to; at++) {
		uint64_t start = start_of(cfi, code, at);

		say_hole(b, done, start);
		if (start >= b->to)
			break;
		say_entry(b, &cfi->index.entries[at]);
		done = start + cfi->index.entries[at].len;
		if (done > code->to)
			done = code->to;
	}
}

void
cfi_file_build(struct cfi_file *cfi, uint32_t first, uint32_t pages,
	       bool is_full, struct writer *out)
{
	uint64_t from = (uint64_t)first << ROWS_PAGE_LOG;
	uint64_t to = from + ((uint64_t)pages << ROWS_PAGE_LOG);
	struct build b = {
		.cfi = cfi,
		.w = rows_writer_new(first, pages, is_full),
		.is_full = is_full,
	};

	for (size_t i = 0; i < cfi->ncodes; i++) {
		b.code = &cfi->codes[i];
		b.from = b.code->from > from ? b.code->from : from;
		b.to = b.code->to < to ? b.code->to : to;
		if (b.from >= b.to)
			continue;
		if (b.code->is_go)
			go_rows_say(cfi->go, b.from + b.code->bias,
				    b.to + b.code->bias, b.w);
		else
			say_code(&b);
		say_none(&b, b.code->to);
	}
	cfi->counts.dropped_rows += rows_writer_dropped(b.w);
	rows_writer_finish(b.w, out);
}

void
cfi_file_counts(const struct cfi_file *cfi, struct cfi_counts *out)
{
	*out = cfi->counts;
}
