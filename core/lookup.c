/* SPDX-License-Identifier: MIT */
/*
 * lookup.c - open addressing with linear steps, at most two thirds full.
 */
#include "core/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define SMALLEST 16

void
lookup_fini(struct lookup *lookup)
{
	free(lookup->slots);
	*lookup = (struct lookup){ 0 };
}

uint32_t
lookup_find(const struct lookup *lookup, uint32_t hash, same_fn same,
	    const void *owner, const void *key)
{
	size_t mask = lookup->capacity - 1;
	const struct lookup_slot *slot;

	if (!lookup->capacity)
		return LOOKUP_NONE;
	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		slot = &lookup->slots[i];
		if (!slot->id_plus_one)
			return LOOKUP_NONE;
		if (slot->hash == hash &&
		    same(owner, slot->id_plus_one - 1, key))
			return slot->id_plus_one - 1;
	}
}

static void
put(struct lookup *lookup, struct lookup_slot new)
{
	size_t mask = lookup->capacity - 1;
	size_t i = new.hash & mask;

	while (lookup->slots[i].id_plus_one)
		i = (i + 1) & mask;
	lookup->slots[i] = new;
}

static void
enlarge(struct lookup *lookup)
{
	struct lookup old = *lookup;

	lookup->capacity = old.capacity ? old.capacity * 2 : SMALLEST;
	lookup->slots = xcalloc(lookup->capacity, sizeof(*lookup->slots));
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].id_plus_one)
			put(lookup, old.slots[i]);
	free(old.slots);
}

void
lookup_add(struct lookup *lookup, uint32_t hash, uint32_t id)
{
	if ((lookup->count + 1) * 3 > lookup->capacity * 2)
		enlarge(lookup);
	put(lookup, (struct lookup_slot){ hash, id + 1 });
	lookup->count++;
}

static size_t
slot_of(const struct lookup *lookup, uint32_t hash, uint32_t id)
{
	size_t mask = lookup->capacity - 1, i = hash & mask;

	while (lookup->slots[i].id_plus_one != id + 1)
		i = (i + 1) & mask;
	return i;
}

/* What comes behind moves up, unless that is before its place. */
void
lookup_remove(struct lookup *lookup, uint32_t hash, uint32_t id)
{
	size_t mask = lookup->capacity - 1;
	size_t hole = slot_of(lookup, hash, id), i = hole;
	struct lookup_slot *slots = lookup->slots;

	while (slots[i = (i + 1) & mask].id_plus_one)
		if (((i - slots[i].hash) & mask) >= ((i - hole) & mask)) {
			slots[hole] = slots[i];
			hole = i;
		}
	slots[hole] = (struct lookup_slot){ 0 };
	lookup->count--;
}

void
lookup_replace(struct lookup *lookup, uint32_t hash, uint32_t id,
	       uint32_t new_id)
{
	lookup->slots[slot_of(lookup, hash, id)].id_plus_one = new_id + 1;
}

size_t
lookup_bytes(const struct lookup *lookup)
{
	return lookup->capacity * sizeof(*lookup->slots);
}

/* Spread every bit of X over the whole word. */
static uint64_t
mix(uint64_t x)
{
	x = (x ^ (x >> 32)) * 0x9e3779b97f4a7c15;
	x = (x ^ (x >> 29)) * 0xd6e8feb86659fd93;
	return x ^ (x >> 32);
}

uint32_t
hash_words(uint64_t a, uint64_t b)
{
	return (uint32_t)mix(mix(a) + b);
}

uint32_t
hash_bytes(const void *bytes, size_t len)
{
	const char *at = bytes;
	uint64_t hash = len, word;

	for (; len >= sizeof(word); at += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = mix(hash + word);
	}
	word = 0;
	if (len)
		memcpy(&word, at, len);
	return (uint32_t)mix(hash + word);
}
