/* SPDX-License-Identifier: MIT */
/*
 * dwarf_die.c - entries of a unit: their attributes and what they hold.
 */
#include <stdlib.h>

#include <dwarf.h>

#include "symbols/dwarf.h"
#include "symbols/dwarf_private.h"

/* --- going over entries */

struct dwarf_cursor
dwarf_cursor(struct dwarf_unit *unit, uint64_t offset)
{
	struct dwarf_cursor cursor = { .unit = unit };
	size_t len;
	const uint8_t *bytes = dwarf_bytes(unit->file, DWARF_INFO, &len);

	if (unit->is_broken || offset < unit->first || offset >= unit->end)
		return cursor;
	if (!unit->abbrevs)
		unit->abbrevs = dwarf_abbrevs_of(unit);
	cursor.bytes = reader_of(bytes + offset, unit->end - offset);
	return cursor;
}

bool
dwarf_next(struct dwarf_cursor *cursor)
{
	struct reader *r = &cursor->bytes;
	const uint8_t *begin;
	size_t len;

	while (r->at < r->end && !r->failed) {
		uint64_t code;

		begin = r->at;
		code = dwarf_uleb(r);
		if (!code) {
			if (!cursor->next_depth || !--cursor->next_depth)
				return false;
			continue;
		}
		cursor->offset = (uint64_t)(begin - dwarf_bytes(
			cursor->unit->file, DWARF_INFO, &len));
		cursor->abbrev = dwarf_find_abbrev(cursor->unit->abbrevs, code);
		if (!cursor->abbrev)
			return false;
		cursor->depth = cursor->next_depth;
		cursor->next_depth += cursor->abbrev->has_children;
		return true;
	}
	return false;
}

const struct dwarf_spec *
dwarf_specs(const struct dwarf_cursor *cursor)
{
	return cursor->unit->abbrevs->specs + cursor->abbrev->first;
}

/* --- attributes */

static void
skip_bytes(struct reader *r, uint64_t len)
{
	if (len > (uint64_t)(r->end - r->at)) {
		r->failed = true;
		r->at = r->end;
	} else {
		r->at += len;
	}
}

static void
skip_form(struct reader *r, unsigned form, const struct dwarf_abbrevs *table)
{
	uint32_t size = dwarf_form_size(form, table);

	if (size != DWARF_VARIES) {
		skip_bytes(r, size);
		return;
	}
	switch (form) {
	case DW_FORM_block1:
		skip_bytes(r, reader_u8(r));
		break;
	case DW_FORM_block2:
		skip_bytes(r, reader_u16(r));
		break;
	case DW_FORM_block4:
		skip_bytes(r, reader_u32(r));
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		skip_bytes(r, dwarf_uleb(r));
		break;
	case DW_FORM_string:
		reader_cstr(r);
		break;
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		dwarf_uleb(r);
		break;
	default:
		r->failed = true;
	}
}

void
dwarf_skip(struct dwarf_cursor *cursor)
{
	const struct dwarf_abbrev *abbrev = cursor->abbrev;
	const struct dwarf_spec *specs = dwarf_specs(cursor);
	struct reader *r = &cursor->bytes;

	if (abbrev->fixed_size != DWARF_VARIES) {
		skip_bytes(r, abbrev->fixed_size);
		return;
	}
	for (uint32_t i = 0; i < abbrev->count && !r->failed; i++) {
		unsigned form = specs[i].form;

		if (form == DW_FORM_indirect)
			form = (unsigned)dwarf_uleb(r);
		skip_form(r, form, cursor->unit->abbrevs);
	}
}

/* The text at AT of SECTION; it ends within, a NUL lies behind. */
static const char *
text_at(struct dwarf *dwarf, enum dwarf_section section, uint64_t at)
{
	size_t len;
	const uint8_t *bytes = dwarf ? dwarf_bytes(dwarf, section, &len) : NULL;

	return bytes && at < len ? (const char *)bytes + at : NULL;
}

