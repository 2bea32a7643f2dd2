/* SPDX-License-Identifier: MIT */
/*
 * dwarf_abbrev.c - layouts of entries, which many units may share.
 */
#include <stdlib.h>

#include <dwarf.h>

#include "symbols/dwarf.h"
#include "symbols/dwarf_private.h"

#define SPECS_OF_ONE_MAX 4096

uint32_t
dwarf_form_size(unsigned form, const struct dwarf_abbrevs *table)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_addr:
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_GNU_ref_alt:
		return table->offset_size;
	case DW_FORM_ref_addr:
		return table->is_v2 ? 8 : table->offset_size;
	}
	return DWARF_VARIES;
}

/* The attributes of one layout; false at the end of what can be read. */
static bool
read_specs(struct dwarf_abbrevs *table, struct dwarf_abbrev *row,
	   struct reader *r)
{
	row->first = (uint32_t)table->nspecs;
	row->fixed_size = 0;
	for (;;) {
		uint64_t name = dwarf_uleb(r), form = dwarf_uleb(r);
		struct dwarf_spec spec = { (uint16_t)name, (uint16_t)form, 0 };
		uint32_t size = dwarf_form_size(spec.form, table);

		if (form == DW_FORM_implicit_const)
			spec.constant = (int32_t)dwarf_sleb(r);
		if (r->failed || form > UINT16_MAX ||
		    row->count > SPECS_OF_ONE_MAX)
			return false;
		if (!name && !form)
			return true;
		if (name > UINT16_MAX)
			spec.name = 0;
		if (size == DWARF_VARIES || row->fixed_size == DWARF_VARIES)
			row->fixed_size = DWARF_VARIES;
		else
			row->fixed_size += size;
		table->specs = grow(table->specs, table->nspecs,
				    &table->specs_capacity, sizeof(spec));
		table->specs[table->nspecs++] = spec;
		row->count++;
	}
}

static int
by_code(const void *a, const void *b)
{
	const struct dwarf_abbrev *x = a, *y = b;

	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

void
dwarf_read_table(struct dwarf *dwarf, struct dwarf_abbrevs *table,
		 uint64_t only)
{
	struct reader r = dwarf_reader(dwarf, DWARF_ABBREV, table->at);
	bool is_sorted = true;

	while (table->nspecs + dwarf->nspecs < DWARF_SPECS_MAX) {
		struct dwarf_abbrev row = { .code = dwarf_uleb(&r) };

		if (!row.code)
			break;
		row.tag = (uint16_t)dwarf_uleb(&r);
		row.has_children = reader_u8(&r);
		if (!read_specs(table, &row, &r))
			break;
		if (only && row.code != only) {
			table->nspecs = 0;
			continue;
		}
		is_sorted = is_sorted &&
			    (!table->count ||
			     table->rows[table->count - 1].code < row.code);
		table->rows = grow(table->rows, table->count,
				   &table->capacity, sizeof(row));
		table->rows[table->count++] = row;
		if (only)
			break;
	}
	if (!is_sorted)
		qsort(table->rows, table->count, sizeof(*table->rows),
		      by_code);
}

static void
free_table(struct dwarf_abbrevs *table)
{
	free(table->rows);
	free(table->specs);
	free(table);
}

void
dwarf_forget_abbrevs(struct dwarf *dwarf)
{
	for (size_t i = 0; i < dwarf->ntables; i++)
		free_table(dwarf->tables[i]);
	free(dwarf->tables);
	lookup_fini(&dwarf->lookup);
	dwarf->tables = NULL;
	dwarf->ntables = dwarf->tables_capacity = dwarf->nspecs = 0;
}

static bool
is_same_table(const void *owner, uint32_t id, const void *key)
{
	const struct dwarf_abbrevs *table =
		((const struct dwarf *)owner)->tables[id];
	const struct dwarf_abbrevs *wanted = key;

	return table->at == wanted->at && table->is_v2 == wanted->is_v2 &&
	       table->offset_size == wanted->offset_size;
}

struct dwarf_abbrevs
dwarf_table_of(const struct dwarf_unit *unit)
{
	return (struct dwarf_abbrevs){
		.at = unit->abbrev_at, .offset_size = unit->offset_size,
		.is_v2 = unit->version == 2,
	};
}

/* Most units have a table of their own, those that dwz made share some. */
const struct dwarf_abbrevs *
dwarf_abbrevs_of(struct dwarf_unit *unit)
{
	struct dwarf *dwarf = unit->file;
	struct dwarf_abbrevs key = dwarf_table_of(unit), *table;
	uint32_t hash = hash_words(key.at, key.offset_size), id;

	id = lookup_find(&dwarf->lookup, hash, is_same_table, dwarf, &key);
	if (id != LOOKUP_NONE)
		return dwarf->tables[id];
	table = xcalloc(1, sizeof(*table));
	*table = key;
	dwarf_read_table(dwarf, table, 0);
	dwarf->nspecs += table->nspecs;
	lookup_add(&dwarf->lookup, hash, (uint32_t)dwarf->ntables);
	dwarf->tables = grow(dwarf->tables, dwarf->ntables,
			     &dwarf->tables_capacity, sizeof(table));
	dwarf->tables[dwarf->ntables++] = table;
	return table;
}

const struct dwarf_abbrev *
dwarf_find_abbrev(const struct dwarf_abbrevs *table, uint64_t code)
{
	size_t low = 0, high = table->count;

	if (code - 1 < table->count && table->rows[code - 1].code == code)
		return &table->rows[code - 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->rows[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < table->count && table->rows[low].code == code
		       ? &table->rows[low] : NULL;
}
