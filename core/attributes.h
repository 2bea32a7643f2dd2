/* SPDX-License-Identifier: MIT */
/*
 * attributes.h - "key=value" about a profile, sorted by key.
 */
#ifndef CORE_ATTRIBUTES_H
#define CORE_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>

#define ATTRIBUTES_MAX 1024

struct attribute {
	char *key, *value;
};

/* All zeroes is an empty one. */
struct attributes {
	struct attribute *rows;	/* bytewise by key */
	size_t count, capacity;
};

void attributes_fini(struct attributes *attributes);

/* As profile_set(); also refuses a key when there are too many. */
bool attributes_set(struct attributes *attributes, const char *key,
		    const char *value);
const char *attributes_get(const struct attributes *attributes,
			   const char *key);

#endif
