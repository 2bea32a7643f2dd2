/* SPDX-License-Identifier: MIT */
/*
 * dwarf_name.c - from an inlined call to the entry that has the name, and to
 * what that lies in.
 */
#include "symbols/dwarf_name.h"

#include <stdio.h>
#include <string.h>

#include <dwarf.h>

#define HOPS_MAX 16	/* from one entry to the one with the name */
#define LEVELS_MAX 64	/* of what lies in what */
#define NESTING_MAX 4	/* functions in functions */

/* What an entry says about its name, and who says more. */
struct name {
	const char *linkage, *plain;
	struct dwarf_value next;
};

static void
read_name(struct dwarf_cursor *cursor, struct name *name)
{
	const struct dwarf_spec *specs = dwarf_specs(cursor);
	struct dwarf_value value;

	name->next.class = DWARF_NOTHING;
	for (uint32_t i = 0; i < cursor->abbrev->count; i++) {
		dwarf_read(cursor, &specs[i], &value);
		switch (specs[i].name) {
		case DW_AT_linkage_name:
		case DW_AT_MIPS_linkage_name:
			name->linkage = value.text;
			break;
		case DW_AT_name:
			if (!name->plain)
				name->plain = value.text;
			break;
		case DW_AT_specification:
		case DW_AT_abstract_origin:
			if (value.class == DWARF_REFERENCE)
				name->next = value;
			break;
		}
	}
}

/* Follow references from *LAST to a name; *LAST is then who said it. */
static struct name
find_name(struct dwarf_value *last)
{
	struct name name = { .next = *last };

	for (int i = 0; i < HOPS_MAX && !name.linkage &&
	     name.next.class == DWARF_REFERENCE; i++) {
		struct dwarf_unit *unit = dwarf_unit_at(name.next.file,
							name.next.number);
		struct dwarf_cursor cursor;

		if (!unit)
			break;
		cursor = dwarf_cursor(unit, name.next.number);
		if (!dwarf_next(&cursor))
			break;
		*last = name.next;
		read_name(&cursor, &name);
	}
	return name;
}

/* Do functions of UNIT lie in namespaces and classes? */
static bool
has_scopes(const struct dwarf_unit *unit)
{
	switch (unit->language) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_D:
	case DW_LANG_Rust:
	case DW_LANG_Swift:
		return true;
	}
	return false;
}

static bool
is_scope(unsigned tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* What an entry lies in, outermost first. */
struct level {
	uint64_t offset;
	unsigned tag;
};

struct scopes {
	struct level levels[LEVELS_MAX];
	uint32_t count;
};

/* What lies around the entry at OFFSET of UNIT; none if it is no entry. */
static void
find_scopes(struct dwarf_unit *unit, uint64_t offset, struct scopes *scopes)
{
	struct dwarf_cursor cursor = dwarf_cursor(unit, unit->first);

	scopes->count = 0;
	while (dwarf_next(&cursor) && cursor.offset < offset) {
		if (cursor.depth < LEVELS_MAX)
			scopes->levels[cursor.depth] = (struct level){
				cursor.offset, cursor.abbrev->tag };
		dwarf_skip(&cursor);
	}
	if (cursor.offset == offset)
		scopes->count = cursor.depth < LEVELS_MAX ? cursor.depth
							  : LEVELS_MAX;
}

static size_t
append(char out[DWARF_NAME_SIZE], size_t n, const char *text)
{
	int len = snprintf(out + n, DWARF_NAME_SIZE - n, "%s", text);

	if (len < 0)
		return n;
	n += (size_t)len;
	return n < DWARF_NAME_SIZE ? n : DWARF_NAME_SIZE - 1;
}

static size_t print_name(struct dwarf_value entry, unsigned nesting,
			 char out[DWARF_NAME_SIZE], size_t n);

/* What a class or namespace is called; it may not be. */
static const char *
scope_name(struct dwarf_unit *unit, const struct level *level,
	   const char *inside)
{
	struct dwarf_value last = {
		.class = DWARF_REFERENCE, .number = level->offset,
		.file = unit->file,
	};
	struct name name = find_name(&last);

	if (name.plain)
		return name.plain;
	if (level->tag == DW_TAG_namespace)
		return "(anonymous namespace)";
	return strncmp(inside, "operator()", 10) == 0 ? "{lambda}" :
							"{unnamed}";
}

/*
 * "std::detail::" for the entry at OFFSET of UNIT, whose own name is INSIDE.
 * The function that it lies in may be declared elsewhere, in a class.
 */
static size_t
print_scopes(struct dwarf_unit *unit, uint64_t offset, const char *inside,
	     unsigned nesting, char out[DWARF_NAME_SIZE], size_t n)
{
	struct scopes scopes;
	uint32_t first = 1;

	find_scopes(unit, offset, &scopes);
	for (uint32_t i = scopes.count; i-- > 1;) {
		const struct level *level = &scopes.levels[i];

		if (level->tag != DW_TAG_subprogram)
			continue;
		n = print_name((struct dwarf_value){
			.class = DWARF_REFERENCE, .number = level->offset,
			.file = unit->file }, nesting + 1, out, n);
		n = append(out, n, "::");
		first = i + 1;
		break;
	}
	for (uint32_t i = first; i < scopes.count; i++) {
		if (!is_scope(scopes.levels[i].tag))
			continue;
		n = append(out, n, scope_name(unit, &scopes.levels[i], inside));
		n = append(out, n, "::");
	}
	return n;
}

/* Without the linker's name: that would be mangled, inside of another. */
static size_t
print_name(struct dwarf_value entry, unsigned nesting,
	   char out[DWARF_NAME_SIZE], size_t n)
{
	struct dwarf_value last = entry;
	struct name name = find_name(&last);
	struct dwarf_unit *unit = dwarf_unit_at(last.file, last.number);

	if (!name.plain)
		return append(out, n, "{unnamed}");
	if (unit && has_scopes(unit) && nesting < NESTING_MAX)
		n = print_scopes(unit, last.number, name.plain, nesting, out,
				 n);
	return append(out, n, name.plain);
}

void
dwarf_name(struct dwarf *file, uint64_t offset, char out[DWARF_NAME_SIZE])
{
	struct dwarf_value entry = {
		.class = DWARF_REFERENCE, .number = offset, .file = file,
	}, last = entry;
	struct name name = find_name(&last);

	out[0] = '\0';
	if (name.linkage)
		append(out, 0, name.linkage);
	else if (name.plain)
		print_name(entry, 0, out, 0);
}
