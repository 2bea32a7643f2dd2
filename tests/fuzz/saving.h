/* SPDX-License-Identifier: MIT */
/*
 * saving.h - what is read can be saved, and is the same when it is read.
 */
#ifndef TESTS_FUZZ_SAVING_H
#define TESTS_FUZZ_SAVING_H

#include <stdlib.h>
#include <string.h>

#include "formats/format.h"

/* PROFILE's counts of KIND in FORMAT, *LEN bytes; the caller frees. */
static inline char *
saving_write_as(const struct format *format, struct profile *profile,
		enum kind kind, bool threads, size_t *len)
{
	struct write_options options = { .kind = kind, .header = true,
					 .threads = threads };
	struct names *names = names_new(profile);
	struct error err;
	char *text;
	FILE *out = open_memstream(&text, len);

	if (!out || !format->write(out, profile, names, &options, &err))
		abort();
	fclose(out);
	names_free(names);
	return text;
}

/* PROFILE as our own file; the caller frees. */
static inline char *
saving_write(struct profile *profile, bool threads)
{
	size_t len;

	return saving_write_as(&format_folded, profile, KIND_CPU, threads,
			       &len);
}

/* Fail when PROFILE, saved and read again, is saved as something else. */
static inline void
saving_check(struct profile *profile, bool threads)
{
	char *first = saving_write(profile, threads), *second;
	struct profile *again = profile_new();
	struct read_report report = { 0 };
	struct error err;

	if (!format_read(first, strlen(first), again, &report, &err))
		abort();
	second = saving_write(again, threads);
	if (strcmp(first, second) != 0)
		abort();
	profile_free(again);
	free(first);
	free(second);
}

/* Read BYTES by FORMAT, which reads lines, in whatever way it will. */
static inline void
saving_read_lines(const struct format *format, const void *bytes, size_t len)
{
	struct lines lines = lines_of(bytes, len);
	struct profile *profile = profile_new();
	struct read_options options = { "" };
	struct read_report report = { 0 };
	struct error err;

	format->sniff(bytes, len);
	if (format->read_lines(&lines, &options, profile, &report, &err))
		saving_check(profile, len % 2);
	profile_free(profile);
}

#endif
