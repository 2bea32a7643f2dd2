/* SPDX-License-Identifier: MIT */
/*
 * offers.c - how what is typed could go on.
 */
#include "tui/offers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/text.h"

#define GAP 2

void
offers_set(struct offers *offers, const char *const *names, size_t count,
	   size_t total)
{
	offers_clear(offers);
	offers->names = xcalloc(count + 1, sizeof(*offers->names));
	for (size_t i = 0; i < count; i++)
		offers->names[i] = xstrdup(names[i]);
	offers->count = count;
	offers->total = total;
}

void
offers_clear(struct offers *offers)
{
	for (size_t i = 0; i < offers->count; i++)
		free(offers->names[i]);
	free(offers->names);
	*offers = (struct offers){ 0 };
}

char *
offers_common(const char *const *names, size_t count, char *out, size_t size)
{
	size_t len = strlen(names[0]);

	for (size_t i = 1; i < count; i++)
		while (strncmp(names[0], names[i], len) != 0)
			len--;
	while (len > 0 && (names[0][len] & 0xc0) == 0x80)
		len--;		/* no half of a character */
	snprintf(out, size, "%.*s", (int)len, names[0]);
	return out;
}

static int
column_width(const struct offers *offers, int width)
{
	int widest = 12;	/* of "and 123 more" */

	for (size_t i = 0; i < offers->count; i++) {
		int cells = text_width(offers->names[i]);

		widest = cells > widest ? cells : widest;
	}
	return widest + GAP < width ? widest + GAP : width;
}

static void
draw_cell(const struct offers *offers, size_t i, size_t shown,
	  struct canvas *canvas, struct rect cell)
{
	char text[256];

	if (i >= shown && offers->total > shown)
		snprintf(text, sizeof(text), "and %zu more",
			 offers->total - shown);
	else if (i < shown)
		text_cut(text, sizeof(text), offers->names[i], cell.width,
			 canvas_is_ascii(canvas));
	else
		return;
	canvas_text(canvas, cell.x, cell.y, cell.width, text, STYLE_PROMPT,
		    0);
}

void
offers_draw(const struct offers *offers, struct canvas *canvas,
	    struct rect area)
{
	int width = column_width(offers, area.width), columns, rows;
	size_t room, shown = offers->count, cells;

	if (offers->count == 0 || area.height < 1 || area.width < 1)
		return;
	columns = area.width / width;
	room = (size_t)columns * (size_t)area.height;
	cells = shown + (offers->total > shown);
	if (cells > room) {
		shown = room - 1;
		cells = room;
	}
	rows = (int)((cells + (size_t)columns - 1) / (size_t)columns);
	area.y += area.height - rows;
	area.height = rows;
	canvas_fill(canvas, area, STYLE_PROMPT, 0);
	for (size_t i = 0; i < cells; i++)
		draw_cell(offers, i, shown, canvas, (struct rect){
			area.x + (int)(i % (size_t)columns) * width,
			area.y + (int)(i / (size_t)columns), width - GAP,
			1 });
}
