/* SPDX-License-Identifier: MIT */
/*
 * dwarf_span.c - the addresses of an entry: a pair, or a list of ranges.
 */
#include <dwarf.h>

#include "symbols/dwarf.h"
#include "symbols/dwarf_private.h"

void
dwarf_span_note(struct dwarf_span *span, const struct dwarf_spec *spec,
		const struct dwarf_value *value)
{
	if (spec->name == DW_AT_ranges) {
		span->ranges = *value;
	} else if (spec->name == DW_AT_low_pc) {
		span->has_low = value->class == DWARF_ADDRESS;
		span->low = value->number;
	} else if (spec->name == DW_AT_high_pc) {
		span->has_high = value->class != DWARF_NOTHING;
		span->is_length = value->class == DWARF_NUMBER;
		span->high = value->number;
	}
}

/* Where ranges go; what linkers leave of dropped code begins at 0. */
struct target {
	struct dwarf *dwarf;
	dwarf_range_fn fn;
	void *ctx;
};

static void
hand(const struct target *target, uint64_t low, uint64_t high)
{
	if (low && low < high)
		target->fn(target->ctx, low, high);
}

static bool
may_go_on(const struct target *target, const struct reader *r)
{
	if (r->failed || !target->dwarf->ranges_left)
		return false;
	target->dwarf->ranges_left--;
	return true;
}

/* DWARF 2 to 4: pairs, relative to a base. */
static void
each_old(struct dwarf_unit *unit, uint64_t at, const struct target *target)
{
	struct reader r = dwarf_reader(unit->file, DWARF_RANGES, at);
	uint64_t base = unit->base;

	while (may_go_on(target, &r)) {
		uint64_t low = reader_u64(&r), high = reader_u64(&r);

		if (r.failed || (!low && !high))
			return;
		if (low == UINT64_MAX)
			base = high;
		else
			hand(target, base + low, base + high);
	}
}

/* A range list entry of KIND that tells both ends itself. */
static bool
read_pair(struct dwarf_unit *unit, struct reader *r, unsigned kind,
	  uint64_t *low, uint64_t *high)
{
	bool ok = true;

	switch (kind) {
	case DW_RLE_startx_endx:
		ok = dwarf_indexed_address(unit, dwarf_uleb(r), low);
		return dwarf_indexed_address(unit, dwarf_uleb(r), high) && ok;
	case DW_RLE_startx_length:
		ok = dwarf_indexed_address(unit, dwarf_uleb(r), low);
		*high = *low + dwarf_uleb(r);
		return ok;
	case DW_RLE_start_end:
		*low = reader_u64(r);
		*high = reader_u64(r);
		return true;
	case DW_RLE_start_length:
		*low = reader_u64(r);
		*high = *low + dwarf_uleb(r);
		return true;
	}
	r->failed = true;
	return false;
}

static void
each_new(struct dwarf_unit *unit, uint64_t at, const struct target *target)
{
	struct reader r = dwarf_reader(unit->file, DWARF_RNGLISTS, at);
	uint64_t base = unit->base, low = 0, high = 0;

	while (may_go_on(target, &r)) {
		unsigned kind = reader_u8(&r);

		switch (kind) {
		case DW_RLE_end_of_list:
			return;
		case DW_RLE_base_addressx:
			if (!dwarf_indexed_address(unit, dwarf_uleb(&r),
						   &base))
				return;
			break;
		case DW_RLE_base_address:
			base = reader_u64(&r);
			break;
		case DW_RLE_offset_pair:
			low = base + dwarf_uleb(&r);
			high = base + dwarf_uleb(&r);
			if (!r.failed)
				hand(target, low, high);
			break;
		default:
			if (read_pair(unit, &r, kind, &low, &high) &&
			    !r.failed)
				hand(target, low, high);
		}
	}
}

/* Where the list number INDEX of UNIT lies. */
static bool
find_list(struct dwarf_unit *unit, uint64_t index, uint64_t *at)
{
	struct reader r;

	if (index > UINT32_MAX)
		return false;
	r = dwarf_reader(unit->file, DWARF_RNGLISTS,
			 unit->rnglists_base + index * unit->offset_size);
	*at = unit->rnglists_base + dwarf_offset(&r, unit->offset_size);
	return !r.failed;
}

void
dwarf_span_each(struct dwarf_unit *unit, const struct dwarf_span *span,
		dwarf_range_fn fn, void *ctx)
{
	struct target target = { unit->file, fn, ctx };
	uint64_t at = span->ranges.number;

	if (span->ranges.class == DWARF_INDEX &&
	    !find_list(unit, span->ranges.number, &at))
		return;
	if (span->ranges.class == DWARF_INDEX ||
	    (span->ranges.class == DWARF_NUMBER && unit->version >= 5))
		each_new(unit, at, &target);
	else if (span->ranges.class == DWARF_NUMBER)
		each_old(unit, at, &target);
	else if (span->has_low && span->has_high)
		hand(&target, span->low,
		     span->is_length ? span->low + span->high : span->high);
}
