/* SPDX-License-Identifier: MIT */
/*
 * reader.c - bounded reads, and the writes that mirror them.
 */
#include "core/reader.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

struct reader
reader_of(const void *bytes, size_t len)
{
	const uint8_t *at = bytes ? bytes : (const void *)"";

	return (struct reader){ .at = at, .end = bytes ? at + len : at };
}

size_t
reader_left(const struct reader *r)
{
	return r->failed ? 0 : (size_t)(r->end - r->at);
}

const void *
reader_bytes(struct reader *r, size_t len)
{
	const uint8_t *at = r->at;

	if (r->failed || (size_t)(r->end - at) < len) {
		r->failed = true;
		return NULL;
	}
	r->at = at + len;
	return at;
}

/* A number of SIZE bytes, the least significant first. */
static uint64_t
number(struct reader *r, size_t size)
{
	const uint8_t *at = reader_bytes(r, size);
	uint64_t value = 0;

	if (!at)
		return 0;
	while (size--)
		value = value << 8 | at[size];
	return value;
}

uint8_t
reader_u8(struct reader *r)
{
	return (uint8_t)number(r, 1);
}

uint16_t
reader_u16(struct reader *r)
{
	return (uint16_t)number(r, 2);
}

uint32_t
reader_u32(struct reader *r)
{
	return (uint32_t)number(r, 4);
}

uint64_t
reader_u64(struct reader *r)
{
	return number(r, 8);
}

const char *
reader_cstr(struct reader *r)
{
	size_t left = reader_left(r);
	const uint8_t *nul = left ? memchr(r->at, '\0', left) : NULL;

	if (!nul) {
		r->failed = true;
		return "";
	}
	return reader_bytes(r, (size_t)(nul - r->at) + 1);
}

void
writer_free(struct writer *w)
{
	free(w->bytes);
	*w = (struct writer){ 0 };
}

void
writer_bytes(struct writer *w, const void *bytes, size_t len)
{
	if (!len)
		return;
	w->bytes = grow(w->bytes, w->len + len - 1, &w->capacity, 1);
	memcpy(w->bytes + w->len, bytes, len);
	w->len += len;
}

static void
put(struct writer *w, uint64_t value, size_t size)
{
	uint8_t bytes[sizeof(value)];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
	writer_bytes(w, bytes, size);
}

void
writer_u8(struct writer *w, uint8_t value)
{
	put(w, value, 1);
}

void
writer_u16(struct writer *w, uint16_t value)
{
	put(w, value, 2);
}

void
writer_u32(struct writer *w, uint32_t value)
{
	put(w, value, 4);
}

void
writer_u64(struct writer *w, uint64_t value)
{
	put(w, value, 8);
}

void
writer_cstr(struct writer *w, const char *text)
{
	writer_bytes(w, text, strlen(text) + 1);
}
