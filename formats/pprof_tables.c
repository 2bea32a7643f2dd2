/* SPDX-License-Identifier: MIT */
/*
 * pprof_tables.c - everything of a pprof file but its samples.
 */
#include "formats/pprof.h"

#include <stdlib.h>
#include <string.h>

/* Fields that pprof_sniff() looks at, of a file that is long enough. */
#define LOOK 4096

static uint32_t
hash_row(const void *row)
{
	return hash_words(((const struct pprof_row *)row)->id, 0);
}

static bool
same_row(const void *va, const void *vb)
{
	const struct pprof_row *a = va, *b = vb;

	return a->id == b->id && a->is_known == b->is_known;
}

static const struct table_kind mapping_kind = {
	sizeof(struct pprof_mapping), hash_row, same_row,
};
static const struct table_kind function_kind = {
	sizeof(struct pprof_function), hash_row, same_row,
};
static const struct table_kind location_kind = {
	sizeof(struct pprof_location), hash_row, same_row,
};

/* Ids mostly count from 1, as rows do. */
uint32_t
pprof_row(struct table *table, uint64_t id)
{
	struct pprof_location key = { .row = { id, true } };
	uint32_t row = id < table->count ? (uint32_t)id : 0;

	if (row && ((struct pprof_row *)table_at(table, row))->id == id)
		return row;
	row = table_find(table, &key);
	return row == LOOKUP_NONE ? 0 : row;
}

struct slice
pprof_string(struct pprof *pprof, uint64_t index)
{
	if (index > 0 && index < pprof->nstrings)
		return pprof->strings[index];
	pprof->missing_strings += index > 0;
	return (struct slice){ "", 0 };
}

/* --- rows */

static void
add_row(struct pprof *pprof, struct table *table, void *row)
{
	((struct pprof_row *)row)->is_known = true;
	if (table_find(table, row) == LOOKUP_NONE)
		table_append(table, row);
	else
		pprof->doubles++;
}

static bool
add_mapping(struct pprof *pprof, struct reader message)
{
	struct pprof_mapping mapping = { 0 };
	struct protobuf_field field;

	while (protobuf_next(&message, &field)) {
		if (field.number == MAPPING_ID)
			mapping.row.id = field.value;
		else if (field.number == MAPPING_START)
			mapping.start = field.value;
		else if (field.number == MAPPING_OFFSET)
			mapping.offset = field.value;
		else if (field.number == MAPPING_FILE)
			mapping.file = field.value;
	}
	add_row(pprof, &pprof->mappings, &mapping);
	return !message.failed;
}

static bool
add_function(struct pprof *pprof, struct reader message)
{
	struct pprof_function function = { 0 };
	struct protobuf_field field;

	while (protobuf_next(&message, &field)) {
		if (field.number == FUNCTION_ID)
			function.row.id = field.value;
		else if (field.number == FUNCTION_NAME)
			function.name = field.value;
		else if (field.number == FUNCTION_SYSTEM_NAME)
			function.system_name = field.value;
	}
	add_row(pprof, &pprof->functions, &function);
	return !message.failed;
}

static bool
add_location(struct pprof *pprof, struct reader message)
{
	struct pprof_location location = { .message = message };
	struct protobuf_field field;

	while (protobuf_next(&message, &field)) {
		if (field.number == LOCATION_ID)
			location.row.id = field.value;
		else if (field.number == LOCATION_MAPPING)
			location.mapping = field.value;
		else if (field.number == LOCATION_ADDRESS)
			location.address = field.value;
	}
	add_row(pprof, &pprof->locations, &location);
	return !message.failed;
}

static bool
read_type(struct reader message, struct pprof_type *type)
{
	struct protobuf_field field;

	*type = (struct pprof_type){ 0 };
	while (protobuf_next(&message, &field)) {
		if (field.number == TYPE_TYPE)
			type->type = field.value;
		else if (field.number == TYPE_UNIT)
			type->unit = field.value;
	}
	return !message.failed;
}

static bool
add_type(struct pprof *pprof, struct reader message)
{
	pprof->types = grow(pprof->types, pprof->ntypes,
			    &pprof->types_capacity, sizeof(*pprof->types));
	return read_type(message, &pprof->types[pprof->ntypes++]);
}

static void
add_string(struct pprof *pprof, struct reader bytes)
{
	pprof->strings = grow(pprof->strings, pprof->nstrings,
			      &pprof->strings_capacity,
			      sizeof(*pprof->strings));
	pprof->strings[pprof->nstrings++] = (struct slice){
		(const char *)bytes.at, reader_left(&bytes) };
}

static bool
add_comments(struct pprof *pprof, struct protobuf_field *field)
{
	uint64_t index;

	while (protobuf_number(field, &index)) {
		pprof->comments = grow(pprof->comments, pprof->ncomments,
				       &pprof->comments_capacity,
				       sizeof(*pprof->comments));
		pprof->comments[pprof->ncomments++] = index;
	}
	return !field->bytes.failed;
}

