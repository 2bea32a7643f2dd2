/* SPDX-License-Identifier: MIT */
/*
 * pprof_build.h - pprof files put together field by field, and what is read.
 *
 *	build_type(&b, "cpu", "nanoseconds");
 *	build_function(&b, 1, "main");
 *	build_location(&b, 1, 1, 0);		of one line; mapping 0
 *	build_sample(&b, (uint64_t[]){ 1 }, 1, (int64_t[]){ 7 }, 1, NULL);
 *	assert_built(&b, "", "main 7\n");
 */
#ifndef TESTS_PPROF_BUILD_H
#define TESTS_PPROF_BUILD_H

#include "formats/pprof.h"

#include "tests/unit/reading.h"

/* Begins zeroed; texts go to the end of the file. */
struct build {
	struct writer file;
	struct strings *strings;
	struct read_report report;	/* of the last reading */
	struct error err;
};

static inline uint64_t
build_string(struct build *b, const char *text)
{
	if (!b->strings)
		b->strings = strings_new();
	return strings_add(b->strings, text, strlen(text));
}

static inline void
build_part(struct build *b, uint32_t field, struct writer *part)
{
	protobuf_put_bytes(&b->file, field, part->bytes, part->len);
	writer_free(part);
}

static inline void
build_type(struct build *b, const char *type, const char *unit)
{
	struct writer part = { 0 };

	protobuf_put_number(&part, TYPE_TYPE, build_string(b, type));
	protobuf_put_number(&part, TYPE_UNIT, build_string(b, unit));
	build_part(b, PROFILE_TYPE, &part);
}

static inline void
build_function(struct build *b, uint64_t id, const char *name)
{
	struct writer part = { 0 };

	protobuf_put_number(&part, FUNCTION_ID, id);
	protobuf_put_number(&part, FUNCTION_NAME, build_string(b, name));
	build_part(b, PROFILE_FUNCTION, &part);
}

/* Of the functions LINES, the innermost first. */
static inline void
build_lines(struct build *b, uint64_t id, const uint64_t *lines, size_t count,
	    uint64_t mapping, uint64_t address)
{
	struct writer part = { 0 }, line;

	protobuf_put_number(&part, LOCATION_ID, id);
	protobuf_put_number(&part, LOCATION_MAPPING, mapping);
	protobuf_put_number(&part, LOCATION_ADDRESS, address);
	for (size_t i = 0; i < count; i++) {
		line = (struct writer){ 0 };
		protobuf_put_number(&line, LINE_FUNCTION, lines[i]);
		protobuf_put_bytes(&part, LOCATION_LINE, line.bytes, line.len);
		writer_free(&line);
	}
	build_part(b, PROFILE_LOCATION, &part);
}

static inline void
build_location(struct build *b, uint64_t id, uint64_t function,
	       uint64_t mapping)
{
	build_lines(b, id, &function, 1, mapping, 0);
}

/* LABELS: key and text by turns, up to NULL. */
static inline void
build_sample(struct build *b, const uint64_t *path, size_t depth,
	     const int64_t *values, size_t count, const char *const *labels)
{
	struct writer part = { 0 }, label;

	protobuf_put_numbers(&part, SAMPLE_LOCATION, path, depth);
	protobuf_put_numbers(&part, SAMPLE_VALUE, (const uint64_t *)values,
			     count);
	for (; labels && *labels; labels += 2) {
		label = (struct writer){ 0 };
		protobuf_put_number(&label, LABEL_KEY,
				    build_string(b, labels[0]));
		protobuf_put_number(&label, LABEL_TEXT,
				    build_string(b, labels[1]));
		protobuf_put_bytes(&part, SAMPLE_LABEL, label.bytes,
				   label.len);
		writer_free(&label);
	}
	build_part(b, PROFILE_SAMPLE, &part);
}

/* A sample of one value: IDS[0] is the leaf, 0 ends them. */
static inline void
build_stack(struct build *b, const uint64_t *ids, int64_t value)
{
	size_t depth = 0;

	while (ids[depth])
		depth++;
	build_sample(b, ids, depth, &value, 1, NULL);
}

/* functions and locations 1, 2, ...: NAMES, up to NULL */
static inline void
build_names(struct build *b, const char *const *names)
{
	for (uint64_t id = 1; *names; id++, names++) {
		build_function(b, id, *names);
		build_location(b, id, id, 0);
	}
}

static inline void
build_texts(struct build *b)
{
	for (string_id i = 0; b->strings && i < strings_count(b->strings);
	     i++) {
		const char *text = strings_get(b->strings, i);

		protobuf_put_bytes(&b->file, PROFILE_STRING, text,
				   strlen(text));
	}
	strings_free(b->strings);
	b->strings = NULL;
}

static inline void
build_fini(struct build *b)
{
	strings_free(b->strings);
	writer_free(&b->file);
}

/* LEN bytes as folded stacks without a header; NULL with B->err. */
static inline char *
read_folded(struct build *b, const void *bytes, size_t len, const char *type)
{
	struct reading r = reading_as(bytes, len, type);

	b->report = r.report;
	b->err = r.err;
	return r.folded;
}

/* The file is FOLDED when counts of TYPE are wanted; B is free then. */
static inline void
assert_built(struct build *b, const char *type, const char *folded)
{
	char *text;

	build_texts(b);
	text = read_folded(b, b->file.bytes, b->file.len, type);
	if (!text)
		print_error("%s\n", b->err.text);
	assert_non_null(text);
	assert_string_equal(text, folded);
	free(text);
	build_fini(b);
}

/* It is refused, and what is said has WORDS. */
static inline void
assert_built_refused(struct build *b, const char *type, const char *words)
{
	char *text;

	build_texts(b);
	text = read_folded(b, b->file.bytes, b->file.len, type);
	assert_null(text);
	if (!strstr(b->err.text, words))
		print_error("%s\n", b->err.text);
	assert_non_null(strstr(b->err.text, words));
	build_fini(b);
}

/* Lists up to what ends them. */
#define NAMES(...) (const char *const[]){ __VA_ARGS__, NULL }
#define IDS(...) (const uint64_t[]){ __VA_ARGS__, 0 }

/* main calls parse; one type of counts. */
static inline struct build
two_functions(void)
{
	struct build b = { 0 };

	build_type(&b, "samples", "count");
	build_names(&b, NAMES("main", "parse"));
	return b;
}

#endif
