/* SPDX-License-Identifier: MIT */
/*
 * protobuf.h - the wire format of protocol buffers, field by field.
 *
 * A message is a row of fields: a number, how it is written, and a number or
 * some bytes, which may be a message again. Nothing is copied and nothing is
 * kept: what a field holds is borrowed from the message. So a profile of any
 * size is read in the memory of its result, where a library makes an object
 * of each of its millions of samples before the first can be looked at; and
 * there is no code to be generated.
 *
 * https://protobuf.dev/programming-guides/encoding/
 */
#ifndef FORMATS_PROTOBUF_H
#define FORMATS_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/reader.h"

/* How a field is written; groups (3, 4) are refused as damage. */
enum protobuf_type {
	PROTOBUF_VARINT = 0,
	PROTOBUF_FIXED64 = 1,
	PROTOBUF_BYTES = 2,
	PROTOBUF_FIXED32 = 5,
};

struct protobuf_field {
	uint32_t number;
	enum protobuf_type type;
	uint64_t value;		/* all but BYTES; int64: its bits */
	struct reader bytes;	/* BYTES; else empty */
};

/* Seven bits a byte, at most ten bytes and 64 bits; else MESSAGE fails. */
uint64_t protobuf_varint(struct reader *message);

/* The next field; false at the end, or with MESSAGE failed. */
bool protobuf_next(struct reader *message, struct protobuf_field *field);

/*
 * The numbers of a repeated field, of which FIELD is a part: one number, or
 * packed bytes of many. Call until it is false; damage sets FIELD->bytes
 * failed.
 */
bool protobuf_number(struct protobuf_field *field, uint64_t *value);

/* --- writing; a value of zero is not written, as it is the default */

void protobuf_put_varint(struct writer *w, uint64_t value);
void protobuf_put_number(struct writer *w, uint32_t field, uint64_t value);

/* Written even if it is empty. */
void protobuf_put_bytes(struct writer *w, uint32_t field, const void *bytes,
			size_t len);

/* COUNT numbers, packed; none for an empty list. */
void protobuf_put_numbers(struct writer *w, uint32_t field,
			  const uint64_t *values, size_t count);

#endif
