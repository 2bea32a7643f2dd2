/* SPDX-License-Identifier: MIT */
/*
 * pprof_frames.c - locations of a pprof file to frames.
 */
#include "formats/pprof.h"

#include "formats/frame_name.h"

#define NO_LOCATION "[no location]"
#define NO_FUNCTION "[no function]"

/* What the code of a mapping is. */
static enum frame_kind
kind_of(struct slice path)
{
	struct slice file = slice_file(path);

	if (slice_starts(path, "[kernel") ||
	    slice_starts(path, "[guest.kernel") ||
	    slice_starts(file, "vmlinux"))
		return FRAME_KERNEL;
	if (slice_starts(path, PPROF_JIT) ||
	    (slice_starts(file, "perf-") && slice_ends(file, ".map")))
		return FRAME_JIT;
	return FRAME_CODE;
}

static void
add_frame(struct pprof *pprof, frame_id frame)
{
	pprof->frames = grow(pprof->frames, pprof->nframes,
			     &pprof->frames_capacity, sizeof(*pprof->frames));
	pprof->frames[pprof->nframes++] = frame;
}

/* The name of function ID; empty when it has none. */
static struct slice
function_name(struct pprof *pprof, uint64_t id)
{
	uint32_t row = pprof_row(&pprof->functions, id);
	const struct pprof_function *function =
		table_at(&pprof->functions, row);
	struct slice name = pprof_string(pprof, function->name);

	if (!row)
		pprof->missing_functions++;
	return name.len ? name : pprof_string(pprof, function->system_name);
}

/* "libc.so.6+0x2724a", "0x7f3a10", "[no function]". */
static frame_id
nameless(struct pprof *pprof, struct profile *profile,
	 const struct pprof_location *location, enum frame_kind kind)
{
	const struct pprof_mapping *mapping = table_at(
		&pprof->mappings,
		pprof_row(&pprof->mappings, location->mapping));

	if (!location->address)
		return frame_named(profile, slice_whole(NO_FUNCTION), kind);
	return frame_nameless(profile, pprof_string(pprof, mapping->file),
			      location->address - mapping->start +
				      mapping->offset,
			      location->address, kind);
}

/* The next line of a location's MESSAGE, as its function's id. */
static bool
next_line(struct reader *message, uint64_t *function)
{
	struct protobuf_field field, part;

	while (protobuf_next(message, &field)) {
		if (field.number != LOCATION_LINE)
			continue;
		*function = 0;
		while (protobuf_next(&field.bytes, &part))
			if (part.number == LINE_FUNCTION)
				*function = part.value;
		return true;
	}
	return false;
}

static void
reverse(frame_id *frames, size_t count)
{
	size_t i;

	for (i = 0; i < count / 2; i++) {
		frame_id other = frames[count - 1 - i];

		frames[count - 1 - i] = frames[i];
		frames[i] = other;
	}
}

/*
 * Lines are innermost first, frames outermost first. A function without a
 * name has the address instead, once.
 */
static void
add_lines(struct pprof *pprof, struct profile *profile,
	  struct pprof_location *location, enum frame_kind kind)
{
	struct reader message = location->message;
	uint64_t function, next;
	bool is_last = !next_line(&message, &function);

	while (!is_last) {
		struct slice name = function_name(pprof, function);

		is_last = !next_line(&message, &next);
		if (name.len)
			add_frame(pprof, frame_named(
				profile, name, is_last ? kind : FRAME_INLINED));
		function = next;
	}
	if (pprof->nframes == location->first)
		add_frame(pprof, nameless(pprof, profile, location, kind));
}

void
pprof_find_frames(struct pprof *pprof, struct profile *profile,
		  struct pprof_location *location)
{
	const struct pprof_mapping *mapping;

	if (location->has_frames)
		return;
	location->has_frames = true;
	location->first = pprof->nframes;
	mapping = table_at(&pprof->mappings, pprof_row(&pprof->mappings,
						       location->mapping));
	if (location->row.is_known)
		add_lines(pprof, profile, location,
			  kind_of(pprof_string(pprof, mapping->file)));
	else
		add_frame(pprof, frame_named(profile, slice_whole(NO_LOCATION),
					     FRAME_NOTE));
	location->count = pprof->nframes - location->first;
	reverse(pprof->frames + location->first, location->count);
}
