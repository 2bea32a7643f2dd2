/* SPDX-License-Identifier: MIT */
/*
 * radix.c - least significant digit first, of the digits that differ.
 */
#include "symbols/radix.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define DIGIT 11
#define DIGITS ((size_t)1 << DIGIT)

static size_t
digit_of(uint64_t value, unsigned shift)
{
	return (value >> shift) & (DIGITS - 1);
}

static void
pass(const struct radix_key *from, struct radix_key *to, size_t n,
     unsigned shift)
{
	size_t *places = xcalloc(DIGITS, sizeof(*places)), at = 0;

	for (size_t i = 0; i < n; i++)
		places[digit_of(from[i].value, shift)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		size_t count = places[i];

		places[i] = at;
		at += count;
	}
	for (size_t i = 0; i < n; i++)
		to[places[digit_of(from[i].value, shift)]++] = from[i];
	free(places);
}

void
radix_sort(struct radix_key *keys, size_t n)
{
	struct radix_key *spare, *from = keys, *to;
	uint64_t differ = 0;

	for (size_t i = 1; i < n; i++)
		differ |= keys[i].value ^ keys[0].value;
	if (!differ)
		return;
	spare = to = xreallocarray(NULL, n, sizeof(*spare));
	for (unsigned shift = 0; shift < 64; shift += DIGIT) {
		struct radix_key *other = from;

		if (!digit_of(differ, shift))
			continue;
		pass(from, to, n, shift);
		from = to;
		to = other;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof(*keys));
	free(spare);
}
