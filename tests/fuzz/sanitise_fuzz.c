/* SPDX-License-Identifier: MIT */
/*
 * sanitise_fuzz.c - what was cleaned is visible UTF-8, is not too long, and
 * is clean.
 */
#include "core/sanitise.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
check_visible(const char *text)
{
	size_t left = strlen(text), size;
	uint32_t code;
	unsigned marks = 2;

	if (left > SANITISE_MAX)
		abort();
	for (; left; text += size, left -= size) {
		size = utf8_decode(text, left, &code);
		if (!size || !is_visible(code))
			abort();
		marks = is_combining(code) ? marks + 1 : 0;
		if (marks > 2)
			abort();
	}
}

/* A small buffer holds a beginning of the whole. */
static void
check_cut(const char *whole, const char *bytes, size_t len)
{
	char out[20];

	for (size_t size = 1; size <= sizeof(out); size++) {
		sanitise_into(out, size, bytes, len);
		if (strncmp(out, whole, strlen(out)))
			abort();
		check_visible(out);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *once = sanitise((const char *)bytes, len);
	char *twice = sanitise(once, strlen(once));

	if (strcmp(once, twice))
		abort();
	check_visible(once);
	check_cut(once, (const char *)bytes, len);
	free(once);
	free(twice);
	return 0;
}
