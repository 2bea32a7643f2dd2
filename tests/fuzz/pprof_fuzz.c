/* SPDX-License-Identifier: MIT */
/*
 * pprof_fuzz.c - any bytes at all, read as pprof.
 *
 * Nothing may crash, and no count is lost or made: written in either form and
 * read again, the sum is the same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/pprof.h"
#include "tests/fuzz/saving.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* PROFILE's total after it was written in FORMAT and read. */
static uint64_t
written_total(const struct format *format, struct profile *profile)
{
	struct profile *again = profile_new();
	struct read_report report;
	struct error err;
	uint64_t total;
	size_t size;
	char *text = saving_write_as(format, profile, KIND_CPU, true, &size);

	if (!format_read(text, size, again, &report, &err))
		abort();
	total = profile_total(again, KIND_CPU);
	profile_free(again);
	free(text);
	return total;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const struct read_options any = { "" }, second = { "2" };
	struct profile *profile = profile_new();
	struct read_report report = { 0 };
	struct error err;
	uint64_t total;

	pprof_sniff(bytes, len);
	if (pprof_read(bytes, len, len % 2 ? &any : &second, profile, &report,
		       &err) && !profile_is_saturated(profile) &&
	    !profile_get(profile, "scale") &&
	    (total = profile_total(profile, KIND_CPU)) < INT64_MAX &&
	    (written_total(&format_folded, profile) != total ||
	     written_total(&format_pprof, profile) != total))
		abort();
	profile_free(profile);
	return 0;
}
