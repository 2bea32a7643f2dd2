/* SPDX-License-Identifier: MIT */
/*
 * hexline.c - hexadecimal fields.
 */
#include "symbols/hexline.h"

#include <stddef.h>

static int
digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool
hexline_number(const char **at, const char *end, uint64_t *value)
{
	const char *p = *at;
	size_t digits = 0;

	while (p < end && is_blank(*p))
		p++;
	if (end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
		p += 2;
	for (*value = 0; p < end && digit_of(*p) >= 0; p++) {
		*value = *value << 4 | (uint64_t)digit_of(*p);
		if (++digits > 16)
			return false;
	}
	if (!digits || p == end || !is_blank(*p))
		return false;
	*at = p + 1;
	return true;
}
