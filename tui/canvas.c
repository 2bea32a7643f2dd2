/* SPDX-License-Identifier: MIT */
/*
 * canvas.c - a grid of styled cells.
 */
#include "tui/canvas.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/sanitise.h"
#include "tui/text.h"

#define REPLACEMENT 0xfffd

struct canvas {
	int width, height;
	bool is_ascii;
	struct cell_char *cells;	/* row after row */
};

static const struct cell_char blank = { .base = ' ', .style = STYLE_TEXT };

struct canvas *
canvas_new(int width, int height, bool is_ascii)
{
	struct canvas *canvas = xcalloc(1, sizeof(*canvas));

	canvas->is_ascii = is_ascii;
	canvas_resize(canvas, width, height);
	return canvas;
}

void
canvas_free(struct canvas *canvas)
{
	if (!canvas)
		return;
	free(canvas->cells);
	free(canvas);
}

void
canvas_resize(struct canvas *canvas, int width, int height)
{
	canvas->width = width > 0 ? width : 0;
	canvas->height = height > 0 ? height : 0;
	canvas->cells = xreallocarray(
		canvas->cells, (size_t)canvas->width * (size_t)canvas->height,
		sizeof(*canvas->cells));
	canvas_clear(canvas);
}

void
canvas_clear(struct canvas *canvas)
{
	size_t count = (size_t)canvas->width * (size_t)canvas->height;

	for (size_t i = 0; i < count; i++)
		canvas->cells[i] = blank;
}

int
canvas_width(const struct canvas *canvas)
{
	return canvas->width;
}

int
canvas_height(const struct canvas *canvas)
{
	return canvas->height;
}

bool
canvas_is_ascii(const struct canvas *canvas)
{
	return canvas->is_ascii;
}

static struct cell_char *
cell(struct canvas *canvas, int x, int y)
{
	return &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];
}

const struct cell_char *
canvas_at(const struct canvas *canvas, int x, int y)
{
	assert(x >= 0 && x < canvas->width && y >= 0 && y < canvas->height);
	return &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];
}

/* Whoever loses half of a wide character keeps a blank of its style. */
static void
make_blank(struct cell_char *c)
{
	c->base = ' ';
	memset(c->marks, 0, sizeof(c->marks));
}

/* Cells [X, X + WIDTH) are about to be overwritten: no half may be left. */
static void
split(struct canvas *canvas, int x, int y, int width)
{
	if (x > 0 && cell(canvas, x, y)->base == 0)
		make_blank(cell(canvas, x - 1, y));
	if (x + width < canvas->width &&
	    cell(canvas, x + width, y)->base == 0)
		make_blank(cell(canvas, x + width, y));
}

void
canvas_fill(struct canvas *canvas, struct rect area, enum style style,
	    unsigned flags)
{
	struct cell_char fill = { .base = ' ', .style = (uint8_t)style,
				  .flags = (uint8_t)flags };
	long right = (long)area.x + area.width;
	long bottom = (long)area.y + area.height;
	int left = area.x > 0 ? area.x : 0, top = area.y > 0 ? area.y : 0;

	right = right < canvas->width ? right : canvas->width;
	bottom = bottom < canvas->height ? bottom : canvas->height;
	for (int y = top; y < bottom && left < right; y++) {
		split(canvas, left, y, (int)right - left);
		for (int x = left; x < right; x++)
			*cell(canvas, x, y) = fill;
	}
}

/* The character that is drawn for CODE; always as wide as CODE. */
static uint32_t
drawable(const struct canvas *canvas, uint32_t code)
{
	if (code >= 0x20 && code < 0x7f)
		return code;
	if (canvas->is_ascii)
		return '?';
	if (!is_visible(code))
		return REPLACEMENT;
	return code;
}

static void
put(struct canvas *canvas, int x, int y, int width, uint32_t code,
    struct cell_char look)
{
	split(canvas, x, y, width);
	look.base = drawable(canvas, code);
	*cell(canvas, x, y) = look;
	if (width < 2)
		return;
	/* '?' and U+FFFD are narrow: a wide one that may not go becomes two */
	if (look.base == code)
		look.base = 0;
	*cell(canvas, x + 1, y) = look;
}

