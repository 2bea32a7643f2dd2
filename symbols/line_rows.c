/* SPDX-License-Identifier: MIT */
/*
 * line_rows.c - the header of a line table, and running its program.
 */
#include "symbols/line_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "symbols/dwarf_private.h"

#define PROGRAM_MAX ((uint64_t)16 << 20)
#define ROWS_MAX ((size_t)4 << 20)
#define PATHS_MAX ((size_t)1 << 20)
#define FORMATS_MAX 16
#define NO_LINE UINT32_MAX	/* the end of a sequence */

struct row {
	uint64_t at;
	uint32_t file, line;
};

struct path {
	const char *text;	/* borrowed from the file */
	uint64_t folder;
};

/* Rows from FIRST on, as far as one run of ascending addresses goes. */
struct sequence {
	size_t first, count;
	uint64_t low;
};

struct line_rows {
	struct dwarf_unit *unit;
	unsigned version, offset_size;	/* may differ from the unit's */
	struct path *folders, *files;
	size_t nfolders, folders_capacity, nfiles, files_capacity;
	struct row *rows;
	size_t count, capacity;
};

/* The constants of a program, and its registers. */
struct machine {
	struct line_rows *table;
	struct reader program;
	uint8_t step, max_ops, opcode_base, range;
	int8_t base;
	uint8_t lengths[256];	/* operands of standard opcodes */
	uint64_t at, op;
	uint32_t file, line;
	struct sequence *sequences;
	size_t nsequences, capacity, begun;	/* row the sequence began */
};

/* --- the header */

static void
add_path(struct path **paths, size_t *n, size_t *capacity, struct path new)
{
	if (*n >= PATHS_MAX)
		return;
	*paths = grow(*paths, *n, capacity, sizeof(new));
	(*paths)[(*n)++] = new;
}

static void
add_folder(struct line_rows *rows, struct path new)
{
	add_path(&rows->folders, &rows->nfolders, &rows->folders_capacity, new);
}

static void
add_file(struct line_rows *rows, struct path new)
{
	add_path(&rows->files, &rows->nfiles, &rows->files_capacity, new);
}

/* DWARF 2 to 4: number 0 is the folder and the file of the unit. */
static void
read_old_paths(struct line_rows *rows, struct reader *r)
{
	struct path path = { rows->unit->folder, 0 };

	add_folder(rows, path);
	while (!r->failed && *(path.text = reader_cstr(r)))
		add_folder(rows, path);
	path.text = rows->unit->name;
	add_file(rows, path);
	while (!r->failed && *(path.text = reader_cstr(r))) {
		path.folder = dwarf_uleb(r);
		dwarf_uleb(r);
		dwarf_uleb(r);
		add_file(rows, path);
	}
}

static uint64_t
read_number(struct reader *r, uint64_t form)
{
	switch (form) {
	case DW_FORM_data1:
		return reader_u8(r);
	case DW_FORM_data2:
		return reader_u16(r);
	case DW_FORM_data4:
		return reader_u32(r);
	case DW_FORM_data8:
		return reader_u64(r);
	case DW_FORM_udata:
		return dwarf_uleb(r);
	case DW_FORM_data16:
		reader_bytes(r, 16);
		return 0;
	case DW_FORM_block:
		reader_bytes(r, dwarf_uleb(r));
		return 0;
	}
	r->failed = true;
	return 0;
}

static const char *
text_in(struct dwarf *dwarf, enum dwarf_section section, uint64_t at)
{
	struct reader r = dwarf_reader(dwarf, section, at);

	return reader_left(&r) ? reader_cstr(&r) : NULL;
}

static const char *
read_text(struct line_rows *rows, struct reader *r, uint64_t form)
{
	struct dwarf *dwarf = rows->unit->file;
	unsigned size = rows->offset_size;

	switch (form) {
	case DW_FORM_string:
		return reader_cstr(r);
	case DW_FORM_line_strp:
		return text_in(dwarf, DWARF_LINE_STR, dwarf_offset(r, size));
	case DW_FORM_strp:
		return text_in(dwarf, DWARF_STR, dwarf_offset(r, size));
	}
	r->failed = true;
	return NULL;
}

/* DWARF 5: the columns of a list of folders or files, then the list. */
static void
read_new_paths(struct line_rows *rows, struct reader *r,
	       void (*add)(struct line_rows *, struct path))
{
	uint64_t formats[FORMATS_MAX][2], count;
	unsigned nformats = reader_u8(r);

	if (nformats > FORMATS_MAX) {
		r->failed = true;
		return;
	}
	for (unsigned i = 0; i < nformats; i++) {
		formats[i][0] = dwarf_uleb(r);
		formats[i][1] = dwarf_uleb(r);
	}
	count = dwarf_uleb(r);
	for (uint64_t i = 0; i < count && nformats && !r->failed; i++) {
		struct path path = { NULL, 0 };

		for (unsigned f = 0; f < nformats; f++) {
			if (formats[f][0] == DW_LNCT_path)
				path.text = read_text(rows, r, formats[f][1]);
			else if (formats[f][0] == DW_LNCT_directory_index)
				path.folder = read_number(r, formats[f][1]);
			else
				read_number(r, formats[f][1]);
		}
		if (!r->failed)
			add(rows, path);
	}
}

