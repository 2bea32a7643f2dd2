/* SPDX-License-Identifier: MIT */
/*
 * protobuf.c - tags, varints, lengths.
 */
#include "formats/protobuf.h"

#define NUMBER_MAX ((1u << 29) - 1)	/* of a field */

uint64_t
protobuf_varint(struct reader *r)
{
	uint64_t value = 0;
	unsigned shift;
	uint8_t byte;

	for (shift = 0; shift < 64; shift += 7) {
		byte = reader_u8(r);
		value |= (uint64_t)(byte & 0x7f) << shift;
		/* Of the tenth byte one bit is left. */
		if (byte < 0x80 && (shift < 63 || byte <= 1))
			return value;
	}
	r->failed = true;
	return 0;
}

/* What follows the tag. */
static void
take_value(struct reader *message, struct protobuf_field *field)
{
	size_t len;

	switch (field->type) {
	case PROTOBUF_VARINT:
		field->value = protobuf_varint(message);
		return;
	case PROTOBUF_FIXED64:
		field->value = reader_u64(message);
		return;
	case PROTOBUF_FIXED32:
		field->value = reader_u32(message);
		return;
	case PROTOBUF_BYTES:
		field->value = protobuf_varint(message);
		if (field->value > reader_left(message))
			break;
		len = (size_t)field->value;
		field->bytes = reader_of(reader_bytes(message, len), len);
		return;
	}
	message->failed = true;
}

bool
protobuf_next(struct reader *message, struct protobuf_field *field)
{
	uint64_t tag;

	if (!reader_left(message))
		return false;
	tag = protobuf_varint(message);
	if (tag >> 3 < 1 || tag >> 3 > NUMBER_MAX)
		message->failed = true;
	*field = (struct protobuf_field){
		.number = (uint32_t)(tag >> 3), .type = tag & 7,
		.bytes = reader_of(NULL, 0),
	};
	if (!message->failed)
		take_value(message, field);
	return !message->failed;
}

bool
protobuf_number(struct protobuf_field *field, uint64_t *value)
{
	if (field->type == PROTOBUF_BYTES) {
		if (!reader_left(&field->bytes))
			return false;
		*value = protobuf_varint(&field->bytes);
		return !field->bytes.failed;
	}
	*value = field->value;
	field->type = PROTOBUF_BYTES;	/* it was the only one */
	return true;
}

void
protobuf_put_varint(struct writer *w, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		writer_u8(w, (uint8_t)(value | 0x80));
	writer_u8(w, (uint8_t)value);
}

static void
put_tag(struct writer *w, uint32_t field, enum protobuf_type type)
{
	protobuf_put_varint(w, (uint64_t)field << 3 | type);
}

void
protobuf_put_number(struct writer *w, uint32_t field, uint64_t value)
{
	if (!value)
		return;
	put_tag(w, field, PROTOBUF_VARINT);
	protobuf_put_varint(w, value);
}

void
protobuf_put_bytes(struct writer *w, uint32_t field, const void *bytes,
		   size_t len)
{
	put_tag(w, field, PROTOBUF_BYTES);
	protobuf_put_varint(w, len);
	writer_bytes(w, bytes, len);
}

static size_t
varint_size(uint64_t value)
{
	size_t size = 1;

	while (value >>= 7)
		size++;
	return size;
}

void
protobuf_put_numbers(struct writer *w, uint32_t field, const uint64_t *values,
		     size_t count)
{
	size_t size = 0, i;

	if (!count)
		return;
	for (i = 0; i < count; i++)
		size += varint_size(values[i]);
	put_tag(w, field, PROTOBUF_BYTES);
	protobuf_put_varint(w, size);
	for (i = 0; i < count; i++)
		protobuf_put_varint(w, values[i]);
}
