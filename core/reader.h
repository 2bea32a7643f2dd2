/* SPDX-License-Identifier: MIT */
/*
 * reader.h - a cursor over bytes somebody else wrote.
 *
 * Reading past the end returns zero and sets FAILED, which stays set. So a
 * parser reads a whole record without checking each field, then asks once.
 * Every byte that comes from a file, from the target or from the other
 * process goes through here.
 *
 * The writer is its mirror: it appends to a growing buffer, little-endian,
 * and cannot fail.
 */
#ifndef CORE_READER_H
#define CORE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader {
	const uint8_t *at, *end;	/* borrowed */
	bool failed;
};

struct reader reader_of(const void *bytes, size_t len);
size_t reader_left(const struct reader *r);

uint8_t reader_u8(struct reader *r);
uint16_t reader_u16(struct reader *r);		/* little-endian, as below */
uint32_t reader_u32(struct reader *r);
uint64_t reader_u64(struct reader *r);

/* The next LEN bytes, borrowed; NULL once failed. */
const void *reader_bytes(struct reader *r, size_t len);

/* The next NUL-terminated string, inside the bytes; "" once failed. */
const char *reader_cstr(struct reader *r);

struct writer {
	uint8_t *bytes;		/* owned; writer_free() */
	size_t len, capacity;
};

void writer_free(struct writer *w);
void writer_u8(struct writer *w, uint8_t value);
void writer_u16(struct writer *w, uint16_t value);
void writer_u32(struct writer *w, uint32_t value);
void writer_u64(struct writer *w, uint64_t value);
void writer_bytes(struct writer *w, const void *bytes, size_t len);
void writer_cstr(struct writer *w, const char *text);	/* with its NUL */

#endif
