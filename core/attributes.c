/* SPDX-License-Identifier: MIT */
/*
 * attributes.c - a sorted array of pairs.
 */
#include "core/attributes.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

static void
attribute_fini(struct attribute *attribute)
{
	free(attribute->key);
	free(attribute->value);
}

void
attributes_fini(struct attributes *attributes)
{
	for (size_t i = 0; i < attributes->count; i++)
		attribute_fini(&attributes->rows[i]);
	free(attributes->rows);
	*attributes = (struct attributes){ 0 };
}

static bool
is_key(const char *key)
{
	return *key && key[strspn(key, "abcdefghijklmnopqrstuvwxyz"
				       "0123456789.-")] == '\0';
}

/* Where KEY is (true), or where it belongs. */
static bool
find(const struct attributes *attributes, const char *key, size_t *at)
{
	size_t low = 0, high = attributes->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(attributes->rows[middle].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*at = low;
	return low < attributes->count &&
	       !strcmp(attributes->rows[low].key, key);
}

static void
take_out(struct attributes *attributes, size_t i)
{
	struct attribute *row = &attributes->rows[i];

	attribute_fini(row);
	attributes->count--;
	memmove(row, row + 1, (attributes->count - i) * sizeof(*row));
}

static void
put_in(struct attributes *attributes, size_t i, struct attribute new)
{
	struct attribute *row;

	attributes->rows = grow(attributes->rows, attributes->count,
				&attributes->capacity, sizeof(*row));
	row = &attributes->rows[i];
	memmove(row + 1, row, (attributes->count - i) * sizeof(*row));
	attributes->count++;
	*row = new;
}

bool
attributes_set(struct attributes *attributes, const char *key,
	       const char *value)
{
	struct attribute new = { 0 };
	size_t i;

	if (!is_key(key))
		return false;
	if (value)	/* which may belong to the row that goes */
		new = (struct attribute){ xstrdup(key), xstrdup(value) };
	if (find(attributes, key, &i))
		take_out(attributes, i);
	if (!value)
		return true;
	if (attributes->count >= ATTRIBUTES_MAX) {
		attribute_fini(&new);
		return false;
	}
	put_in(attributes, i, new);
	return true;
}

const char *
attributes_get(const struct attributes *attributes, const char *key)
{
	size_t i;

	return find(attributes, key, &i) ? attributes->rows[i].value : NULL;
}
