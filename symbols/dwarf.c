/* SPDX-License-Identifier: MIT */
/*
 * dwarf.c - sections and units of a file with debugging information.
 */
#include "symbols/dwarf.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "symbols/dwarf_private.h"
#include "symbols/section.h"

static const char *const names[] = {
#define DWARF_SECTION_NAME(id, name) ".debug_" name,
	DWARF_SECTIONS(DWARF_SECTION_NAME)
#undef DWARF_SECTION_NAME
};

bool
dwarf_exists(const struct elf *elf)
{
	return section_find(elf, ".debug_info") &&
	       section_find(elf, ".debug_abbrev");
}

bool
dwarf_is_packed(const struct elf *elf)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const Elf64_Shdr *section = section_find(elf, names[i]);

		if (section && section_is_packed(elf, section))
			return true;
	}
	return false;
}

static void
load(struct dwarf *dwarf, enum dwarf_section id)
{
	struct dwarf_bytes *section = &dwarf->sections[id];
	const Elf64_Shdr *header = section_find(dwarf->elf, names[id]);
	uint64_t size;

	section->is_loaded = true;
	if (!header ||
	    !section_load(dwarf->elf, header, dwarf->bytes_left,
			  &section->bytes, &size, &dwarf->trouble))
		return;
	section->len = size;
	dwarf->bytes_left -= size;
}

const uint8_t *
dwarf_bytes(struct dwarf *dwarf, enum dwarf_section id, size_t *len)
{
	struct dwarf_bytes *section = &dwarf->sections[id];

	if (!section->is_loaded)
		load(dwarf, id);
	*len = section->len;
	return section->bytes ? section->bytes : (const uint8_t *)"";
}

struct reader
dwarf_reader(struct dwarf *dwarf, enum dwarf_section id, uint64_t at)
{
	size_t len;
	const uint8_t *bytes = dwarf_bytes(dwarf, id, &len);

	if (at > len)
		at = len;
	return reader_of(bytes + at, len - at);
}

uint64_t
dwarf_offset(struct reader *r, unsigned size)
{
	return size == 8 ? reader_u64(r) : reader_u32(r);
}

uint64_t
dwarf_uleb(struct reader *r)
{
	uint64_t value = 0;

	for (unsigned shift = 0; r->at < r->end; shift += 7) {
		uint8_t byte = *r->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	r->failed = true;
	return 0;
}

int64_t
dwarf_sleb(struct reader *r)
{
	uint64_t value = 0;

	for (unsigned shift = 0; r->at < r->end;) {
		uint8_t byte = *r->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte & 0x80)
			continue;
		if ((byte & 0x40) && shift < 64)
			value |= ~(uint64_t)0 << shift;
		return (int64_t)value;
	}
	r->failed = true;
	return 0;
}

/* --- units */

/* The rest of the header, which DWARF 5 has in another order. */
static void
read_header_rest(struct dwarf_unit *unit, struct reader *r)
{
	unit->type = DW_UT_compile;
	if (unit->version >= 5) {
		unit->type = reader_u8(r);
		unit->address_size = reader_u8(r);
		unit->abbrev_at = dwarf_offset(r, unit->offset_size);
	} else {
		unit->abbrev_at = dwarf_offset(r, unit->offset_size);
		unit->address_size = reader_u8(r);
	}
	if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
		reader_u64(r);
	if (unit->type == DW_UT_type || unit->type == DW_UT_split_type) {
		reader_u64(r);
		dwarf_offset(r, unit->offset_size);
	}
}

/*
 * The unit whose header is next in R, which stands at AT. False when nothing
 * after it can be found either.
 */
static bool
read_header(struct dwarf *dwarf, struct reader *r, uint64_t at,
	    struct dwarf_unit *unit)
{
	const uint8_t *begin = r->at;
	uint64_t len = reader_u32(r);

	*unit = (struct dwarf_unit){
		.file = dwarf, .at = at, .offset_size = 4,
		.line_at = UINT64_MAX,
	};
	if (len == 0xffffffff) {
		len = reader_u64(r);
		unit->offset_size = 8;
	}
	if (r->failed || len > reader_left(r))
		return false;
	unit->end = at + (uint64_t)(r->at - begin) + len;
	unit->version = reader_u16(r);
	if (unit->version >= 2 && unit->version <= 5)
		read_header_rest(unit, r);
	else
		unit->is_broken = true;
	unit->first = at + (uint64_t)(r->at - begin);
	unit->is_broken |= r->failed || unit->first > unit->end ||
			   unit->address_size != 8;
	return true;
}

static void
find_units(struct dwarf *dwarf)
{
	uint64_t at = 0;

	while (dwarf->nunits < DWARF_UNITS_MAX) {
		struct reader r = dwarf_reader(dwarf, DWARF_INFO, at);
		struct dwarf_unit unit;

		if (reader_left(&r) == 0 ||
		    !read_header(dwarf, &r, at, &unit))
			return;
		dwarf->units = grow(dwarf->units, dwarf->nunits,
				    &dwarf->units_capacity, sizeof(unit));
		dwarf->units[dwarf->nunits++] = unit;
		at = unit.end;
	}
	fail(&dwarf->trouble, 0, "more than %d units of debugging information",
	     DWARF_UNITS_MAX);
}

bool
dwarf_open(const struct elf *elf, struct dwarf **out, struct error *err)
{
	struct dwarf *dwarf = xcalloc(1, sizeof(*dwarf));

	dwarf->elf = elf;
	dwarf->bytes_left = DWARF_BYTES_MAX;
	dwarf->ranges_left = DWARF_RANGES_MAX;
	find_units(dwarf);
	if (!dwarf->nunits) {
		fail(err, 0, "%s", dwarf->trouble.text[0] ?
		     dwarf->trouble.text : "no debugging information");
		dwarf_free(dwarf);
		return false;
	}
	*out = dwarf;
	return true;
}

void
dwarf_free(struct dwarf *dwarf)
{
	if (!dwarf)
		return;
	for (size_t i = 0; i < DWARF_SECTION_COUNT; i++)
		free(dwarf->sections[i].bytes);
	dwarf_forget_abbrevs(dwarf);
	free(dwarf->units);
	free(dwarf);
}

void
dwarf_set_common(struct dwarf *dwarf, struct dwarf *common)
{
	dwarf->common = common;
}

uint64_t
dwarf_size(const struct dwarf *dwarf)
{
	return DWARF_BYTES_MAX - dwarf->bytes_left;
}

const char *
dwarf_trouble(const struct dwarf *dwarf)
{
	return dwarf->trouble.text[0] ? dwarf->trouble.text : NULL;
}

struct dwarf_unit *
dwarf_unit(struct dwarf *dwarf, size_t i)
{
	if (i >= dwarf->nunits)
		return NULL;
	if (!dwarf->units[i].is_read)
		dwarf_read_unit(&dwarf->units[i]);
	return &dwarf->units[i];
}

size_t
dwarf_units(struct dwarf *dwarf)
{
	return dwarf->nunits;
}

struct dwarf_unit *
dwarf_unit_at(struct dwarf *dwarf, uint64_t offset)
{
	size_t low = 0, high = dwarf->nunits;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (dwarf->units[middle].at <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || offset >= dwarf->units[low - 1].end)
		return NULL;
	return dwarf_unit(dwarf, low - 1);
}
