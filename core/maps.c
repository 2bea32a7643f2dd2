/* SPDX-License-Identifier: MIT */
/*
 * maps.c - a sorted array of ranges that never overlap.
 */
#include "core/maps.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define PATH_BOUND ((size_t)16 << 20)	/* for one process's paths */

struct maps {
	struct mapping *rows;	/* by start */
	size_t count, capacity;
	struct strings *paths;
	uint64_t generation;
};

static struct strings *
new_paths(void)
{
	struct strings *paths = strings_new();

	strings_set_bound(paths, PATH_BOUND);
	return paths;
}

struct maps *
maps_new(void)
{
	struct maps *maps = xcalloc(1, sizeof(*maps));

	maps->paths = new_paths();
	return maps;
}

void
maps_free(struct maps *maps)
{
	if (!maps)
		return;
	strings_free(maps->paths);
	free(maps->rows);
	free(maps);
}

void
maps_clear(struct maps *maps)
{
	strings_free(maps->paths);
	maps->paths = new_paths();
	maps->count = 0;
	maps->generation++;
}

static const char *
keep_path(struct maps *maps, const char *path)
{
	return strings_get(maps->paths,
			   strings_add(maps->paths, path, strlen(path)));
}

/* How many mappings end at ADDR or before. */
static size_t
below(const struct maps *maps, uint64_t addr)
{
	size_t low = 0, high = maps->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (maps->rows[middle].end <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Put N rows at I in place of the GONE rows that are there. */
static void
splice(struct maps *maps, size_t i, size_t gone, const struct mapping *rows,
       size_t n)
{
	size_t behind = maps->count - i - gone;

	maps->rows = grow(maps->rows, maps->count + n, &maps->capacity,
			  sizeof(*rows));
	memmove(&maps->rows[i + n], &maps->rows[i + gone],
		behind * sizeof(*rows));
	memcpy(&maps->rows[i], rows, n * sizeof(*rows));
	maps->count = i + n + behind;
}

static bool
is_same_file(const struct mapping *a, const struct mapping *b)
{
	return a->inode && a->inode == b->inode && a->dev == b->dev;
}

static bool
is_header(const struct mapping *mapping)
{
	return mapping->inode && !mapping->file_offset;
}

/*
 * A segment belongs to the header below it, with nothing of another file in
 * between. (Gaps of a library are held by mappings without a file.)
 */
static uint64_t
base_of(const struct maps *maps, size_t i)
{
	const struct mapping *mapping = &maps->rows[i];

	if (is_header(mapping))
		return mapping->start;
	for (size_t steps = 4; i-- > 0 && steps--;) {
		const struct mapping *lower = &maps->rows[i];

		if (is_same_file(lower, mapping))
			return lower->base;
		if (lower->inode)
			break;
	}
	return 0;
}

/* The row at I is new: its base, and that of segments that waited for it. */
static void
set_bases(struct maps *maps, size_t i)
{
	struct mapping *new = &maps->rows[i];

	new->base = base_of(maps, i);
	if (!is_header(new))
		return;
	for (i++; i < maps->count; i++) {
		struct mapping *higher = &maps->rows[i];

		if (higher->inode &&
		    (!is_same_file(higher, new) || higher->base))
			break;
		if (higher->inode)
			higher->base = new->start;
	}
}

static bool
is_known(const struct mapping *old, const struct mapping *new)
{
	return old->start == new->start && old->end == new->end &&
	       old->file_offset == new->file_offset && old->dev == new->dev &&
	       old->inode == new->inode && old->kind == new->kind &&
	       old->is_executable == new->is_executable &&
	       old->is_writable == new->is_writable &&
	       old->is_deleted == new->is_deleted &&
	       !strcmp(old->path, new->path);
}

void
maps_add(struct maps *maps, const struct mapping *mapping)
{
	size_t first = below(maps, mapping->start), last = first, n = 0;
	size_t middle = first;
	struct mapping rows[3], *old = NULL;

	if (first < maps->count)
		old = &maps->rows[first];
	if (mapping->start >= mapping->end || (old && is_known(old, mapping)))
		return;
	if (old && old->start < mapping->start) {
		rows[n] = *old;
		rows[n++].end = mapping->start;
		middle++;
	}
	rows[n] = *mapping;
	rows[n++].path = keep_path(maps, mapping->path);
	while (last < maps->count && maps->rows[last].start < mapping->end)
		last++;
	if (last > first && maps->rows[last - 1].end > mapping->end) {
		rows[n] = maps->rows[last - 1];
		if (rows[n].inode)
			rows[n].file_offset += mapping->end - rows[n].start;
		rows[n++].start = mapping->end;
	}
	splice(maps, first, last - first, rows, n);
	set_bases(maps, middle);
	maps->generation++;
}

static bool
fills_hole(const struct mapping *lower, const struct mapping *row,
	   const struct mapping *upper)
{
	return row->kind == MODULE_JIT && !row->inode && row->is_executable &&
	       !row->is_writable && is_same_file(lower, upper) &&
	       lower->end == row->start && row->end == upper->start &&
	       upper->file_offset - lower->file_offset ==
		       upper->start - lower->start;
}

void
maps_rejoin(struct maps *maps)
{
	for (size_t i = 1; i + 1 < maps->count; i++) {
		const struct mapping *lower = &maps->rows[i - 1];
		struct mapping *row = &maps->rows[i];

		if (!fills_hole(lower, row, lower + 2))
			continue;
		row->file_offset = lower->file_offset +
				   (row->start - lower->start);
		row->dev = lower->dev;
		row->inode = lower->inode;
		row->path = lower->path;
		row->is_deleted = lower->is_deleted;
		row->kind = lower->kind;
		row->base = lower->base;
		maps->generation++;
	}
}

struct maps *
maps_clone(const struct maps *maps)
{
	struct maps *copy = maps_new();

	if (maps->count)
		splice(copy, 0, 0, maps->rows, maps->count);
	for (size_t i = 0; i < copy->count; i++)
		copy->rows[i].path = keep_path(copy, copy->rows[i].path);
	copy->generation = maps->generation + 1;
	return copy;
}

const struct mapping *
maps_find(const struct maps *maps, uint64_t addr)
{
	size_t i = below(maps, addr);

	return i < maps->count && maps->rows[i].start <= addr ?
	       &maps->rows[i] : NULL;
}

void
maps_set_module(struct maps *maps, uint64_t addr, module_id module)
{
	size_t i = below(maps, addr);

	if (i < maps->count && maps->rows[i].start <= addr)
		maps->rows[i].module = module;
}

uint64_t
maps_generation(const struct maps *maps)
{
	return maps->generation;
}

size_t
maps_count(const struct maps *maps)
{
	return maps->count;
}

const struct mapping *
maps_at(const struct maps *maps, size_t i)
{
	return &maps->rows[i];
}
