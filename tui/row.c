/* SPDX-License-Identifier: MIT */
/*
 * row.c - a row of columns to cells.
 */
#include "tui/row.h"

#include "tui/text.h"

void
row_fill(const struct row *row)
{
	canvas_fill(row->canvas, (struct rect){ row->x, row->y, row->width,
						1 }, row->style, row->flags);
}

void
row_left(const struct row *row, int x, int width, const char *text)
{
	if (width > row->width - x)
		width = row->width - x;
	canvas_text(row->canvas, row->x + x, row->y, width, text, row->style,
		    row->flags);
}

void
row_right(const struct row *row, int x, int width, const char *text)
{
	int pad = width - text_width(text);

	if (pad < 0)
		pad = 0;
	row_left(row, x + pad, width, text);
}

void
row_share(const struct row *row, int x, uint64_t part, uint64_t whole)
{
	char text[32];

	row_right(row, x, ROW_SHARE,
		  share_text(text, sizeof(text), part, whole));
}

void
row_bar(const struct row *row, int x, uint64_t part, uint64_t whole)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌",
					       "▋", "▊", "▉" };
	unsigned parts = whole ? (unsigned)((unsigned __int128)part * ROW_BAR *
					    8 / whole) : 0;

	if (canvas_is_ascii(row->canvas))
		return;
	for (; parts >= 8; parts -= 8)
		row_left(row, x++, 1, "█");
	row_left(row, x, 1, eighths[parts]);
}
