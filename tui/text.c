/* SPDX-License-Identifier: MIT */
/*
 * text.c - widths of characters, and numbers as people read them.
 */
#include "tui/text.h"

#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/sanitise.h"

struct range {
	uint32_t first, last;
};

/*
 * East Asian Wide and Fullwidth (Unicode 14, EastAsianWidth.txt), joined over
 * gaps of unassigned and combining characters; sorted.
 */
static const struct range wide[] = {
	{ 0x1100, 0x115f }, { 0x231a, 0x231b }, { 0x2329, 0x232a },
	{ 0x23e9, 0x23ec }, { 0x23f0, 0x23f0 }, { 0x23f3, 0x23f3 },
	{ 0x25fd, 0x25fe }, { 0x2614, 0x2615 }, { 0x2648, 0x2653 },
	{ 0x267f, 0x267f }, { 0x2693, 0x2693 }, { 0x26a1, 0x26a1 },
	{ 0x26aa, 0x26ab }, { 0x26bd, 0x26be }, { 0x26c4, 0x26c5 },
	{ 0x26ce, 0x26ce }, { 0x26d4, 0x26d4 }, { 0x26ea, 0x26ea },
	{ 0x26f2, 0x26f3 }, { 0x26f5, 0x26f5 }, { 0x26fa, 0x26fa },
	{ 0x26fd, 0x26fd }, { 0x2705, 0x2705 }, { 0x270a, 0x270b },
	{ 0x2728, 0x2728 }, { 0x274c, 0x274c }, { 0x274e, 0x274e },
	{ 0x2753, 0x2755 }, { 0x2757, 0x2757 }, { 0x2795, 0x2797 },
	{ 0x27b0, 0x27b0 }, { 0x27bf, 0x27bf }, { 0x2b1b, 0x2b1c },
	{ 0x2b50, 0x2b50 }, { 0x2b55, 0x2b55 }, { 0x2e80, 0x303e },
	{ 0x3041, 0x3247 }, { 0x3250, 0x4dbf }, { 0x4e00, 0xa4c6 },
	{ 0xa960, 0xa97c }, { 0xac00, 0xd7a3 }, { 0xf900, 0xfad9 },
	{ 0xfe10, 0xfe6b }, { 0xff01, 0xff60 }, { 0xffe0, 0xffe6 },
	{ 0x16fe0, 0x1b2fb }, { 0x1f004, 0x1f004 }, { 0x1f0cf, 0x1f0cf },
	{ 0x1f18e, 0x1f18e }, { 0x1f191, 0x1f19a }, { 0x1f200, 0x1f320 },
	{ 0x1f32d, 0x1f335 }, { 0x1f337, 0x1f37c }, { 0x1f37e, 0x1f393 },
	{ 0x1f3a0, 0x1f3ca }, { 0x1f3cf, 0x1f3d3 }, { 0x1f3e0, 0x1f3f0 },
	{ 0x1f3f4, 0x1f3f4 }, { 0x1f3f8, 0x1f43e }, { 0x1f440, 0x1f440 },
	{ 0x1f442, 0x1f4fc }, { 0x1f4ff, 0x1f53d }, { 0x1f54b, 0x1f54e },
	{ 0x1f550, 0x1f567 }, { 0x1f57a, 0x1f57a }, { 0x1f595, 0x1f596 },
	{ 0x1f5a4, 0x1f5a4 }, { 0x1f5fb, 0x1f64f }, { 0x1f680, 0x1f6c5 },
	{ 0x1f6cc, 0x1f6cc }, { 0x1f6d0, 0x1f6d2 }, { 0x1f6d5, 0x1f6df },
	{ 0x1f6eb, 0x1f6ec }, { 0x1f6f4, 0x1f6fc }, { 0x1f7e0, 0x1f7f0 },
	{ 0x1f90c, 0x1f93a }, { 0x1f93c, 0x1f945 }, { 0x1f947, 0x1f9ff },
	{ 0x1fa70, 0x1faf6 }, { 0x20000, 0x3fffd },
};

