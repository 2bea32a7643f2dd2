/* SPDX-License-Identifier: MIT */
/*
 * folded_fuzz.c - any bytes at all, read as a profile.
 *
 * Nothing may crash; and what could be read is written the same way twice:
 * loading what was saved and saving it again changes no byte.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/saving.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* What BYTES are when saved, as text the caller frees; NULL if refused. */
static char *
save(const void *bytes, size_t len, bool threads)
{
	struct profile *profile = profile_new();
	struct read_report report;
	struct error err;
	char *text = NULL;

	if (format_read(bytes, len, profile, &report, &err))
		text = saving_write(profile, threads);
	profile_free(profile);
	return text;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	bool threads = len % 2;
	char *first = save(bytes, len, threads), *second;

	if (!first)
		return 0;
	second = save(first, strlen(first), threads);
	if (!second || strcmp(first, second) != 0)
		abort();
	free(first);
	free(second);
	return 0;
}
