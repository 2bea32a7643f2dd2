/* SPDX-License-Identifier: MIT */
/*
 * dwarf_private.h - what dwarf.c, dwarf_die.c and dwarf_span.c share.
 */
#ifndef SYMBOLS_DWARF_PRIVATE_H
#define SYMBOLS_DWARF_PRIVATE_H

#include "core/lookup.h"
#include "symbols/dwarf.h"

/* Most attributes in all layouts that are kept. */
#define DWARF_SPECS_MAX ((size_t)8 << 20)

/*
 * Most ranges handed out for one file: many entries may refer to one long
 * list.
 */
#define DWARF_RANGES_MAX ((uint64_t)64 << 20)

/* All layouts of one table; what their sizes are depends on the unit too. */
struct dwarf_abbrevs {
	uint64_t at;			/* in .debug_abbrev */
	uint8_t offset_size;
	bool is_v2;			/* references have another size */
	struct dwarf_abbrev *rows;	/* by code */
	size_t count, capacity;
	struct dwarf_spec *specs;
	size_t nspecs, specs_capacity;
};

struct dwarf_bytes {
	bool is_loaded;
	uint8_t *bytes;			/* owned; a NUL behind */
	size_t len;
};

struct dwarf {
	const struct elf *elf;
	struct dwarf *common;
	struct dwarf_bytes sections[DWARF_SECTION_COUNT];
	uint64_t bytes_left;		/* of DWARF_BYTES_MAX */
	struct dwarf_unit *units;	/* in order of AT */
	size_t nunits, units_capacity;
	struct dwarf_abbrevs **tables;
	size_t ntables, tables_capacity, nspecs;
	struct lookup lookup;		/* of TABLES */
	uint64_t ranges_left;
	struct error trouble;		/* "" while all is well */
};

/* A cursor over SECTION from AT on; an empty one when that is outside. */
struct reader dwarf_reader(struct dwarf *dwarf, enum dwarf_section section,
			   uint64_t at);

uint64_t dwarf_uleb(struct reader *r);
int64_t dwarf_sleb(struct reader *r);

/* An offset of 4 or 8 bytes. */
uint64_t dwarf_offset(struct reader *r, unsigned size);

/* What the unit says about itself in its first entry. */
void dwarf_read_unit(struct dwarf_unit *unit);

/* Address number INDEX of UNIT; false when there is no such. */
bool dwarf_indexed_address(struct dwarf_unit *unit, uint64_t index,
			   uint64_t *out);

/* --- layouts (dwarf_abbrev.c) */

#define DWARF_VARIES UINT32_MAX

/* Bytes that FORM takes in entries of TABLE, or DWARF_VARIES. */
uint32_t dwarf_form_size(unsigned form, const struct dwarf_abbrevs *table);

/* The table that UNIT needs, still empty. */
struct dwarf_abbrevs dwarf_table_of(const struct dwarf_unit *unit);

/* Read layouts until one has the code ONLY (0: all of them). */
void dwarf_read_table(struct dwarf *dwarf, struct dwarf_abbrevs *table,
		      uint64_t only);

/* The whole table of UNIT, kept; and what it has for CODE, or NULL. */
const struct dwarf_abbrevs *dwarf_abbrevs_of(struct dwarf_unit *unit);
const struct dwarf_abbrev *dwarf_find_abbrev(const struct dwarf_abbrevs *table,
					     uint64_t code);

void dwarf_forget_abbrevs(struct dwarf *dwarf);

#endif
