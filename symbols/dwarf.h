/* SPDX-License-Identifier: MIT */
/*
 * dwarf.h - DWARF 2 to 5 as a tree of entries that is read from front to back.
 *
 * A file has units; a unit is a row of entries, each a tag and attributes laid
 * out as an abbreviation says. Nothing is kept of them: whoever wants to know
 * something goes over the entries of one unit with a cursor and asks for the
 * attributes that matter; the rest is stepped over. That is some nanoseconds
 * an entry, so no index of entries is needed.
 *
 *	.debug_info	| unit header | entry | entry | ... | unit header | ...
 *
 * Sections are read when they are first needed. All numbers in them were
 * written by somebody else and are checked when they are used; a unit that
 * makes no sense has no entries.
 *
 * Two files can belong together: what several programs share is moved by dwz
 * to a common one, and entries here refer to entries there.
 */
#ifndef SYMBOLS_DWARF_H
#define SYMBOLS_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "core/reader.h"
#include "symbols/elf.h"

/* Most bytes of debug sections of one file, unpacked. */
#define DWARF_BYTES_MAX ((uint64_t)1 << 30)
#define DWARF_UNITS_MAX 300000

#define DWARF_SECTIONS(_)					\
	_(INFO, "info") _(ABBREV, "abbrev") _(LINE, "line")	\
	_(LINE_STR, "line_str") _(STR, "str")			\
	_(RANGES, "ranges") _(RNGLISTS, "rnglists")		\
	_(ADDR, "addr") _(STR_OFFSETS, "str_offsets")

enum dwarf_section {
#define DWARF_SECTION_ID(id, name) DWARF_##id,
	DWARF_SECTIONS(DWARF_SECTION_ID)
#undef DWARF_SECTION_ID
	DWARF_SECTION_COUNT
};

struct dwarf;

/* An attribute that is looked at has a name and a form; see DWARF 5, 7.5. */
struct dwarf_spec {
	uint16_t name, form;
	int32_t constant;	/* DW_FORM_implicit_const */
};

/* The layout of entries with one code. */
struct dwarf_abbrev {
	uint64_t code;		/* 0: no such code */
	uint16_t tag;
	bool has_children;
	uint32_t fixed_size;	/* of all attributes; UINT32_MAX: varies */
	uint32_t first, count;	/* in the table's specs */
};

struct dwarf_abbrevs;

/* What an attribute holds. */
enum dwarf_class {
	DWARF_NOTHING,		/* not there, or not understood */
	DWARF_NUMBER,		/* constants, offsets and flags */
	DWARF_ADDRESS,
	DWARF_TEXT,
	DWARF_REFERENCE,	/* to the entry at NUMBER of FILE */
	DWARF_INDEX,		/* of a list of ranges */
};

struct dwarf_value {
	enum dwarf_class class;
	uint64_t number;
	const char *text;	/* borrowed from the file */
	struct dwarf *file;
};

/* The part of an entry that says which addresses it covers. */
struct dwarf_span {
	uint64_t low, high;
	bool has_low, has_high, is_length;
	struct dwarf_value ranges;	/* NOTHING when there are none */
};

struct dwarf_unit {
	struct dwarf *file;
	uint64_t at, end;	/* in .debug_info; AT is its header */
	uint64_t first;		/* its first entry */
	uint64_t abbrev_at;
	uint16_t version;
	uint8_t offset_size, address_size, type;
	bool is_read;		/* the attributes below were looked for */
	bool is_broken;
	const struct dwarf_abbrevs *abbrevs;	/* NULL: not needed yet */
	uint64_t base;		/* DW_AT_low_pc */
	uint64_t str_offsets_base, addr_base, rnglists_base;
	uint64_t line_at;	/* of its line program; UINT64_MAX: none */
	const char *folder;	/* DW_AT_comp_dir, or NULL; borrowed */
	const char *name;
	uint64_t language;	/* DW_LANG_*; 0: not said */
	struct dwarf_span span;	/* of all its code */
};

/*
 * Take the sections from ELF, which has to outlive the result; *OUT is new,
 * freed with dwarf_free().
 */
bool dwarf_open(const struct elf *elf, struct dwarf **out, struct error *err);
void dwarf_free(struct dwarf *dwarf);

/* Does ELF have entries at all? Are they compressed? Read nothing. */
bool dwarf_exists(const struct elf *elf);
bool dwarf_is_packed(const struct elf *elf);

/* The file that DWARF shares entries with; borrowed. */
void dwarf_set_common(struct dwarf *dwarf, struct dwarf *common);

/* Bytes of SECTION, empty when there are none; *LEN without the NUL behind. */
const uint8_t *dwarf_bytes(struct dwarf *dwarf, enum dwarf_section section,
			   size_t *len);

/* Bytes of sections in memory. */
uint64_t dwarf_size(const struct dwarf *dwarf);

/* What could not be read so far, or NULL. */
const char *dwarf_trouble(const struct dwarf *dwarf);

/* Unit number I, ready to be read; NULL past the last. */
struct dwarf_unit *dwarf_unit(struct dwarf *dwarf, size_t i);
size_t dwarf_units(struct dwarf *dwarf);

/* The unit that holds the entry at OFFSET of .debug_info, or NULL. */
struct dwarf_unit *dwarf_unit_at(struct dwarf *dwarf, uint64_t offset);

/* --- entries */

/* A cursor over the entries of a unit, in the order they lie in. */
struct dwarf_cursor {
	struct dwarf_unit *unit;
	struct reader bytes;
	uint64_t offset;	/* of the entry in .debug_info */
	const struct dwarf_abbrev *abbrev;
	uint32_t depth;		/* of the entry; the unit's own is 0 */
	uint32_t next_depth;
};

/* Begin at the entry at OFFSET of UNIT: the next one is that. */
struct dwarf_cursor dwarf_cursor(struct dwarf_unit *unit, uint64_t offset);

/*
 * Go to the next entry; its attributes have to be read or skipped before the
 * next call. False at the end of the unit, or where it breaks off.
 */
bool dwarf_next(struct dwarf_cursor *cursor);
void dwarf_skip(struct dwarf_cursor *cursor);

/* The attributes of the entry, as many as its abbreviation has, in order. */
const struct dwarf_spec *dwarf_specs(const struct dwarf_cursor *cursor);
void dwarf_read(struct dwarf_cursor *cursor, const struct dwarf_spec *spec,
		struct dwarf_value *out);

/* --- addresses */

/* Note SPEC's VALUE in SPAN if it is about addresses. */
void dwarf_span_note(struct dwarf_span *span, const struct dwarf_spec *spec,
		     const struct dwarf_value *value);

/* Hand each range of SPAN to FN. */
typedef void (*dwarf_range_fn)(void *ctx, uint64_t low, uint64_t high);
void dwarf_span_each(struct dwarf_unit *unit, const struct dwarf_span *span,
		     dwarf_range_fn fn, void *ctx);

#endif
