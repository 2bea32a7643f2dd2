/* SPDX-License-Identifier: MIT */
/*
 * svg_text.c - names, counts and shares as text of an SVG file.
 */
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"
#include "formats/svg_private.h"

/* From here on a character may take two cells. */
#define WIDE 0x1100

static void
put_byte(FILE *file, char byte)
{
	switch (byte) {
	case '&':
		fputs("&amp;", file);
		break;
	case '<':
		fputs("&lt;", file);
		break;
	case '>':
		fputs("&gt;", file);
		break;
	case '"':
		fputs("&quot;", file);
		break;
	case '\'':
		fputs("&#39;", file);
		break;
	default:
		fputc(byte, file);
	}
}

static void
put_bytes(FILE *file, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		put_byte(file, text[i]);
}

void
svg_put_text(FILE *file, const char *text)
{
	put_bytes(file, text, strlen(text));
}

/* The bytes of TEXT, of LEN, that fit into CELLS; *USED tells how many do. */
static size_t
fitting(const char *text, size_t len, size_t cells, size_t *used)
{
	size_t at = 0;

	*used = 0;
	while (at < len) {
		uint32_t code = (unsigned char)text[at];
		size_t size = utf8_decode(text + at, len - at, &code);
		size_t width = is_combining(code) ? 0 : code < WIDE ? 1 : 2;

		if (*used + width > cells)
			break;
		*used += width;
		at += size ? size : 1;
	}
	return at;
}

size_t
svg_cells(const char *text)
{
	size_t cells;

	fitting(text, strlen(text), SIZE_MAX, &cells);
	return cells;
}

void
svg_put_label(FILE *file, const char *text, size_t cells)
{
	size_t len = strlen(text), used;

	if (cells == 0)
		return;
	if (fitting(text, len, cells, &used) == len) {
		put_bytes(file, text, len);
		return;
	}
	put_bytes(file, text, fitting(text, len, cells - 1, &used));
	fputs("…", file);
}

void
svg_put_foreign(FILE *file, const char *text, size_t cells)
{
	char *clean = sanitise(text, strlen(text));

	svg_put_label(file, clean, cells);
	free(clean);
}

char *
svg_count(char out[SVG_COUNT_SIZE], uint64_t weight, int scale)
{
	char digits[48];
	int len = snprintf(digits, sizeof(digits), "%0*llu",
			   scale > 0 ? scale + 1 : 1,
			   (unsigned long long)weight);
	int whole = scale > 0 ? len - scale : len, at = 0;

	for (; scale < 0 && weight; scale++)
		digits[len++] = '0', whole++;
	for (int i = 0; i < len; i++) {
		if (i == whole)
			out[at++] = '.';
		else if (i > 0 && i < whole && (whole - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
	return out;
}

double
svg_share(uint64_t part, uint64_t all)
{
	return all ? 100 * (double)part / (double)all : 0;
}