static const char *
indexed_text(struct dwarf_unit *unit, uint64_t index)
{
	struct reader r;
	uint64_t at;

	if (index > UINT32_MAX)
		return NULL;
	r = dwarf_reader(unit->file, DWARF_STR_OFFSETS,
			 unit->str_offsets_base + index * unit->offset_size);
	at = dwarf_offset(&r, unit->offset_size);
	return r.failed ? NULL : text_at(unit->file, DWARF_STR, at);
}

bool
dwarf_indexed_address(struct dwarf_unit *unit, uint64_t index, uint64_t *out)
{
	struct reader r;

	if (index > UINT32_MAX)
		return false;
	r = dwarf_reader(unit->file, DWARF_ADDR, unit->addr_base + index * 8);
	*out = reader_u64(&r);
	return !r.failed;
}

static uint64_t
read_little(struct reader *r, uint32_t size)
{
	const uint8_t *bytes = reader_bytes(r, size);
	uint64_t value = 0;

	for (uint32_t i = size; bytes && i-- > 0;)
		value = value << 8 | bytes[i];
	return value;
}

static void
set_text(struct dwarf_value *out, const char *text)
{
	out->text = text;
	out->class = text ? DWARF_TEXT : DWARF_NOTHING;
}

static void
set_reference(struct dwarf_value *out, struct dwarf *file, uint64_t at)
{
	out->file = file;
	out->number = at;
	out->class = file ? DWARF_REFERENCE : DWARF_NOTHING;
}

static void
set_address(struct dwarf_value *out, struct dwarf_unit *unit, uint64_t index)
{
	if (dwarf_indexed_address(unit, index, &out->number))
		out->class = DWARF_ADDRESS;
}

static bool
read_address(struct dwarf_cursor *cursor, unsigned form, uint32_t size,
	     struct dwarf_value *out)
{
	struct reader *r = &cursor->bytes;

	switch (form) {
	case DW_FORM_addr:
		out->number = reader_u64(r);
		out->class = DWARF_ADDRESS;
		return true;
	case DW_FORM_addrx:
	case DW_FORM_GNU_addr_index:
		set_address(out, cursor->unit, dwarf_uleb(r));
		return true;
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		set_address(out, cursor->unit, read_little(r, size));
		return true;
	}
	return false;
}

/* The number that FORM is, if it is one. */
static bool
read_plain(struct reader *r, unsigned form, uint32_t size, uint64_t *number)
{
	switch (form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_flag:
	case DW_FORM_sec_offset:
		*number = read_little(r, size);
		return true;
	case DW_FORM_udata:
		*number = dwarf_uleb(r);
		return true;
	case DW_FORM_sdata:
		*number = (uint64_t)dwarf_sleb(r);
		return true;
	case DW_FORM_flag_present:
		*number = 1;
		return true;
	}
	return false;
}

static bool
read_text(struct dwarf_cursor *cursor, unsigned form, uint32_t size,
	  struct dwarf_value *out)
{
	struct dwarf *dwarf = cursor->unit->file;
	struct reader *r = &cursor->bytes;

	switch (form) {
	case DW_FORM_string:
		set_text(out, reader_cstr(r));
		return true;
	case DW_FORM_strp:
		set_text(out, text_at(dwarf, DWARF_STR, read_little(r, size)));
		return true;
	case DW_FORM_line_strp:
		set_text(out, text_at(dwarf, DWARF_LINE_STR,
				      read_little(r, size)));
		return true;
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		set_text(out, text_at(dwarf->common, DWARF_STR,
				      read_little(r, size)));
		return true;
	case DW_FORM_strx:
	case DW_FORM_GNU_str_index:
		set_text(out, indexed_text(cursor->unit, dwarf_uleb(r)));
		return true;
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		set_text(out, indexed_text(cursor->unit,
					   read_little(r, size)));
		return true;
	}
	return false;
}

static bool
read_reference(struct dwarf_cursor *cursor, unsigned form, uint32_t size,
	       struct dwarf_value *out)
{
	struct dwarf_unit *unit = cursor->unit;
	struct reader *r = &cursor->bytes;

