/* SPDX-License-Identifier: MIT */
/*
 * lines.c - a window that moves over a text, and words of its lines.
 */
#include "formats/lines.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WINDOW ((size_t)256 << 10)	/* stays in the CPU's cache */

struct lines
lines_of(const char *bytes, size_t len)
{
	return (struct lines){ .at = bytes, .end = bytes + len };
}

void
lines_fini(struct lines *lines)
{
	free(lines->buffer);
	lines->buffer = NULL;
}

static size_t
left(const struct lines *lines)
{
	return (size_t)(lines->end - lines->at);
}

/* Move what is left to the front of a buffer with room for LEN and more. */
static void
make_room(struct lines *lines, size_t len)
{
	size_t kept = left(lines), wanted = len < WINDOW ? WINDOW : len;

	if (lines->buffer && kept)
		memmove(lines->buffer, lines->at, kept);
	if (lines->capacity < wanted) {
		lines->buffer = xreallocarray(lines->buffer, wanted, 1);
		lines->capacity = wanted;
	}
	lines->at = lines->buffer;
	lines->end = lines->buffer + kept;
}

/* One read behind what is there; false at the end. */
static bool
read_more(struct lines *lines)
{
	size_t used = (size_t)(lines->end - lines->buffer);
	ssize_t got = lines->source->read(lines->source->ctx,
					  lines->buffer + used,
					  lines->capacity - used, &lines->err);

	if (got > 0) {
		lines->end += got;
		return true;
	}
	lines->has_failed = got < 0;
	lines->source = NULL;
	return false;
}

size_t
lines_fill(struct lines *lines, size_t len)
{
	if (!lines->source || left(lines) >= len)
		return left(lines);
	make_room(lines, len);
	while (left(lines) < len && read_more(lines))
		;
	return left(lines);
}

/*
 * The newline that ends the line at the cursor, reading on until there is
 * one; NULL when the rest has none.
 */
static const char *
find_newline(struct lines *lines)
{
	size_t looked = 0, len = left(lines);
	const char *newline;

	for (;;) {
		newline = len > looked ? memchr(lines->at + looked, '\n',
						len - looked) : NULL;
		if (newline || !lines->source)
			return newline;
		if (len > LINE_MAX_BYTES) {
			fail(&lines->err, 0, "line %llu is longer than %zu "
			     "MiB", (unsigned long long)lines->number + 1,
			     LINE_MAX_BYTES >> 20);
			lines->has_failed = true;
			lines->source = NULL;
			return NULL;
		}
		looked = len;
		/* Twice as much each time, so that nothing moves often. */
		len = lines_fill(lines, len < WINDOW / 2 ? len + 1 : len * 2);
	}
}

bool
lines_next(struct lines *lines, struct slice *line)
{
	const char *newline = find_newline(lines), *end;

	if (lines->has_failed || (!newline && lines->at == lines->end))
		return false;
	end = newline ? newline : lines->end;
	*line = slice_of(lines->at, end);
	lines->at = end + (newline != NULL);
	lines->number++;
	if (line->len && line->at[line->len - 1] == '\r')
		line->len--;
	return true;
}

bool
lines_next_said(struct lines *lines, struct slice *line)
{
	while (lines_next(lines, line)) {
		*line = without_trailing_blanks(*line);
		if (line->len && *line->at != '#')
			return true;
	}
	return false;
}

bool
lines_next_block(struct lines *lines, struct slice *block)
{
	const char *newline = find_newline(lines), *end;

	if (lines->has_failed || (!newline && lines->at == lines->end))
		return false;
	end = newline ? memrchr(newline, '\n',
				(size_t)(lines->end - newline)) : NULL;
	end = end ? end + 1 : lines->end;
	*block = slice_of(lines->at, end);
	lines->at = end;
	return true;
}

/* --- parts of a line */

bool
is_among(char byte, const char *set)
{
	return byte && strchr(set, byte);
}

unsigned
hex_digit(char byte)
{
	if (byte >= '0' && byte <= '9')
		return (unsigned)(byte - '0');
	if (byte >= 'a' && byte <= 'f')
		return (unsigned)(byte - 'a') + 10;
	if (byte >= 'A' && byte <= 'F')
		return (unsigned)(byte - 'A') + 10;
	return 16;
}

