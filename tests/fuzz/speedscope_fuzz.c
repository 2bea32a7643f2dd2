/* SPDX-License-Identifier: MIT */
/*
 * speedscope_fuzz.c - any bytes at all, read as speedscope's JSON.
 *
 * Nothing may crash; and what could be read is the same after it was written
 * and read again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/speedscope.h"
#include "tests/fuzz/saving.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* PROFILE in FORMAT, of the first kind that it has counts of. */
static char *
write_as(const struct format *format, struct profile *profile, size_t *len)
{
	enum kind kind = KIND_CPU;

	while (kind < KIND_COUNT - 1 && !profile_total(profile, kind))
		kind++;
	if (!profile_total(profile, kind))
		kind = KIND_CPU;
	return saving_write_as(format, profile, kind, true, len);
}

/* PROFILE as speedscope's JSON, read again; the caller frees. */
static struct profile *
there_and_back(struct profile *profile)
{
	static const struct read_options any = { "" };
	struct profile *again = profile_new();
	struct read_report report = { 0 };
	struct error err;
	size_t len;
	char *json = write_as(&format_speedscope, profile, &len);

	if (!speedscope_sniff(json, len) ||
	    !speedscope_read(json, len, &any, again, &report, &err))
		abort();
	free(json);
	return again;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const struct read_options any = { "" }, seconds = { "seconds" };
	struct profile *profile = profile_new(), *once, *twice;
	struct read_report report = { 0 };
	struct error err;
	size_t size;

	speedscope_sniff(bytes, len);
	if (speedscope_read(bytes, len, len % 2 ? &any : &seconds, profile,
			    &report, &err) && !profile_is_saturated(profile)) {
		char *first, *second;

		once = there_and_back(profile);
		twice = there_and_back(once);
		first = write_as(&format_folded, once, &size);
		second = write_as(&format_folded, twice, &size);
		if (strcmp(first, second) != 0)
			abort();
		profile_free(once);
		profile_free(twice);
		free(first);
		free(second);
	}
	profile_free(profile);
	return 0;
}
