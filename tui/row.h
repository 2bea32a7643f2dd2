/* SPDX-License-Identifier: MIT */
/*
 * row.h - a row of columns: shares, counts, bars and names.
 */
#ifndef TUI_ROW_H
#define TUI_ROW_H

#include <stdint.h>

#include "tui/canvas.h"

#define ROW_SHARE 7		/* cells of "100.0 %" */
#define ROW_COUNT 11		/* of "234,567,890" */
#define ROW_BAR 10

/* Where on CANVAS, and how what follows looks. */
struct row {
	struct canvas *canvas;
	int x, y, width;
	enum style style;
	unsigned flags;
};

/* Blank, in its style. */
void row_fill(const struct row *row);

/* TEXT at the left or right end of the WIDTH cells from column X; clipped. */
void row_left(const struct row *row, int x, int width, const char *text);
void row_right(const struct row *row, int x, int width, const char *text);

/* PART of WHOLE as per cent, at the right end of ROW_SHARE cells. */
void row_share(const struct row *row, int x, uint64_t part, uint64_t whole);

/* The same as a bar of at most ROW_BAR cells, in eighths; none in ASCII. */
void row_bar(const struct row *row, int x, uint64_t part, uint64_t whole);

#endif
