/* SPDX-License-Identifier: MIT */
/*
 * sanitise.c - foreign bytes to visible UTF-8, one unit at a time.
 *
 * A unit is a character kept as it is or one escape. An escape is no base:
 * marks behind it are escaped too. So no mark of the result stands behind an
 * escape of ours, and cleaning it again finds nothing to do.
 */
#include "core/sanitise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define MARKS_MAX 2	/* combining marks on one base */
#define UNIT_MAX 16	/* "\u{10ffff}" and some room */
#define ELLIPSIS "\xe2\x80\xa6"
#define ELLIPSIS_LEN (sizeof(ELLIPSIS) - 1)

struct cleaner {
	const char *at, *end;
	unsigned marks;		/* on the character before AT */
};

static bool
is_tail(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

size_t
utf8_decode(const char *bytes, size_t len, uint32_t *code)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char lead = (unsigned char)bytes[0];
	size_t size = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 :
		      lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 0;
	uint32_t value;

	if (!size || size > len)
		return 0;
	value = size == 1 ? lead : lead & (0x7fu >> size);
	for (size_t i = 1; i < size; i++) {
		if (!is_tail(bytes[i]))
			return 0;
		value = value << 6 | ((unsigned char)bytes[i] & 0x3f);
	}
	if (value < smallest[size] || value > 0x10ffff ||
	    (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*code = value;
	return size;
}

size_t
utf8_encode(uint32_t code, char *out)
{
	static const unsigned char leads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 :
		      code < 0x10000 ? 3 : 4;

	for (size_t i = size; i-- > 1; code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)(leads[size] | code);
	return size;
}

/* Write the next unit to UNIT; returns its length. */
static size_t
next_unit(struct cleaner *cleaner, char *unit)
{
	uint32_t code;
	size_t size = utf8_decode(cleaner->at,
				  (size_t)(cleaner->end - cleaner->at), &code);
	const char *from = cleaner->at;

	cleaner->at += size ? size : 1;
	if (!size)
		code = (unsigned char)*from;
	else if (is_visible(code)) {
		cleaner->marks = is_combining(code) ? cleaner->marks + 1 : 0;
		if (cleaner->marks <= MARKS_MAX) {
			memcpy(unit, from, size);
			return size;
		}
	}
	cleaner->marks = MARKS_MAX;
	return (size_t)snprintf(unit, UNIT_MAX,
				code < 0x100 ? "\\x%02x" : "\\u{%04x}", code);
}

/* The beginning of a text is no base either. */
static struct cleaner
cleaner_of(const char *bytes, size_t len)
{
	return (struct cleaner){ .at = bytes, .end = len ? bytes + len : bytes,
				 .marks = MARKS_MAX };
}

static bool
is_plain(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i] < 0x20 || bytes[i] > 0x7e)
			return false;
	return true;
}

char *
sanitise(const char *bytes, size_t len)
{
	struct cleaner cleaner = cleaner_of(bytes, len);
	char *out = NULL, unit[UNIT_MAX];
	size_t used = 0, cut = 0, capacity = 0, size;

	if (len <= SANITISE_MAX && is_plain(bytes, len))
		return xstrndup(len ? bytes : "", len);
	while (cleaner.at < cleaner.end) {
		size = next_unit(&cleaner, unit);
		if (used + size > SANITISE_MAX) {
			memcpy(out + cut, ELLIPSIS, ELLIPSIS_LEN);
			used = cut + ELLIPSIS_LEN;
			break;
		}
		out = grow(out, used + size, &capacity, 1);
		memcpy(out + used, unit, size);
		used += size;
		if (used <= SANITISE_MAX - ELLIPSIS_LEN)
			cut = used;
	}
	out[used] = '\0';
	return out;
}

char *
sanitise_into(char *out, size_t size, const char *bytes, size_t len)
{
	struct cleaner cleaner = cleaner_of(bytes, len);
	char unit[UNIT_MAX];
	size_t used = 0, more;

	if (!size)
		return out;
	while (cleaner.at < cleaner.end) {
		more = next_unit(&cleaner, unit);
		if (used + more >= size)
			break;
		memcpy(out + used, unit, more);
		used += more;
	}
	out[used] = '\0';
	return out;
}
