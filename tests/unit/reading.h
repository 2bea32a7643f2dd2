/* SPDX-License-Identifier: MIT */
/*
 * reading.h - what text becomes when it is read, as folded stacks.
 */
#ifndef TESTS_UNIT_READING_H
#define TESTS_UNIT_READING_H

#include "formats/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct reading {
	char *folded;		/* with threads, without header; or NULL */
	struct read_report report;
	struct error err;
	char event[64];
	uint64_t samples, lost;
};

static inline char *
reading_fold(struct profile *profile)
{
	struct write_options options = { .threads = true };
	struct names *names = names_new(profile);
	struct error err;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	if (!out || !format_folded.write(out, profile, names, &options, &err))
		abort();
	fclose(out);
	names_free(names);
	return text;
}

static inline struct reading
reading_as(const void *bytes, size_t len, const char *type)
{
	struct read_options options = { "" };
	struct profile *profile = profile_new();
	struct reading r = { 0 };
	const char *event;

	snprintf(options.type, sizeof(options.type), "%s", type);
	if (format_read_as(bytes, len, &options, profile, &r.report, &r.err)) {
		r.folded = reading_fold(profile);
		event = profile_get(profile, "event");
		snprintf(r.event, sizeof(r.event), "%s", event ? event : "");
		r.samples = profile_losses(profile)->samples;
		r.lost = profile_losses(profile)->lost;
	}
	profile_free(profile);
	return r;
}

static inline struct reading
reading_of(const void *bytes, size_t len)
{
	return reading_as(bytes, len, "");
}

/* Fail unless TEXT is read as the stacks FOLDED. */
static inline void
assert_read(const char *text, const char *folded)
{
	struct reading r = reading_of(text, strlen(text));

	if (!r.folded)
		print_error("refused: %s\n%s", r.err.text, text);
	assert_non_null(r.folded);
	assert_string_equal(r.folded, folded);
	free(r.folded);
}

/* The same, line NUMBER of it and no other being ignored. */
static inline void
assert_read_but(const char *text, uint64_t number, const char *folded)
{
	struct reading r = reading_of(text, strlen(text));

	assert_read(text, folded);
	assert_int_equal(r.report.ignored, 1);
	assert_int_equal(r.report.first_ignored[0], number);
	free(r.folded);
}

/* Fail unless TEXT is refused in words that have WORD. */
static inline void
assert_refused(const char *text, const char *word)
{
	struct reading r = reading_of(text, strlen(text));

	if (r.folded)
		print_error("read:\n%s", text);
	assert_null(r.folded);
	if (!strstr(r.err.text, word))
		print_error("%s\n", r.err.text);
	assert_non_null(strstr(r.err.text, word));
}

#endif
