/* SPDX-License-Identifier: MIT */
/*
 * jscan.c - values one after the other.
 */
#include "formats/jscan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"

struct jscan
jscan_of(const char *bytes, size_t len)
{
	return (struct jscan){ bytes, bytes + len, false };
}

static bool
is_space(char byte)
{
	return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

char
jscan_peek(struct jscan *j)
{
	while (j->at < j->end && is_space(*j->at))
		j->at++;
	return j->at < j->end && !j->failed ? *j->at : '\0';
}

static bool
refuse(struct jscan *j)
{
	j->failed = true;
	return false;
}

/* Take BYTE, which must come next. */
static bool
take(struct jscan *j, char byte)
{
	if (!byte || jscan_peek(j) != byte)
		return refuse(j);
	j->at++;
	return true;
}

bool
jscan_begin(struct jscan *j, char open)
{
	return take(j, open);
}

/* Before one more: a comma, unless it is the first. False at CLOSE. */
static bool
has_more(struct jscan *j, bool *first, char close)
{
	bool is_first = *first;

	*first = false;
	if (jscan_peek(j) == close) {
		j->at++;
		return false;
	}
	return is_first ? !j->failed : take(j, ',');
}

bool
jscan_member(struct jscan *j, bool *first, struct slice *key)
{
	if (!has_more(j, first, '}'))
		return false;
	*key = jscan_string(j);
	return take(j, ':');
}

bool
jscan_item(struct jscan *j, bool *first)
{
	return has_more(j, first, ']');
}

struct slice
jscan_string(struct jscan *j)
{
	const char *from, *at;

	if (!take(j, '"'))
		return (struct slice){ "", 0 };
	from = at = j->at;
	while (at < j->end && *at != '"') {
		at += *at == '\\' ? 2 : 1;
		if (at > j->end)
			break;
	}
	if (at >= j->end) {
		refuse(j);
		return (struct slice){ "", 0 };
	}
	j->at = at + 1;
	return slice_of(from, at);
}

static bool
is_number_byte(char byte)
{
	return (byte >= '0' && byte <= '9') || byte == '-' || byte == '+' ||
	       byte == '.' || byte == 'e' || byte == 'E';
}

struct slice
jscan_number(struct jscan *j)
{
	char first = jscan_peek(j);
	const char *from = j->at;

	if (first != '-' && (first < '0' || first > '9')) {
		refuse(j);
		return (struct slice){ "", 0 };
	}
	while (j->at < j->end && is_number_byte(*j->at))
		j->at++;
	return slice_of(from, j->at);
}

/* true, false and null. */
static void
skip_word(struct jscan *j)
{
	static const char *const words[] = { "true", "false", "null" };
	size_t left = (size_t)(j->end - j->at);

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t len = strlen(words[i]);

		if (left >= len && memcmp(j->at, words[i], len) == 0) {
			j->at += len;
			return;
		}
	}
	refuse(j);
}

static void
skip_plain(struct jscan *j)
{
	char first = jscan_peek(j);

	if (first == '"')
		jscan_string(j);
	else if (first == '-' || (first >= '0' && first <= '9'))
		jscan_number(j);
	else
		skip_word(j);
}

/* What is open while skipping: a loop instead of calls. */
struct nest {
	bool is_object[JSCAN_DEPTH], is_first[JSCAN_DEPTH];
	size_t depth;
};

static void
skip_value(struct jscan *j, struct nest *nest)
{
	char first = jscan_peek(j);

	if (first != '{' && first != '[') {
		skip_plain(j);
		return;
	}
	if (nest->depth == JSCAN_DEPTH) {
		refuse(j);
		return;
	}
	j->at++;
	nest->is_object[nest->depth] = first == '{';
	nest->is_first[nest->depth++] = true;
}

void
jscan_skip(struct jscan *j)
{
	struct nest nest;
	struct slice key;

	nest.depth = 0;
	skip_value(j, &nest);
	while (nest.depth && !j->failed) {
		size_t top = nest.depth - 1;
		bool *first = &nest.is_first[top];

		if (nest.is_object[top] ? jscan_member(j, first, &key) :
					  jscan_item(j, first))
			skip_value(j, &nest);
		else
			nest.depth--;
	}
}

/* --- escapes */

/* Four digits at AT as a number, or -1. */
static int32_t
hex4(const char *at, const char *end)
{
	int32_t value = 0;

	if (end - at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		unsigned digit = hex_digit(at[i]);

		if (digit > 15)
			return -1;
		value = value * 16 + (int32_t)digit;
	}
	return value;
}

/* What follows "\u"; halves of pairs that stand alone become U+FFFD. */
static const char *
take_code(const char *at, const char *end, char **to)
{
	int32_t code = hex4(at, end), low;

	if (code < 0) {
		*(*to)++ = 'u';
		return at;
	}
	at += 4;
	if (code >= 0xd800 && code < 0xe000) {
		low = code < 0xdc00 && end - at >= 6 && at[0] == '\\' &&
		      at[1] == 'u' ? hex4(at + 2, end) : -1;
		if (low >= 0xdc00 && low < 0xe000) {
			code = 0x10000 + ((code - 0xd800) << 10) + low -
			       0xdc00;
			at += 6;
		} else {
			code = 0xfffd;
		}
	}
	*to += utf8_encode((uint32_t)code, *to);
	return at;
}

char *
jscan_unescape(struct slice s, size_t *len)
{
	static const char names[] = "bfnrt", bytes[] = "\b\f\n\r\t";
	const char *at = s.at, *end = s.at + s.len, *name;
	char *out = xcalloc(s.len + 1, 1), *to = out;

	while (at < end) {
		if (*at != '\\' || end - at < 2) {
			*to++ = *at++;
			continue;
		}
		at++;
		if (*at == 'u') {
			at = take_code(at + 1, end, &to);
			continue;
		}
		name = strchr(names, *at);
		*to++ = name && *name ? bytes[name - names] : *at;
		at++;
	}
	*len = (size_t)(to - out);
	return out;
}
