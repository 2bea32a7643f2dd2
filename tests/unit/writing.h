/* SPDX-License-Identifier: MIT */
/*
 * writing.h - profiles as bytes of a format, and the folded files to try.
 */
#ifndef TESTS_UNIT_WRITING_H
#define TESTS_UNIT_WRITING_H

#include "formats/format.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct written {
	char *bytes;		/* and a NUL; the test frees */
	size_t len;
};

static inline struct written
write_as(const struct format *format, struct profile *profile,
	 const struct write_options *options)
{
	struct names *names = names_new(profile);
	struct written out;
	FILE *file = open_memstream(&out.bytes, &out.len);

	assert_true(format->write(file, profile, names, options, NULL));
	fclose(file);
	names_free(names);
	return out;
}

/* A profile of what BYTES are; NULL if they are refused. */
static inline struct profile *
read_bytes(const void *bytes, size_t len)
{
	struct profile *profile = profile_new();
	struct read_report report;

	if (format_read(bytes, len, profile, &report, NULL))
		return profile;
	profile_free(profile);
	return NULL;
}

/*
 * Give CHECK the profile of each folded file in tests/fixtures that is one;
 * it frees it. Fails when there are hardly any.
 */
static inline void
with_each_fixture(void (*check)(struct profile *profile))
{
	DIR *folder = opendir("tests/fixtures");
	struct dirent *entry;
	unsigned count = 0;

	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		char path[300], *bytes;
		struct profile *profile;
		FILE *file;
		size_t len;

		if (!strstr(entry->d_name, ".folded"))
			continue;
		snprintf(path, sizeof(path), "tests/fixtures/%s",
			 entry->d_name);
		file = fopen(path, "rb");
		bytes = xcalloc(1 << 16, 1);
		len = fread(bytes, 1, 1 << 16, file);
		fclose(file);
		profile = read_bytes(bytes, len);
		free(bytes);
		if (!profile)
			continue;
		check(profile);
		count++;
	}
	closedir(folder);
	assert_true(count > 20);
}

#endif
