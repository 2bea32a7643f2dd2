/* SPDX-License-Identifier: MIT */
/*
 * strings.c - texts one after the other in blocks that never move.
 */
#include "core/strings.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/lookup.h"

#define BLOCK_SIZE ((size_t)64 << 10)

struct block {
	struct block *next;
	size_t used, size;
	char bytes[];
};

struct text {
	const char *at;		/* NUL-terminated, in a block */
	uint32_t len;
};

struct strings {
	struct block *blocks;	/* the first has room */
	struct text *texts;
	size_t count, capacity;
	struct lookup lookup;
	size_t hashed;		/* texts before this one are in LOOKUP */
	size_t bytes, bound;
};

static const char too_many[] = "[too many names]";

struct strings *
strings_new(void)
{
	struct strings *strings = xcalloc(1, sizeof(*strings));

	strings->bound = SIZE_MAX;
	strings_add(strings, "", 0);
	return strings;
}

void
strings_free(struct strings *strings)
{
	struct block *next;

	if (!strings)
		return;
	for (struct block *block = strings->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	free(strings->texts);
	lookup_fini(&strings->lookup);
	free(strings);
}

static char *
room_for(struct strings *strings, size_t size)
{
	struct block *block = strings->blocks;
	size_t wanted = size > BLOCK_SIZE ? size : BLOCK_SIZE;

	if (!block || block->size - block->used < size) {
		block = xcalloc(1, sizeof(*block) + wanted);
		block->size = wanted;
		block->next = strings->blocks;
		strings->blocks = block;
		strings->bytes += sizeof(*block) + wanted;
	}
	block->used += size;
	return block->bytes + block->used - size;
}

static void
append(struct strings *strings, const char *text, size_t len)
{
	char *copy = room_for(strings, len + 1);

	memcpy(copy, text, len);
	strings->texts = grow(strings->texts, strings->count,
			      &strings->capacity, sizeof(*strings->texts));
	strings->texts[strings->count++] =
		(struct text){ .at = copy, .len = (uint32_t)len };
}

static bool
is_same(const void *owner, uint32_t id, const void *key)
{
	const struct text *mine = &((const struct strings *)owner)->texts[id];
	const struct text *wanted = key;

	return mine->len == wanted->len &&
	       !memcmp(mine->at, wanted->at, mine->len);
}

/* Texts from strings_take() are hashed when somebody first searches. */
static void
hash_new_texts(struct strings *strings)
{
	for (; strings->hashed < strings->count; strings->hashed++) {
		const struct text *text = &strings->texts[strings->hashed];

		lookup_add(&strings->lookup, hash_bytes(text->at, text->len),
			   (uint32_t)strings->hashed);
	}
}

string_id
strings_add(struct strings *strings, const char *text, size_t len)
{
	struct text key = { .at = text ? text : "" };
	uint32_t hash, id;

	if (len > UINT32_MAX - 1)
		len = UINT32_MAX - 1;
	if (len)
		len = strnlen(text, len);
	key.len = (uint32_t)len;
	hash = hash_bytes(key.at, len);
	hash_new_texts(strings);
	id = lookup_find(&strings->lookup, hash, is_same, strings, &key);
	if (id != LOOKUP_NONE)
		return id;
	if (strings_bytes(strings) > strings->bound) {
		strings->bound = SIZE_MAX;
		id = strings_add(strings, too_many, sizeof(too_many) - 1);
		strings->bound = 0;
		return id;
	}
	append(strings, key.at, len);
	lookup_add(&strings->lookup, hash, (uint32_t)strings->hashed++);
	return (string_id)(strings->count - 1);
}

void
strings_take(struct strings *dst, const struct strings *src)
{
	for (size_t i = dst->count; i < src->count; i++)
		append(dst, src->texts[i].at, src->texts[i].len);
}

void
strings_set_bound(struct strings *strings, size_t bytes)
{
	strings->bound = bytes;
}

const char *
strings_get(const struct strings *strings, string_id id)
{
	return id < strings->count ? strings->texts[id].at : "";
}

size_t
strings_count(const struct strings *strings)
{
	return strings->count;
}

size_t
strings_bytes(const struct strings *strings)
{
	return strings->bytes + lookup_bytes(&strings->lookup) +
	       strings->capacity * sizeof(*strings->texts);
}
