/* SPDX-License-Identifier: MIT */
/*
 * places.c - units by address, and what was found out about them.
 *
 * Units are found by their own ranges: not every compiler emits
 * .debug_aranges.
 */
#include "symbols/places.h"

#include <stdlib.h>
#include <string.h>

#include "core/lookup.h"
#include "core/strings.h"
#include "symbols/calls.h"
#include "symbols/demangle.h"
#include "symbols/dwarf.h"
#include "symbols/dwarf_name.h"
#include "symbols/line_rows.h"
#include "symbols/ranges.h"

#define CACHE_MAX ((size_t)96 << 20)	/* bytes of units gone over */
#define TEXTS_MAX ((size_t)64 << 20)

struct known_unit {
	struct calls *calls;		/* NULL: not gone over */
	struct line_rows *lines;
};

/* A function's name as people read it. */
struct known_name {
	const struct dwarf *file;
	uint64_t origin;
	string_id text;
};

struct places {
	struct dwarf *dwarf, *common;
	struct ranges *ranges;		/* of units, named by their number */
	struct known_unit *units;
	size_t cached;			/* bytes in UNITS */
	struct strings *texts;
	struct known_name *names;
	size_t nnames, names_capacity;
	struct lookup lookup;		/* of NAMES */
};

/* --- units */

struct unit_ranges {
	struct ranges *ranges;
	uint32_t unit;
};

static void
add_range(void *ctx, uint64_t low, uint64_t high)
{
	const struct unit_ranges *to = ctx;

	ranges_add(to->ranges, low, high, to->unit);
}

static void
find_units(struct places *places)
{
	size_t count = dwarf_units(places->dwarf);

	places->ranges = ranges_new();
	for (size_t i = 0; i < count; i++) {
		struct unit_ranges to = { places->ranges, (uint32_t)i };
		struct dwarf_unit *unit = dwarf_unit(places->dwarf, i);

		dwarf_span_each(unit, &unit->span, add_range, &to);
	}
	ranges_settle(places->ranges);
}

bool
places_open(const struct elf *elf, const struct elf *common,
	    struct places **out, struct error *err)
{
	struct places *places = xcalloc(1, sizeof(*places));

	if (!dwarf_open(elf, &places->dwarf, err)) {
		free(places);
		return false;
	}
	if (common && dwarf_open(common, &places->common, NULL))
		dwarf_set_common(places->dwarf, places->common);
	places->texts = strings_new();
	strings_set_bound(places->texts, TEXTS_MAX);
	places->units = xcalloc(dwarf_units(places->dwarf),
				sizeof(*places->units));
	find_units(places);
	*out = places;
	return true;
}

static void
forget_units(struct places *places)
{
	for (size_t i = 0; i < dwarf_units(places->dwarf); i++) {
		calls_free(places->units[i].calls);
		line_rows_free(places->units[i].lines);
		places->units[i] = (struct known_unit){ NULL, NULL };
	}
	places->cached = 0;
}

void
places_free(struct places *places)
{
	if (!places)
		return;
	forget_units(places);
	free(places->units);
	ranges_free(places->ranges);
	strings_free(places->texts);
	free(places->names);
	lookup_fini(&places->lookup);
	dwarf_free(places->dwarf);
	dwarf_free(places->common);
	free(places);
}

/* Unit number I, gone over. */
static const struct known_unit *
known_unit(struct places *places, uint32_t i)
{
	struct known_unit *known = &places->units[i];
	struct dwarf_unit *unit = dwarf_unit(places->dwarf, i);

	if (known->calls)
		return known;
	if (places->cached > CACHE_MAX)
		forget_units(places);
	known->calls = calls_new(unit);
	known->lines = line_rows_new(unit);
	places->cached += calls_bytes(known->calls) +
			  line_rows_bytes(known->lines);
	return known;
}

/* --- texts */

static bool
is_same_name(const void *owner, uint32_t id, const void *key)
{
	const struct known_name *name =
		&((const struct places *)owner)->names[id];
	const struct known_name *wanted = key;

	return name->file == wanted->file && name->origin == wanted->origin;
}

static string_id
keep_text(struct places *places, const char *text)
{
	return strings_add(places->texts, text, strlen(text));
}

/* Demangling is dear, and one function is inlined in many places. */
static const char *
name_of(struct places *places, const struct call *call)
{
	struct known_name new = { .file = call->file, .origin = call->origin };
	uint32_t hash = hash_words(new.origin, new.file == places->common);
	uint32_t id = lookup_find(&places->lookup, hash, is_same_name, places,
				  &new);
	char raw[DWARF_NAME_SIZE], *plain;

	if (id == LOOKUP_NONE) {
		dwarf_name(call->file, call->origin, raw);
		plain = demangle(raw);
		new.text = keep_text(places, plain ? plain : raw);
		free(plain);
		id = (uint32_t)places->nnames;
		lookup_add(&places->lookup, hash, id);
		places->names = grow(places->names, places->nnames,
				     &places->names_capacity, sizeof(new));
		places->names[places->nnames++] = new;
	}
	return strings_get(places->texts, places->names[id].text);
}

static void
set_file(struct places *places, const struct line_rows *lines, uint32_t file,
	 uint32_t line, struct symbol_place *place)
{
	char path[4096];

	line_rows_path(lines, file, path, sizeof(path));
	place->file = strings_get(places->texts, keep_text(places, path));
	place->line = line;
}

size_t
places_find(struct places *places, uint64_t vaddr,
	    struct symbol_place out[PLACES_DEPTH_MAX])
{
	struct call calls[CALLS_DEPTH_MAX];
	const struct known_unit *unit;
	uint32_t number, file, line;
	uint64_t start;
	size_t n;

	if (!ranges_lookup(places->ranges, vaddr, &start, &number))
		return 0;
	unit = known_unit(places, number);
	n = calls_find(unit->calls, vaddr, calls);
	for (size_t i = 0; i < n; i++) {
		out[i] = (struct symbol_place){ name_of(places, &calls[i]), "",
						0 };
		if (i)
			set_file(places, unit->lines, calls[i].call_file,
				 calls[i].call_line, &out[i - 1]);
	}
	if (!line_rows_find(unit->lines, vaddr, &file, &line))
		return n;
	if (!n)
		out[n++] = (struct symbol_place){ "", "", 0 };
	set_file(places, unit->lines, file, line, &out[n - 1]);
	return n;
}

uint64_t
places_bytes(const struct places *places)
{
	return dwarf_size(places->dwarf) + places->cached +
	       (places->common ? dwarf_size(places->common) : 0);
}

const char *
places_trouble(const struct places *places)
{
	return dwarf_trouble(places->dwarf);
}
