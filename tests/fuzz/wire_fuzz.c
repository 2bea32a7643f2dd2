/* SPDX-License-Identifier: MIT */
/*
 * wire_fuzz.c - any bytes at all, as a record of the symbols process, and as
 * the profile it hands over.
 */
#include <stdint.h>
#include <stdlib.h>

#include "app/wire.h"
#include "core/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct wire_request request;
	struct wire_answer answer;
	struct symbol symbol;
	struct profile *profile;
	uint64_t offset;
	size_t names = 0, n;
	struct symbol_place places[WIRE_DEPTH_MAX];

	wire_get_request(bytes, len, &request);
	if (wire_get_answer(bytes, len, &answer))
		while (wire_next_name(&answer, &offset, &symbol))
			if (++names > len)
				abort();
	if (wire_get_answer(bytes, len, &answer))
		while (wire_next_places(&answer, &offset, places, &n))
			if (++names > 2 * len)
				abort();
	if (image_read(bytes, len, &profile, NULL))
		profile_free(profile);
	return 0;
}
