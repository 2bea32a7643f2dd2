/* SPDX-License-Identifier: MIT */
/*
 * perfmap_fuzz.c - any bytes as a perf map, at once and in pieces.
 *
 * Both ways must answer the same for every address that the text could mean.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/hexline.h"
#include "symbols/perfmap.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
compare_at(const struct perfmap *a, const struct perfmap *b, uint64_t addr)
{
	uint64_t a_start = 0, b_start = 0;
	uint32_t at;
	const char *x = versions_find(perfmap_versions(a), addr, &a_start,
				      &at);
	const char *y = versions_find(perfmap_versions(b), addr, &b_start,
				      &at);

	if (!x != !y || (x && strcmp(x, y)) || a_start != b_start ||
	    a_start > addr)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const char *text = (const char *)bytes, *end = text + len;
	struct perfmap *whole = perfmap_new(), *pieces = perfmap_new();
	size_t step = len ? bytes[0] % 16 + 1 : 1;
	uint64_t addr;

	perfmap_feed(whole, text, len);
	for (size_t at = 0; at < len; at += step)
		perfmap_feed(pieces, text + at,
			     len - at < step ? len - at : step);
	perfmap_settle(whole);
	perfmap_settle(pieces);
	if (perfmap_entries(whole) != perfmap_entries(pieces) ||
	    perfmap_junk(whole) != perfmap_junk(pieces))
		abort();
	while (text < end) {
		const char *at = text;

		if (hexline_number(&at, end, &addr)) {
			compare_at(whole, pieces, addr);
			compare_at(whole, pieces, addr + 1);
			compare_at(whole, pieces, addr - 1);
			text = at;
		} else {
			text++;
		}
	}
	perfmap_free(whole);
	perfmap_free(pieces);
	return 0;
}
