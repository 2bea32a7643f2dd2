/* SPDX-License-Identifier: MIT */
/*
 * legacy_samples.c - samples kept until the names of their addresses come.
 */
#include "formats/legacy_samples.h"

#include <stdlib.h>

#include "core/maps.h"
#include "formats/frame_name.h"

void
legacy_begin(struct legacy_samples *s, uint64_t weight, thread_id thread)
{
	s->samples = grow(s->samples, s->nsamples, &s->sample_capacity,
			  sizeof(*s->samples));
	s->samples[s->nsamples++] = (struct legacy_sample){
		.first = s->nplaces, .weight = weight, .thread = thread };
}

static void
add_place(struct legacy_samples *s, const struct legacy_place *place)
{
	if (!s->nsamples)
		return;
	s->places = grow(s->places, s->nplaces, &s->place_capacity,
			 sizeof(*s->places));
	s->places[s->nplaces++] = *place;
	s->samples[s->nsamples - 1].depth++;
}

void
legacy_add_address(struct legacy_samples *s, uint64_t address)
{
	add_place(s, &(struct legacy_place){ .address = address });
}

void
legacy_add_addresses(struct legacy_samples *s, struct slice text)
{
	uint64_t address;

	for (text = without_blanks(text); slice_starts(text, "0x") &&
	     take_hex(&text, &address); text = without_blanks(text))
		legacy_add_address(s, address);
}

void
legacy_add_name(struct legacy_samples *s, struct slice name)
{
	struct legacy_place place = { .has_frame = true };
	struct legacy_sample *last;

	if (!s->nsamples)
		return;
	last = &s->samples[s->nsamples - 1];
	if (last->depth && !s->places[last->first].has_frame) {
		s->nplaces = last->first;
		last->depth = 0;
	}
	place.frame = frame_named(s->stacks.profile, name, FRAME_CODE);
	add_place(s, &place);
}

void
legacy_repeat(struct legacy_samples *s)
{
	struct legacy_sample *last;

	if (s->nsamples < 2)
		return;
	last = &s->samples[s->nsamples - 1];
	last->first = last[-1].first;
	last->depth = last[-1].depth;
}

static uint32_t
hash_address(uint64_t address)
{
	return hash_words(address, 0);
}

static bool
same_address(const void *owner, uint32_t id, const void *key)
{
	return ((const struct legacy_name *)owner)[id].address ==
	       *(const uint64_t *)key;
}

void
legacy_name(struct legacy_samples *s, uint64_t address, struct slice name)
{
	uint32_t hash = hash_address(address);

	if (lookup_find(&s->named, hash, same_address, s->names, &address) !=
	    LOOKUP_NONE)
		return;
	s->names = grow(s->names, s->nnames, &s->name_capacity,
			sizeof(*s->names));
	s->names[s->nnames] = (struct legacy_name){
		address, frame_named(s->stacks.profile, name, FRAME_CODE) };
	lookup_add(&s->named, hash, (uint32_t)s->nnames++);
}

/* --- mappings */

static void
add_map(struct legacy_samples *s, struct legacy_map map, struct slice path)
{
	map.path = s->text.len;
	map.path_len = path.len;
	writer_bytes(&s->text, path.at, path.len);
	s->maps = grow(s->maps, s->nmaps, &s->map_capacity, sizeof(*s->maps));
	s->maps[s->nmaps++] = map;
}

bool
legacy_add_map(struct legacy_samples *s, struct slice line)
{
	struct slice rest = without_blanks(line);
	struct legacy_map map = { 0 };
	struct mapping mapping;
	char path[4096];

	if (maps_parse_line(rest.at, rest.len, &mapping, path, sizeof(path))) {
		map.start = mapping.start;
		map.end = mapping.end;
		map.offset = mapping.file_offset;
		if (mapping.is_executable)
			add_map(s, map, slice_whole(path));
		return true;
	}
	if (!take_hex(&rest, &map.start) || !take_word(&rest, "-") ||
	    !take_hex(&rest, &map.end) || !take_word(&rest, ":"))
		return false;
	add_map(s, map, without_blanks(rest));
	return true;
}

static int
compare_maps(const void *a, const void *b)
{
	const struct legacy_map *one = a, *two = b;

	return (one->start > two->start) - (one->start < two->start);
}

static int
compare_address(const void *key, const void *element)
{
	const struct legacy_map *map = element;
	uint64_t address = *(const uint64_t *)key;

	return address < map->start ? -1 : address >= map->end;
}

/* --- the end */

static frame_id
nameless(struct legacy_samples *s, uint64_t address)
{
	const struct legacy_map *map = s->nmaps ?
		bsearch(&address, s->maps, s->nmaps, sizeof(*s->maps),
			compare_address) : NULL;
	struct slice path = { "", 0 };
	uint64_t offset = 0;

	if (map && map->path_len) {
		path = (struct slice){ (const char *)s->text.bytes + map->path,
				       map->path_len };
		offset = address - map->start + map->offset;
	}
	return frame_nameless(s->stacks.profile, path, offset, address,
			      FRAME_CODE);
}

/* A caller's address is where it goes on: the byte before is in the call. */
static frame_id
frame_of(struct legacy_samples *s, const struct legacy_place *place,
	 bool is_leaf)
{
	uint64_t address = place->address;
	uint32_t id;

	if (place->has_frame)
		return place->frame;
	id = lookup_find(&s->named, hash_address(address), same_address,
			 s->names, &address);
	if (id != LOOKUP_NONE)
		return s->names[id].frame;
	return nameless(s, is_leaf || !address ? address : address - 1);
}

static void
count_sample(struct legacy_samples *s, const struct legacy_sample *sample)
{
	size_t i;

	for (i = 0; i < sample->depth; i++)
		stacks_add(&s->stacks, frame_of(s, &s->places[sample->first + i],
						i == 0));
	stacks_count(&s->stacks, stacks_leaf_first(&s->stacks), sample->thread,
		     sample->weight, 1);
}

void
legacy_finish(struct legacy_samples *s)
{
	size_t i;

	if (s->nmaps)
		qsort(s->maps, s->nmaps, sizeof(*s->maps), compare_maps);
	for (i = 0; i < s->nsamples; i++)
		count_sample(s, &s->samples[i]);
	free(s->places);
	free(s->samples);
	free(s->maps);
	free(s->names);
	lookup_fini(&s->named);
	writer_free(&s->text);
	stacks_fini(&s->stacks);
}
