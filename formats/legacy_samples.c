/* SPDX-License-Identifier: MIT */
/*
 * legacy_samples.c - samples kept until the names of their addresses come.
 */
#include "formats/legacy_samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool
legacy_add_map(struct legacy_samples *s, struct slice line)
{
	struct slice rest = without_blanks(line), word;
	struct legacy_map map = { .path = s->text.len };
	uint64_t inode;

	if (!take_hex(&rest, &map.start) || !take_word(&rest, "-") ||
	    !take_hex(&rest, &map.end))
		return false;
	if (!take_word(&rest, ":")) {
		word = take_first_word(&rest);
		if (word.len < 3 || !memchr(word.at, 'x', word.len))
			return true;	/* no code */
		word = take_first_word(&rest);
		if (!take_hex(&word, &map.offset))
			return false;
		take_first_word(&rest);		/* device */
		word = take_first_word(&rest);
		if (!take_decimal(&word, &inode))
			return false;
	}
	rest = slice_file(without_blanks(rest));
	writer_bytes(&s->text, rest.at, rest.len);
	map.path_len = rest.len;
	s->maps = grow(s->maps, s->nmaps, &s->map_capacity, sizeof(*s->maps));
	s->maps[s->nmaps++] = map;
	return true;
}

static int
compare_maps(const void *a, const void *b)
{
	const struct legacy_map *one = a, *two = b;

	return (one->start > two->start) - (one->start < two->start);
}

static const struct legacy_map *
find_map(const struct legacy_samples *s, uint64_t address)
{
	size_t low = 0, high = s->nmaps;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->maps[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < s->maps[low - 1].end ? &s->maps[low - 1] : NULL;
}

/* --- the end */

/* "libc.so.6+0x2724a" or "0x7f3a10" */
static frame_id
address_frame(struct legacy_samples *s, uint64_t address)
{
	const struct legacy_map *map = find_map(s, address);
	char text[320];

	if (map && map->path_len)
		snprintf(text, sizeof(text), "%.*s+%#llx",
			 map->path_len > 256 ? 256 : (int)map->path_len,
			 (const char *)s->text.bytes + map->path,
			 (unsigned long long)(address - map->start +
					      map->offset));
	else
		snprintf(text, sizeof(text), "%#llx",
			 (unsigned long long)address);
	return frame_named(s->stacks.profile, slice_whole(text), FRAME_CODE);
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
	return address_frame(s, is_leaf || !address ? address : address - 1);
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
