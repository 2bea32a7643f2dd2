/* SPDX-License-Identifier: MIT */
/*
 * calls.c - functions by address, inlined calls by depth and address.
 */
#include "symbols/calls.h"

#include <stdlib.h>

#include <dwarf.h>

#define LEVELS_MAX 1024	/* entries deeper than that are passed over */

/* A range of a function, or of what was inlined into it. */
struct part {
	uint64_t low, high;
	uint32_t call;		/* in CALLS */
	uint32_t function;	/* in FUNCTIONS */
	uint32_t depth;		/* 0: the function itself */
};

struct calls {
	struct call *calls;
	size_t ncalls, calls_capacity;
	/* Those of functions come first, by address; then by function, depth
	   and address. */
	struct part *parts;
	size_t nparts, parts_capacity, nfunctions_parts;
	uint32_t nfunctions;
	size_t *first;		/* by function: its first inlined part */
};

/* What an entry lies in. */
struct level {
	uint32_t function;	/* UINT32_MAX: none */
	uint32_t depth;		/* of inlining */
};

struct scan {
	struct calls *calls;
	struct dwarf_unit *unit;
	struct level levels[LEVELS_MAX];
	struct part part;	/* for add_part() */
};

static void
add_part(void *ctx, uint64_t low, uint64_t high)
{
	struct scan *scan = ctx;
	struct calls *calls = scan->calls;

	scan->part.low = low;
	scan->part.high = high;
	calls->parts = grow(calls->parts, calls->nparts,
			    &calls->parts_capacity, sizeof(scan->part));
	calls->parts[calls->nparts++] = scan->part;
}

/* The attributes of a function or an inlined call. */
static void
read_entry(struct dwarf_cursor *cursor, struct dwarf_span *span,
	   struct call *call)
{
	const struct dwarf_spec *specs = dwarf_specs(cursor);
	struct dwarf_value value;

	*span = (struct dwarf_span){ 0 };
	*call = (struct call){ .file = cursor->unit->file,
			       .origin = cursor->offset };
	for (uint32_t i = 0; i < cursor->abbrev->count; i++) {
		dwarf_read(cursor, &specs[i], &value);
		switch (specs[i].name) {
		case DW_AT_low_pc:
		case DW_AT_high_pc:
		case DW_AT_ranges:
			dwarf_span_note(span, &specs[i], &value);
			break;
		case DW_AT_abstract_origin:
			if (value.class != DWARF_REFERENCE)
				break;
			call->file = value.file;
			call->origin = value.number;
			break;
		case DW_AT_call_file:
			call->call_file = (uint32_t)value.number;
			break;
		case DW_AT_call_line:
			call->call_line = (uint32_t)value.number;
			break;
		}
	}
}

/* A function begins at the cursor, or an inlined call. */
static void
enter(struct scan *scan, struct dwarf_cursor *cursor, struct level *level)
{
	bool is_inlined = cursor->abbrev->tag == DW_TAG_inlined_subroutine;
	struct calls *calls = scan->calls;
	size_t before = calls->nparts;
	struct dwarf_span span;
	struct call call;

	read_entry(cursor, &span, &call);
	if (is_inlined && level->function == UINT32_MAX)
		return;
	scan->part = (struct part){
		.call = (uint32_t)calls->ncalls,
		.function = is_inlined ? level->function : calls->nfunctions,
		.depth = is_inlined ? level->depth + 1 : 0,
	};
	dwarf_span_each(scan->unit, &span, add_part, scan);
	if (calls->nparts == before) {
		if (!is_inlined)
			level->function = UINT32_MAX;
		return;
	}
	level->function = scan->part.function;
	level->depth = scan->part.depth;
	calls->nfunctions += !is_inlined;
	calls->calls = grow(calls->calls, calls->ncalls,
			    &calls->calls_capacity, sizeof(call));
	calls->calls[calls->ncalls++] = call;
}

static void
scan_unit(struct scan *scan)
{
	struct dwarf_cursor cursor = dwarf_cursor(scan->unit,
						  scan->unit->first);

	while (dwarf_next(&cursor)) {
		struct level *level;

		if (cursor.depth >= LEVELS_MAX) {
			dwarf_skip(&cursor);
			continue;
		}
		level = &scan->levels[cursor.depth];
		*level = cursor.depth ? level[-1]
				      : (struct level){ UINT32_MAX, 0 };
		if (cursor.abbrev->tag == DW_TAG_subprogram ||
		    cursor.abbrev->tag == DW_TAG_inlined_subroutine)
			enter(scan, &cursor, level);
		else
			dwarf_skip(&cursor);
	}
}

static int
compare_parts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (!x->depth != !y->depth)
		return x->depth ? 1 : -1;
	if (x->depth && x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->call > y->call) - (x->call < y->call);
}

static void
sort_parts(struct calls *calls)
{
	size_t i = 0;

	if (calls->nparts)
		qsort(calls->parts, calls->nparts, sizeof(*calls->parts),
		      compare_parts);
	while (i < calls->nparts && !calls->parts[i].depth)
		i++;
	calls->nfunctions_parts = i;
	calls->first = xcalloc((size_t)calls->nfunctions + 1,
			       sizeof(*calls->first));
	for (uint32_t f = 0; f <= calls->nfunctions; f++) {
		while (i < calls->nparts && calls->parts[i].function < f)
			i++;
		calls->first[f] = i;
	}
}

struct calls *
calls_new(struct dwarf_unit *unit)
{
	struct scan *scan = xcalloc(1, sizeof(*scan));
	struct calls *calls = xcalloc(1, sizeof(*calls));

	scan->calls = calls;
	scan->unit = unit;
	scan_unit(scan);
	sort_parts(calls);
	free(scan);
	return calls;
}

void
calls_free(struct calls *calls)
{
	if (!calls)
		return;
	free(calls->calls);
	free(calls->parts);
	free(calls->first);
	free(calls);
}

/* Of the parts [FIRST, END) that have DEPTH, the one that holds VADDR. */
static const struct part *
find_part(const struct calls *calls, size_t first, size_t end, uint32_t depth,
	  uint64_t vaddr)
{
	const struct part *part;
	size_t low = first, high = end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		part = &calls->parts[middle];
		if (part->depth < depth ||
		    (part->depth == depth && part->low <= vaddr))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == first)
		return NULL;
	part = &calls->parts[low - 1];
	return part->depth == depth && vaddr < part->high ? part : NULL;
}

size_t
calls_find(const struct calls *calls, uint64_t vaddr,
	   struct call out[CALLS_DEPTH_MAX])
{
	const struct part *part = find_part(calls, 0, calls->nfunctions_parts,
					    0, vaddr);
	size_t n = 0;

	while (part && n < CALLS_DEPTH_MAX) {
		out[n++] = calls->calls[part->call];
		part = find_part(calls, calls->first[part->function],
				 calls->first[part->function + 1],
				 (uint32_t)n, vaddr);
	}
	return n;
}

size_t
calls_bytes(const struct calls *calls)
{
	return calls->calls_capacity * sizeof(*calls->calls) +
	       calls->parts_capacity * sizeof(*calls->parts) +
	       calls->nfunctions * sizeof(*calls->first);
}
