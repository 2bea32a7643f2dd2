/* SPDX-License-Identifier: MIT */
/*
 * utf16.c - text that came through a shell which writes UTF-16.
 */
#include "formats/utf16.h"

#include <stdint.h>
#include <string.h>

#include "core/base.h"
#include "core/sanitise.h"

#define REPLACEMENT 0xfffd

bool
utf16_sniff(const char *bytes, size_t len)
{
	return len >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 ||
			    memcmp(bytes, "\xfe\xff", 2) == 0);
}

static uint32_t
unit_at(const char *bytes, bool is_little)
{
	uint32_t first = (unsigned char)bytes[0];
	uint32_t second = (unsigned char)bytes[1];

	return is_little ? second << 8 | first : first << 8 | second;
}

static bool
is_high(uint32_t unit)
{
	return unit >= 0xd800 && unit < 0xdc00;
}

static bool
is_low(uint32_t unit)
{
	return unit >= 0xdc00 && unit < 0xe000;
}

char *
utf16_decode(const char *bytes, size_t len, size_t *out_len)
{
	bool is_little = bytes[0] == '\xff';
	char *out = xcalloc(len / 2 + 1, 3);	/* a unit takes 3 at most */
	size_t used = 0, i;

	for (i = 2; i + 2 <= len; i += 2) {
		uint32_t code = unit_at(bytes + i, is_little);
		uint32_t next = i + 4 <= len ?
				unit_at(bytes + i + 2, is_little) : 0;

		if (is_high(code) && is_low(next)) {
			code = 0x10000 + ((code - 0xd800) << 10) +
			       (next - 0xdc00);
			i += 2;
		} else if (is_high(code) || is_low(code)) {
			code = REPLACEMENT;
		}
		used += utf8_encode(code, out + used);
	}
	*out_len = used;
	return out;
}