static void
read_paths(struct line_rows *rows, struct reader *r)
{
	if (rows->version < 5) {
		read_old_paths(rows, r);
		return;
	}
	read_new_paths(rows, r, add_folder);
	read_new_paths(rows, r, add_file);
}

/* Everything before the program; false when it makes no sense. */
static bool
read_header(struct machine *m)
{
	struct line_rows *rows = m->table;
	struct reader r = dwarf_reader(rows->unit->file, DWARF_LINE,
				       rows->unit->line_at), inner;
	uint64_t len = reader_u32(&r), header_len;

	rows->offset_size = len == 0xffffffff ? 8 : 4;
	if (rows->offset_size == 8)
		len = reader_u64(&r);
	if (len < reader_left(&r))
		r.end = r.at + len;
	rows->version = reader_u16(&r);
	if (rows->version >= 5)
		reader_u16(&r);		/* sizes of addresses and selectors */
	header_len = dwarf_offset(&r, rows->offset_size);
	if (r.failed || rows->version < 2 || rows->version > 5 ||
	    header_len > reader_left(&r) ||
	    reader_left(&r) - header_len > PROGRAM_MAX)
		return false;
	m->program = reader_of(r.at + header_len, reader_left(&r) - header_len);
	inner = reader_of(r.at, header_len);
	m->step = reader_u8(&inner);
	m->max_ops = rows->version >= 4 ? reader_u8(&inner) : 1;
	reader_u8(&inner);		/* is_stmt at the beginning */
	m->base = (int8_t)reader_u8(&inner);
	m->range = reader_u8(&inner);
	m->opcode_base = reader_u8(&inner);
	for (unsigned i = 1; i < m->opcode_base; i++)
		m->lengths[i] = reader_u8(&inner);
	if (inner.failed || !m->range || !m->max_ops)
		return false;
	read_paths(rows, &inner);
	return true;
}

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
		m->program.failed = true;
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
	if (m->max_ops == 1) {
		m->at += m->step * ops;
		return;
	}
	m->at += m->step * ((m->op + ops) / m->max_ops);
	m->op = (m->op + ops) % m->max_ops;
}

static void
run_special(struct machine *m, unsigned opcode)
{
	unsigned adjusted = opcode - m->opcode_base;

	advance(m, adjusted / m->range);
	m->line += (uint32_t)(m->base + (int)(adjusted % m->range));
	emit(m, m->line);
}

static void
run_extended(struct machine *m)
{
	uint64_t len = dwarf_uleb(&m->program);
	const uint8_t *bytes = reader_bytes(&m->program, len);
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
	struct reader *r = &m->program;

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
		advance(m, (255u - m->opcode_base) / m->range);
		break;
	case DW_LNS_fixed_advance_pc:
		m->at += reader_u16(r);
		m->op = 0;
		break;
	default:
		for (unsigned i = 0; i < m->lengths[opcode]; i++)
			dwarf_uleb(r);
	}
}

static void
run(struct machine *m)
{
	begin_sequence(m);
	while (reader_left(&m->program) && !m->program.failed) {
		unsigned opcode = reader_u8(&m->program);

		if (opcode >= m->opcode_base)
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
	if (read_header(m)) {
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
	free(rows->folders);
	free(rows->files);
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

static bool
is_absolute(const char *path)
{
	return path && path[0] == '/';
}

void
line_rows_path(const struct line_rows *rows, uint32_t file, char *out,
	       size_t size)
{
	const char *name, *folder = NULL, *root = rows->unit->folder;
	uint64_t number;

	out[0] = '\0';
	if (file >= rows->nfiles || !rows->files[file].text)
		return;
	name = rows->files[file].text;
	number = rows->files[file].folder;
	if (number < rows->nfolders)
		folder = rows->folders[number].text;
	if (is_absolute(name))
		folder = root = NULL;
	else if (is_absolute(folder) || folder == root)
		root = NULL;
	snprintf(out, size, "%s%s%s%s%s", root ? root : "",
		 root && *root ? "/" : "", folder ? folder : "",
		 folder && *folder ? "/" : "", name);
}

size_t
line_rows_bytes(const struct line_rows *rows)
{
	return (rows->folders_capacity + rows->files_capacity) *
		       sizeof(*rows->files) +
	       rows->capacity * sizeof(*rows->rows);
}