	switch (form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
		set_reference(out, unit->file,
			      unit->at + read_little(r, size));
		return true;
	case DW_FORM_ref_udata:
		set_reference(out, unit->file, unit->at + dwarf_uleb(r));
		return true;
	case DW_FORM_ref_addr:
		set_reference(out, unit->file, read_little(r, size));
		return true;
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt:
		set_reference(out, unit->file->common, read_little(r, size));
		return true;
	}
	return false;
}

static void
read_form(struct dwarf_cursor *cursor, unsigned form, struct dwarf_value *out)
{
	struct reader *r = &cursor->bytes;
	uint32_t size = dwarf_form_size(form, cursor->unit->abbrevs);

	if (read_plain(r, form, size, &out->number)) {
		out->class = DWARF_NUMBER;
	} else if (form == DW_FORM_rnglistx) {
		out->number = dwarf_uleb(r);
		out->class = DWARF_INDEX;
	} else if (!read_text(cursor, form, size, out) &&
		   !read_reference(cursor, form, size, out) &&
		   !read_address(cursor, form, size, out)) {
		skip_form(r, form, cursor->unit->abbrevs);
	}
}

void
dwarf_read(struct dwarf_cursor *cursor, const struct dwarf_spec *spec,
	   struct dwarf_value *out)
{
	unsigned form = spec->form;

	*out = (struct dwarf_value){ .class = DWARF_NOTHING };
	if (form == DW_FORM_implicit_const) {
		out->number = (uint64_t)spec->constant;
		out->class = DWARF_NUMBER;
		return;
	}
	if (form == DW_FORM_indirect)
		form = (unsigned)dwarf_uleb(&cursor->bytes);
	read_form(cursor, form, out);
	if (cursor->bytes.failed)
		out->class = DWARF_NOTHING;
}

/* --- the first entry of a unit */

static void
take_base(struct dwarf_unit *unit, unsigned name, uint64_t number)
{
	switch (name) {
	case DW_AT_str_offsets_base:
		unit->str_offsets_base = number;
		break;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base:
		unit->addr_base = number;
		break;
	case DW_AT_rnglists_base:
		unit->rnglists_base = number;
		break;
	case DW_AT_stmt_list:
		unit->line_at = number;
		break;
	}
}

static void
take_attribute(struct dwarf_unit *unit, const struct dwarf_spec *spec,
	       const struct dwarf_value *value)
{
	dwarf_span_note(&unit->span, spec, value);
	switch (spec->name) {
	case DW_AT_comp_dir:
		unit->folder = value->text;
		break;
	case DW_AT_name:
		unit->name = value->text;
		break;
	case DW_AT_language:
		unit->language = value->number;
		break;
	case DW_AT_low_pc:
		unit->base = value->class == DWARF_ADDRESS ? value->number : 0;
		break;
	}
}

/*
 * Twice: an attribute may be the index of a table that a later one tells the
 * place of. With a layout of its own, because the whole table is only needed
 * for the few units whose entries are gone over.
 */
void
dwarf_read_unit(struct dwarf_unit *unit)
{
	struct dwarf_abbrevs table = dwarf_table_of(unit);
	struct dwarf_cursor first;
	struct reader peek = dwarf_reader(unit->file, DWARF_INFO, unit->first);
	struct dwarf_value value;
	size_t len;

	unit->is_read = true;
	if (unit->is_broken)
		return;
	dwarf_bytes(unit->file, DWARF_INFO, &len);
	dwarf_read_table(unit->file, &table, dwarf_uleb(&peek));
	unit->abbrevs = &table;
	first = dwarf_cursor(unit, unit->first);
	for (int pass = 0; pass < 2 && table.count; pass++) {
		struct dwarf_cursor cursor = first;

		if (!dwarf_next(&cursor))
			break;
		for (uint32_t i = 0; i < cursor.abbrev->count; i++) {
			const struct dwarf_spec *spec =
				&dwarf_specs(&cursor)[i];

			dwarf_read(&cursor, spec, &value);
			if (pass == 0 && value.class == DWARF_NUMBER)
				take_base(unit, spec->name, value.number);
			else if (pass == 1)
				take_attribute(unit, spec, &value);
		}
	}
	unit->abbrevs = NULL;
	free(table.rows);
	free(table.specs);
}
