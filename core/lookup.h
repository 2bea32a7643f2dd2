/* SPDX-License-Identifier: MIT */
/*
 * lookup.h - from what a thing is to its id, whatever the thing.
 *
 * The things live in an array of their owner; here lie only their hashes and
 * ids. So one table serves strings, frames, nodes and counts, growing it
 * needs none of them, and a miss seldom looks at one.
 */
#ifndef CORE_LOOKUP_H
#define CORE_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOKUP_NONE UINT32_MAX

struct lookup_slot {
	uint32_t hash;
	uint32_t id_plus_one;	/* 0: empty */
};

/* All zeroes is an empty one; lookup_fini() makes it so again. */
struct lookup {
	struct lookup_slot *slots;
	size_t capacity;	/* a power of two, or 0 */
	size_t count;
};

/* Is thing number ID of OWNER what KEY describes? */
typedef bool (*same_fn)(const void *owner, uint32_t id, const void *key);

void lookup_fini(struct lookup *lookup);

/* The id of the thing that is KEY, or LOOKUP_NONE. */
uint32_t lookup_find(const struct lookup *lookup, uint32_t hash, same_fn same,
		     const void *owner, const void *key);

/* Add a thing that is not there yet. ID is less than LOOKUP_NONE. */
void lookup_add(struct lookup *lookup, uint32_t hash, uint32_t id);

/* Forget thing ID, or let thing NEW stand in its place; ID must be there. */
void lookup_remove(struct lookup *lookup, uint32_t hash, uint32_t id);
void lookup_replace(struct lookup *lookup, uint32_t hash, uint32_t id,
		    uint32_t new_id);

size_t lookup_bytes(const struct lookup *lookup);

uint32_t hash_bytes(const void *bytes, size_t len);
uint32_t hash_words(uint64_t a, uint64_t b);

#endif