int
char_width(uint32_t code)
{
	size_t low = 0, high = ARRAY_LEN(wide);

	if (code < 0x300)
		return 1;
	if (is_combining(code))
		return 0;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (code > wide[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ARRAY_LEN(wide) && code >= wide[low].first ? 2 : 1;
}

int
text_width(const char *text)
{
	size_t len = strlen(text);
	int width = 0;

	while (len > 0) {
		uint32_t code;
		size_t n = utf8_decode(text, len, &code);

		width += n == 0 ? 1 : char_width(code);
		n += n == 0;
		text += n;
		len -= n;
	}
	return width;
}

char *
text_cut(char *out, size_t size, const char *text, int width, bool is_ascii)
{
	const char *mark = is_ascii ? "~" : "\xe2\x80\xa6";
	bool fits = text_width(text) <= width && strlen(text) < size;
	size_t len = strlen(text), at = 0;
	int used = 0;

	while (!fits && at < len) {
		uint32_t code;
		size_t n = utf8_decode(text + at, len - at, &code);
		int cells = n == 0 ? 1 : char_width(code);

		n += n == 0;
		if (used + cells > width - 1 || at + n + strlen(mark) >= size)
			break;
		used += cells;
		at += n;
	}
	snprintf(out, size, "%.*s%s", fits ? (int)len : (int)at, text,
		 fits || width < 1 ? "" : mark);
	return out;
}

size_t
text_line(const char *text, int width)
{
	size_t len = strlen(text), at = 0, blank = 0;
	int used = 0;

	while (at < len) {
		uint32_t code;
		size_t n = utf8_decode(text + at, len - at, &code);
		int cells = n == 0 ? 1 : char_width(code);

		if (text[at] == ' ')
			blank = at;
		if (used + cells > width && at > 0)
			return blank ? blank : at;
		used += cells;
		at += n + (n == 0);
	}
	return at;
}

char *
path_fit(char *out, size_t size, const char *path, int width, bool is_ascii)
{
	const char *mark = is_ascii ? "~" : "\xe2\x80\xa6", *tail = path;
	const char *last = strrchr(path, '/');
	const char *name = last ? last + 1 : path;

	while (tail && *tail && text_width(tail) + (tail > path) > width)
		tail = strchr(tail + 1, '/');
	if (tail && *tail) {
		snprintf(out, size, "%s%s", tail > path ? mark : "", tail);
		return out;
	}
	for (tail = name; *tail && text_width(tail) + (tail > name) > width;) {
		uint32_t code;
		size_t n = utf8_decode(tail, strlen(tail), &code);

		tail += n ? n : 1;
	}
	snprintf(out, size, "%s%s", tail > name && width > 0 ? mark : "", tail);
	return out;
}

char *
count_text(char *out, size_t size, uint64_t count)
{
	char digits[24], grouped[32];
	size_t n = (size_t)snprintf(digits, sizeof(digits), "%llu",
				    (unsigned long long)count);
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			grouped[at++] = ',';
		grouped[at++] = digits[i];
	}
	grouped[at] = '\0';
	snprintf(out, size, "%s", grouped);
	return out;
}

char *
share_text(char *out, size_t size, uint64_t part, uint64_t whole)
{
	uint64_t tenths;

	/* Only sums beyond 10^16 lose bits here, and none that show. */
	while (whole > UINT64_MAX / 2048 || part > UINT64_MAX / 2048) {
		whole >>= 1;
		part >>= 1;
	}
	if (whole == 0) {
		snprintf(out, size, "n/a");
		return out;
	}
	tenths = (part * 1000 + whole / 2) / whole;
	if (part > 0 && tenths == 0)
		snprintf(out, size, "<0.1 %%");
	else
		snprintf(out, size, "%llu.%llu %%",
			 (unsigned long long)(tenths / 10),
			 (unsigned long long)(tenths % 10));
	return out;
}

char *
count_brief(char *out, size_t size, uint64_t count)
{
	char digits[32];

	if (count < 100000)
		return count_text(out, size, count);
	count_text(digits, sizeof(digits),
		   count / (count < 10000000 ? 1000 : 1000000));
	snprintf(out, size, "%s%c", digits, count < 10000000 ? 'k' : 'M');
	return out;
}
