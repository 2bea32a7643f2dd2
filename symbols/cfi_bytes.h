/* SPDX-License-Identifier: MIT */
/*
 * cfi_bytes.h - numbers of unwind sections, read in place.
 *
 * The same cursor and the same promise as core/reader.h: nothing past the
 * end, zero once failed. Inline, because a module has millions of them.
 */
#ifndef SYMBOLS_CFI_BYTES_H
#define SYMBOLS_CFI_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/reader.h"

static inline bool
cfi_has(struct reader *r, size_t len)
{
	if ((size_t)(r->end - r->at) >= len)
		return true;
	r->at = r->end;
	r->failed = true;
	return false;
}

static inline uint8_t
cfi_u8(struct reader *r)
{
	return cfi_has(r, 1) ? *r->at++ : 0;
}

static inline uint16_t
cfi_u16(struct reader *r)
{
	uint16_t value = 0;

	if (cfi_has(r, sizeof(value))) {
		memcpy(&value, r->at, sizeof(value));
		r->at += sizeof(value);
	}
	return value;
}

static inline uint32_t
cfi_u32(struct reader *r)
{
	uint32_t value = 0;

	if (cfi_has(r, sizeof(value))) {
		memcpy(&value, r->at, sizeof(value));
		r->at += sizeof(value);
	}
	return value;
}

static inline uint64_t
cfi_u64(struct reader *r)
{
	uint64_t value = 0;

	if (cfi_has(r, sizeof(value))) {
		memcpy(&value, r->at, sizeof(value));
		r->at += sizeof(value);
	}
	return value;
}

/* The next LEN bytes as a cursor of their own. */
static inline struct reader
cfi_part(struct reader *r, uint64_t len)
{
	struct reader part = { .at = r->at, .end = r->at };

	if (len > SIZE_MAX || !cfi_has(r, (size_t)len)) {
		r->failed = part.failed = true;
		r->at = part.at = part.end = r->end;
		return part;
	}
	r->at += len;
	part.end = r->at;
	return part;
}

/*
 * What does not fit 64 bits is lost; nobody writes such numbers. Nearly all
 * have one byte.
 */
static inline uint64_t
cfi_uleb(struct reader *r)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	if (r->at != r->end && *r->at < 0x80)
		return *r->at++;
	do {
		byte = cfi_u8(r);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (byte & 0x80);
	return value;
}

static inline int64_t
cfi_sleb(struct reader *r)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = cfi_u8(r);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (byte & 0x80);
	if (shift < 64 && (byte & 0x40))
		value |= UINT64_MAX << shift;
	return (int64_t)value;
}

#endif
