/* SPDX-License-Identifier: MIT */
/*
 * header_value.c - percent signs for what must not stand in a header line.
 */
#include "formats/header_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/sanitise.h"

/* Blanks beyond ASCII, which to flamegraph.pl are as good as that one. */
static bool
is_wide_blank(uint32_t code)
{
	return code == 0x85 || code == 0xa0 || code == 0x1680 ||
	       (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
	       code == 0x2029 || code == 0x202f || code == 0x205f ||
	       code == 0x3000;
}

/* How many bytes at VALUE must not stand in a line as they are. */
static size_t
harmful(const char *value)
{
	unsigned char byte = (unsigned char)*value;
	uint32_t code;
	size_t len;

	if (byte <= ' ' || byte == '%' || byte == 0x7f)
		return 1;
	if (byte < 0x80)
		return 0;
	len = utf8_decode(value, strnlen(value, 4), &code);
	return len && is_wide_blank(code) ? len : 0;
}

void
header_value_write(struct writer *line, const char *value)
{
	char escape[4];
	size_t bad = 0;

	for (; *value; value++) {
		if (!bad)
			bad = harmful(value);
		if (!bad) {
			writer_u8(line, (uint8_t)*value);
			continue;
		}
		snprintf(escape, sizeof(escape), "%%%02X",
			 (unsigned char)*value);
		writer_bytes(line, escape, 3);
		bad--;
	}
}

char *
header_value_read(struct slice value)
{
	char *raw = xcalloc(value.len + 1, 1), *clean;
	size_t len = 0, i;

	for (i = 0; i < value.len; i++) {
		unsigned high = 16, low = 16;

		if (value.at[i] == '%' && value.len - i > 2) {
			high = hex_digit(value.at[i + 1]);
			low = hex_digit(value.at[i + 2]);
		}
		if (high > 15 || low > 15) {
			raw[len++] = value.at[i];
			continue;
		}
		raw[len++] = (char)(high * 16 + low);
		i += 2;
	}
	clean = sanitise(raw, len);
	free(raw);
	return clean;
}
