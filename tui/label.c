/* SPDX-License-Identifier: MIT */
/*
 * label.c - a function's name in the cells there are.
 *
 * The end of a name says most, so what goes first is what stands around it:
 * what the C++ library adds to types, arguments, templates, namespaces. Only
 * then letters go.
 */
#include "tui/text.h"

#include <string.h>

#include "core/sanitise.h"
#include "tui/library_types.h"
#include "tui/signature.h"

/* A shortened name that is longer than this is cut as it came. */
#define FORM_MAX 1024

/* The character at TEXT: its bytes, and its cells into *WIDE. */
static size_t
next_char(const char *text, size_t len, int *wide)
{
	uint32_t code;
	size_t n = utf8_decode(text, len, &code);

	*wide = n == 0 ? 1 : char_width(code);
	return n == 0 ? 1 : n;
}

/* Bytes of TEXT that fill at most WIDTH cells; *USED: the cells they take. */
static size_t
bytes_within(const char *text, size_t len, int width, int *used)
{
	size_t at = 0, n;
	int wide;

	*used = 0;
	while (at < len) {
		n = next_char(text + at, len - at, &wide);
		if (*used + wide > width)
			break;
		*used += wide;
		at += n;
	}
	return at;
}

static bool
fits(const char *text, int width)
{
	int used;
	/* no character fills a cell with more than a base and two marks */
	size_t len = strnlen(text, (size_t)width * 12 + 1);

	return text[len] == '\0' &&
	       bytes_within(text, len, width, &used) == len;
}

/* Append whole characters of LEN bytes at AT in OUT; returns the new end. */
static size_t
copy(char *out, size_t size, size_t at, const char *text, size_t len)
{
	size_t n, done = 0;
	int wide;

	while (done < len) {
		n = next_char(text + done, len - done, &wide);
		if (at + n >= size)
			break;
		memcpy(out + at, text + done, n);
		at += n;
		done += n;
	}
	out[at] = '\0';
	return at;
}

/* TEXT, which is too long, as its two ends with ELLIPSIS between. */
static void
cut_middle(char *out, size_t size, const char *text, int width,
	   const char *ellipsis)
{
	size_t len = strlen(text), tail = 0, at, n;
	int rest = text_width(text), used, wide;
	size_t head = bytes_within(text, len, (width + 1) / 2, &used);

	while (rest > width - 1 - used) {
		tail += next_char(text + tail, len - tail, &wide);
		rest -= wide;
	}
	/* marks would land on the ellipsis */
	while (tail < len) {
		n = next_char(text + tail, len - tail, &wide);
		if (wide > 0)
			break;
		tail += n;
	}
	at = copy(out, size, 0, text, head);
	at = copy(out, size, at, ellipsis, strlen(ellipsis));
	copy(out, size, at, text + tail, len - tail);
}

char *
label_fit(char *out, size_t size, const char *name, int width, bool is_ascii)
{
	const char *ellipsis = is_ascii ? "~" : "…", *last, *next;
	char form[FORM_MAX], plain[4 * FORM_MAX];

	out[0] = '\0';
	if (width < 3)
		return out;
	if (fits(name, width)) {
		copy(out, size, 0, name, strlen(name));
		return out;
	}
	if (library_types_shorten(name, plain, sizeof(plain))) {
		name = plain;
		if (fits(name, width)) {
			copy(out, size, 0, name, strlen(name));
			return out;
		}
	}
	last = name;
	if (signature_shorten(name, NULL, form, sizeof(form)) &&
	    fits(form, width)) {
		copy(out, size, 0, form, strlen(form));
		return out;
	}
	if (signature_shorten(name, ellipsis, form, sizeof(form)))
		for (next = form; next && !fits(last, width);
		     next = signature_next(form, last))
			last = next;
	if (fits(last, width))
		copy(out, size, 0, last, strlen(last));
	else
		cut_middle(out, size, last, width, ellipsis);
	return out;
}