static void
add_mark(struct canvas *canvas, int x, int y, uint32_t code)
{
	struct cell_char *c = cell(canvas, x, y);

	if (canvas->is_ascii)
		return;
	for (int i = 0; i < CELL_MARKS; i++) {
		if (c->marks[i])
			continue;
		c->marks[i] = code;
		return;
	}
}

int
canvas_text(struct canvas *canvas, int x, int y, int width, const char *text,
	    enum style style, unsigned flags)
{
	struct cell_char look = { .style = (uint8_t)style,
				  .flags = (uint8_t)flags };
	size_t len = strlen(text);
	int used = 0, last = -1;	/* LAST: where the last base stands */

	if (y < 0 || y >= canvas->height || x >= canvas->width)
		return 0;
	while (len > 0) {
		uint32_t code;
		size_t n = utf8_decode(text, len, &code);
		int wide;

		if (n == 0) {
			code = REPLACEMENT;
			n = 1;
		}
		wide = char_width(code);
		if (used + wide > width || x + used + wide > canvas->width)
			break;
		if (wide == 0 && last >= 0) {
			add_mark(canvas, last, y, code);
		} else if (wide > 0 && x + used >= 0) {
			last = x + used;
			put(canvas, last, y, wide, code, look);
		} else if (wide > 0) {
			last = -1;	/* left of the canvas */
			if (x + used + wide > 0)	/* sticks in by half */
				put(canvas, 0, y, 1, ' ', look);
		}
		used += wide;
		text += n;
		len -= n;
	}
	return used;
}

int
canvas_printf(struct canvas *canvas, int x, int y, int width, enum style style,
	      const char *fmt, ...)
{
	char text[4096];	/* more than the widest screen shows */
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return canvas_text(canvas, x, y, width, text, style, 0);
}

void
canvas_mark(struct canvas *canvas, int x, int y, int width, unsigned flags)
{
	long right = (long)x + width;

	if (y < 0 || y >= canvas->height)
		return;
	right = right < canvas->width ? right : canvas->width;
	for (int i = x > 0 ? x : 0; i < right; i++)
		cell(canvas, i, y)->flags |= (uint8_t)flags;
}

static void
dump_chars(const struct canvas *canvas, int y, FILE *out)
{
	int end = canvas->width;

	while (end > 0 && canvas_at(canvas, end - 1, y)->base == ' ')
		end--;
	for (int x = 0; x < end; x++) {
		const struct cell_char *c = canvas_at(canvas, x, y);
		char bytes[4];

		if (c->base == 0)
			continue;
		fwrite(bytes, 1, utf8_encode(c->base, bytes), out);
		for (int i = 0; i < CELL_MARKS && c->marks[i]; i++)
			fwrite(bytes, 1, utf8_encode(c->marks[i], bytes), out);
	}
}

static void
dump_styles(const struct canvas *canvas, int y, FILE *out)
{
	static const char *const flags[] = { "bold", "underline", "dim",
					     "odd" };
	const char *before = " | ";

	for (int x = 0, end; x < canvas->width; x = end) {
		const struct cell_char *c = canvas_at(canvas, x, y), *next;

		for (end = x + 1; end < canvas->width; end++) {
			next = canvas_at(canvas, end, y);
			if (next->style != c->style || next->flags != c->flags)
				break;
		}
		fprintf(out, "%s%d-%d %s", before, x, end - 1,
			style_words[c->style]);
		for (size_t i = 0; i < ARRAY_LEN(flags); i++)
			if (c->flags & 1u << i)
				fprintf(out, "+%s", flags[i]);
		before = ", ";
	}
}

char *
canvas_dump(const struct canvas *canvas, bool with_styles)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return xstrdup("");
	for (int y = 0; y < canvas->height; y++) {
		dump_chars(canvas, y, out);
		if (with_styles)
			dump_styles(canvas, y, out);
		fputc('\n', out);
	}
	if (fclose(out) != 0)
		abort();	/* only memory can fail here */
	return text;
}