struct slice
slice_of(const char *at, const char *end)
{
	return (struct slice){ at, (size_t)(end - at) };
}

struct slice
slice_whole(const char *text)
{
	return (struct slice){ text, strlen(text) };
}

struct slice
without_trailing_blanks(struct slice s)
{
	while (s.len && is_blank(s.at[s.len - 1]))
		s.len--;
	return s;
}

struct slice
without_blanks(struct slice s)
{
	while (s.len && is_blank(*s.at)) {
		s.at++;
		s.len--;
	}
	return without_trailing_blanks(s);
}

bool
slice_starts(struct slice s, const char *word)
{
	size_t len = strlen(word);

	return s.len >= len && (!len || memcmp(s.at, word, len) == 0);
}

bool
slice_ends(struct slice s, const char *word)
{
	size_t len = strlen(word);

	return s.len >= len &&
	       (!len || memcmp(s.at + s.len - len, word, len) == 0);
}

bool
slice_is(struct slice s, const char *word)
{
	return s.len == strlen(word) && slice_starts(s, word);
}

bool
slice_is_like(struct slice a, struct slice b)
{
	return a.len == b.len && (!a.len || !strncasecmp(a.at, b.at, a.len));
}

const char *
slice_find(struct slice s, const char *word)
{
	return s.len ? memmem(s.at, s.len, word, strlen(word)) : NULL;
}

struct slice
take_first_word(struct slice *rest)
{
	struct slice word;

	*rest = without_blanks(*rest);
	word = (struct slice){ rest->at, 0 };
	while (rest->len && !is_blank(*rest->at)) {
		rest->at++;
		rest->len--;
		word.len++;
	}
	*rest = without_blanks(*rest);
	return word;
}

struct slice
take_last_word(struct slice *rest)
{
	struct slice word = { rest->at + rest->len, 0 };

	while (rest->len && !is_blank(rest->at[rest->len - 1])) {
		rest->len--;
		word.at--;
		word.len++;
	}
	*rest = without_trailing_blanks(*rest);
	return word;
}

static bool
take_number(struct slice *rest, uint64_t *number, unsigned base)
{
	size_t i = 0;
	uint64_t n = 0;

	for (; i < rest->len; i++) {
		unsigned digit = hex_digit(rest->at[i]);

		if (digit >= base)
			break;
		if (n > (UINT64_MAX - digit) / base)
			return false;
		n = n * base + digit;
	}
	if (!i)
		return false;
	*number = n;
	rest->at += i;
	rest->len -= i;
	return true;
}

bool
take_decimal(struct slice *rest, uint64_t *number)
{
	return take_number(rest, number, 10);
}

bool
take_hex(struct slice *rest, uint64_t *number)
{
	struct slice digits = *rest;

	if (!take_word(&digits, "0x"))
		take_word(&digits, "0X");
	if (!take_number(&digits, number, 16))
		return false;
	*rest = digits;
	return true;
}

bool
take_word(struct slice *rest, const char *word)
{
	size_t len = strlen(word);

	if (!slice_starts(*rest, word))
		return false;
	rest->at += len;
	rest->len -= len;
	return true;
}

bool
slice_number(struct slice s, uint64_t *number)
{
	return take_decimal(&s, number) && !s.len;
}

struct slice
slice_file(struct slice path)
{
	const char *slash = path.len ? memrchr(path.at, '/', path.len) : NULL;

	return slash ? slice_of(slash + 1, path.at + path.len) : path;
}

struct slice
without_offset(struct slice name)
{
	const char *plus = name.len ? memrchr(name.at, '+', name.len) : NULL;
	struct slice digits;
	uint64_t offset;

	if (!plus || plus == name.at)
		return name;
	digits = slice_of(plus + 1, name.at + name.len);
	if (slice_starts(digits, "0x") && take_hex(&digits, &offset) &&
	    !digits.len)
		name.len = (size_t)(plus - name.at);
	return name;
}