/* --- the message */

static bool
take_number(struct pprof *pprof, const struct protobuf_field *field)
{
	switch (field->number) {
	case PROFILE_DROP:
		pprof->drop = field->value;
		break;
	case PROFILE_KEEP:
		pprof->keep = field->value;
		break;
	case PROFILE_TIME:
		pprof->time_ns = (int64_t)field->value;
		pprof->times++;
		break;
	case PROFILE_DURATION:
		pprof->duration_ns = (int64_t)field->value;
		break;
	case PROFILE_PERIOD:
		pprof->period = (int64_t)field->value;
		break;
	case PROFILE_DEFAULT:
		pprof->default_type = field->value;
		break;
	}
	return true;	/* what is new since is let pass */
}

static bool
take_field(struct pprof *pprof, struct protobuf_field *field)
{
	if (field->number == PROFILE_COMMENT)
		return add_comments(pprof, field);
	if (field->type != PROTOBUF_BYTES)
		return take_number(pprof, field);
	switch (field->number) {
	case PROFILE_TYPE:
		return add_type(pprof, field->bytes);
	case PROFILE_SAMPLE:
		pprof->nsamples++;
		return true;
	case PROFILE_MAPPING:
		return add_mapping(pprof, field->bytes);
	case PROFILE_LOCATION:
		return add_location(pprof, field->bytes);
	case PROFILE_FUNCTION:
		return add_function(pprof, field->bytes);
	case PROFILE_STRING:
		add_string(pprof, field->bytes);
		return true;
	case PROFILE_PERIOD_TYPE:
		return read_type(field->bytes, &pprof->period_type);
	}
	return true;
}

bool
pprof_open(const void *bytes, size_t len, struct pprof *pprof,
	   struct error *err)
{
	struct reader message = reader_of(bytes, len);
	struct protobuf_field field;
	uint32_t last = 0;

	*pprof = (struct pprof){ 0 };
	table_init(&pprof->mappings, &mapping_kind);
	table_init(&pprof->functions, &function_kind);
	table_init(&pprof->locations, &location_kind);
	while (protobuf_next(&message, &field)) {
		pprof->type_runs += field.number == PROFILE_TYPE &&
				    last != PROFILE_TYPE;
		last = field.number;
		if (!take_field(pprof, &field))
			return fail(err, 0, "the pprof is damaged before byte "
				    "%zu", len - reader_left(&message));
	}
	if (message.failed)
		return fail(err, 0, "the pprof is damaged or cut short near "
			    "byte %zu", (size_t)((const char *)message.at -
						 (const char *)bytes));
	if (pprof->type_runs > 1 || pprof->times > 1)
		return fail(err, 0, "these are several pprof profiles one "
			    "behind the other; keep each in a file of its own "
			    "(flametop merge adds them up)");
	if (!pprof->nstrings)
		return fail(err, 0, "this pprof has no strings: nothing in it "
			    "has a name");
	return true;
}

void
pprof_fini(struct pprof *pprof)
{
	table_fini(&pprof->mappings);
	table_fini(&pprof->functions);
	table_fini(&pprof->locations);
	free(pprof->strings);
	free(pprof->types);
	free(pprof->comments);
	free(pprof->frames);
}

/* --- is it one? */

/* May field NUMBER be written like that? Later versions may have more. */
static bool
is_expected(const struct protobuf_field *field)
{
	if (field->number == PROFILE_COMMENT)
		return field->type == PROTOBUF_BYTES ||
		       field->type == PROTOBUF_VARINT;
	if (field->number > PROFILE_DEFAULT + 1)
		return field->number < 1000;
	return (field->type == PROTOBUF_BYTES) ==
	       (field->number <= PROFILE_STRING ||
		field->number == PROFILE_PERIOD_TYPE) &&
	       (field->type == PROTOBUF_BYTES ||
		field->type == PROTOBUF_VARINT);
}

/* Does it hold fields and nothing else? */
static bool
is_message(struct reader bytes)
{
	struct protobuf_field field;

	while (protobuf_next(&bytes, &field))
		if (field.number > 100)
			return false;
	return !bytes.failed;
}

bool
pprof_sniff(const void *bytes, size_t len)
{
	struct reader message = reader_of(bytes, len);
	struct protobuf_field field;
	size_t looked = 0, parts = 0;

	while (looked < LOOK && protobuf_next(&message, &field)) {
		if (!is_expected(&field))
			return false;
		if (field.type == PROTOBUF_BYTES &&
		    field.number < PROFILE_STRING) {
			if (!is_message(field.bytes))
				return false;
		}
		parts += field.type == PROTOBUF_BYTES;
		looked++;
	}
	/* A file that is cut short shows a part of itself at least. */
	return parts > message.failed;
}
