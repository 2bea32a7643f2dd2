/* SPDX-License-Identifier: MIT */
/*
 * line_rows.c - running the program of a line table.
 */
#include "symbols/line_rows.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "symbols/dwarf_private.h"
#include "symbols/line_header.h"

#define ROWS_MAX ((size_t)4 << 20)
#define NO_LINE UINT32_MAX	/* the end of a sequence */

struct row {
	uint64_t at;
	uint32_t file, line;
};

/* Rows from FIRST on, as far as one run of ascending addresses goes. */
struct sequence {
	size_t first, count;
	uint64_t low;
};

struct line_rows {
	struct dwarf_unit *unit;
	struct line_files files;
	struct row *rows;
	size_t count, capacity;
};

/* A program and its registers. */
struct machine {
	struct line_rows *table;
	struct line_header header;
	uint64_t at, op;
	uint32_t file, line;
	struct sequence *sequences;
	size_t nsequences, capacity, begun;	/* row the sequence began */
};

/* --- the program */

static void
begin_sequence(struct machine *m)
{
	m->at = m->op = 0;
	m->file = m->line = 1;
	m->begun = m->table->count;
}

static void
emit(struct machine *m, uint32_t line)
{
	struct line_rows *rows = m->table;
	struct row row = { m->at, m->file, line };

	if (rows->count >= ROWS_MAX) {
		m->header.program.failed = true;
		return;
	}
	/* Of several rows at an address the last one holds. */
	if (rows->count > m->begun && rows->rows[rows->count - 1].at == m->at)
		rows->count--;
	rows->rows = grow(rows->rows, rows->count, &rows->capacity,
			  sizeof(row));
	rows->rows[rows->count++] = row;
}

/* A sequence at 0 is what the linker left of code that it dropped. */
static void
end_sequence(struct machine *m)
{
	struct line_rows *rows = m->table;
	struct sequence new = { .first = m->begun };

	emit(m, NO_LINE);
	new.count = rows->count - m->begun;
	new.low = new.count ? rows->rows[m->begun].at : 0;
	if (new.count < 2 || !new.low) {
		rows->count = m->begun;
	} else {
		m->sequences = grow(m->sequences, m->nsequences, &m->capacity,
				    sizeof(new));
		m->sequences[m->nsequences++] = new;
	}
	begin_sequence(m);
}

static void
advance(struct machine *m, uint64_t ops)
{
	if (m->header.max_ops == 1) {
		m->at += m->header.step * ops;
		return;
	}
	m->at += m->header.step * ((m->op + ops) / m->header.max_ops);
	m->op = (m->op + ops) % m->header.max_ops;
}

static void
run_special(struct machine *m, unsigned opcode)
{
	const struct line_header *h = &m->header;
	unsigned adjusted = opcode - h->opcode_base;

	advance(m, adjusted / h->range);
	m->line += (uint32_t)(h->base + (int)(adjusted % h->range));
	emit(m, m->line);
}

static void
run_extended(struct machine *m)
{
	uint64_t len = dwarf_uleb(&m->header.program);
	const uint8_t *bytes = reader_bytes(&m->header.program, len);
	struct reader r = reader_of(bytes, bytes ? len : 0);

	if (!len)
		return;
	switch (reader_u8(&r)) {
	case DW_LNE_end_sequence:
		end_sequence(m);
		break;
	case DW_LNE_set_address:
		m->at = reader_u64(&r);
		m->op = 0;
		break;
	}
}

static void
run_standard(struct machine *m, unsigned opcode)
{
	struct reader *r = &m->header.program;

	switch (opcode) {
	case DW_LNS_copy:
		emit(m, m->line);
		break;
	case DW_LNS_advance_pc:
		advance(m, dwarf_uleb(r));
		break;
	case DW_LNS_advance_line:
		m->line += (uint32_t)dwarf_sleb(r);
		break;
	case DW_LNS_set_file:
		m->file = (uint32_t)dwarf_uleb(r);
		break;
	case DW_LNS_const_add_pc:
		advance(m, (255u - m->header.opcode_base) / m->header.range);
		break;
	case DW_LNS_fixed_advance_pc:
		m->at += reader_u16(r);
		m->op = 0;
		break;
	default:
		for (unsigned i = 0; i < m->header.lengths[opcode]; i++)
			dwarf_uleb(r);
	}
}

static void
run(struct machine *m)
{
	begin_sequence(m);
	while (reader_left(&m->header.program) && !m->header.program.failed) {
		unsigned opcode = reader_u8(&m->header.program);

		if (opcode >= m->header.opcode_base)
			run_special(m, opcode);
		else if (opcode == 0)
			run_extended(m);
		else
			run_standard(m, opcode);
	}
	m->table->count = m->begun;	/* what was not ended is not known */
}

/* --- the table */

static int
by_low(const void *a, const void *b)
{
	const struct sequence *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

static int
by_address(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Each sequence should ascend; one that does not was made to. */
static void
settle_sequence(struct row *rows, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (rows[i].at < rows[i - 1].at) {
			qsort(rows, count, sizeof(*rows), by_address);
			return;
		}
}

/* The sequences in the order of their addresses, one after the other. */
static void
settle(struct machine *m)
{
	struct line_rows *table = m->table;
	struct row *sorted;
	size_t n = 0;

	if (m->nsequences)
		qsort(m->sequences, m->nsequences, sizeof(*m->sequences),
		      by_low);
	sorted = xreallocarray(NULL, table->count + 1, sizeof(*sorted));
	for (size_t i = 0; i < m->nsequences; i++) {
		const struct sequence *s = &m->sequences[i];

		settle_sequence(table->rows + s->first, s->count);
		memcpy(sorted + n, table->rows + s->first,
		       s->count * sizeof(*sorted));
		n += s->count;
	}
	free(table->rows);
	table->rows = sorted;
	table->capacity = table->count + 1;
	table->count = n;
}

struct line_rows *
line_rows_new(struct dwarf_unit *unit)
{
	struct line_rows *rows = xcalloc(1, sizeof(*rows));
	struct machine *m;

	rows->unit = unit;
	if (unit->line_at == UINT64_MAX)
		return rows;
	m = xcalloc(1, sizeof(*m));
	m->table = rows;
	if (line_header_read(unit, &m->header, &rows->files)) {
		run(m);
		settle(m);
	}
	free(m->sequences);
	free(m);
	return rows;
}

void
line_rows_free(struct line_rows *rows)
{
	if (!rows)
		return;
	line_files_fini(&rows->files);
	free(rows->rows);
	free(rows);
}

bool
line_rows_find(const struct line_rows *table, uint64_t vaddr, uint32_t *file,
	       uint32_t *line)
{
	const struct row *row;
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->rows[middle].at <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	row = &table->rows[low - 1];
	if (row->line == NO_LINE)
		return false;
	*file = row->file;
	*line = row->line;
	return true;
}

void
line_rows_path(const struct line_rows *rows, uint32_t file, char *out,
	       size_t size)
{
	line_files_path(&rows->files, rows->unit, file, out, size);
}

size_t
line_rows_bytes(const struct line_rows *rows)
{
	return line_files_bytes(&rows->files) +
	       rows->capacity * sizeof(*rows->rows);
}
