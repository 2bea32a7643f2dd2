/* SPDX-License-Identifier: MIT */
/*
 * image_fuzz.c - no bytes harm the reader of profile images, and what it
 * accepts it writes in one form only.
 */
#include "core/image.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Write, read and write again: the same bytes. */
static void
check_stable(struct profile *profile)
{
	struct writer first = { 0 }, second = { 0 };
	struct profile *copy = NULL;

	image_write(profile, &first);
	if (!image_read(first.bytes, first.len, &copy, NULL))
		abort();
	image_write(copy, &second);
	if (first.len != second.len ||
	    memcmp(first.bytes, second.bytes, first.len))
		abort();
	profile_free(copy);
	writer_free(&first);
	writer_free(&second);
}

static void
try(const uint8_t *bytes, size_t len)
{
	struct profile *profile = NULL;

	if (image_read(bytes, len, &profile, NULL))
		check_stable(profile);
	profile_free(profile);
}

/* A right beginning, so that the fuzzer works on what comes after it. */
static void
try_with_magic(const uint8_t *bytes, size_t len)
{
	struct writer w = { 0 };

	writer_bytes(&w, "FTIMAGE1", 8);
	writer_u64(&w, len + 16);
	writer_bytes(&w, bytes, len);
	try(w.bytes, w.len);
	writer_free(&w);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	try(bytes, len);
	try_with_magic(bytes, len);
	return 0;
}
