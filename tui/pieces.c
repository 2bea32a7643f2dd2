/* SPDX-License-Identifier: MIT */
/*
 * pieces.c - a line of pieces that gives way where it is narrow.
 */
#include "tui/pieces.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tui/text.h"

#define GAP 2

struct piece *
pieces_add(struct pieces *pieces, int rank, const char *fmt, ...)
{
	struct piece *piece = &pieces->all[pieces->count++];
	va_list args;

	assert(pieces->count <= PIECES_MAX);
	memset(piece, 0, sizeof(*piece));
	piece->rank = rank;
	piece->style = pieces->ground;
	va_start(args, fmt);
	vsnprintf(piece->whole, sizeof(piece->whole), fmt, args);
	va_end(args);
	return piece;
}

void
piece_brief(struct piece *piece, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(piece->brief, sizeof(piece->brief), fmt, args);
	va_end(args);
}

static int
width_of(const struct piece *piece)
{
	int width = text_width(piece->whole);

	return width > piece->pad ? width : piece->pad;
}

static int
gap_before(const struct piece *piece)
{
	return piece->is_joined ? 1 : GAP;
}

int
pieces_width(const struct pieces *pieces)
{
	int width = 0;

	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *p = &pieces->all[i];

		if (p->whole[0])
			width += width_of(p) + (width ? gap_before(p) : 0);
	}
	return width;
}

/* The least important piece that is there and, if so asked, has a brief. */
static struct piece *
weakest(struct pieces *pieces, bool has_brief)
{
	struct piece *found = NULL;

	for (size_t i = 0; i < pieces->count; i++) {
		struct piece *p = &pieces->all[i];

		if (p->whole[0] && (!has_brief || p->brief[0]) &&
		    (!found || p->rank > found->rank))
			found = p;
	}
	return found;
}

/* Shorten, then drop; the last one left stays and is clipped. */
static void
fit(struct pieces *pieces, int width)
{
	struct piece *p;

	while (pieces_width(pieces) > width) {
		p = weakest(pieces, true);
		if (p) {
			strcpy(p->whole, p->brief);
			p->pad = p->brief_pad;
			p->brief[0] = '\0';
			continue;
		}
		p = weakest(pieces, false);
		if (!p || pieces_width(pieces) == width_of(p))
			return;
		p->whole[0] = '\0';
	}
}

/*
 * A piece that is joined follows the text before it; the cells that both need
 * at least come after them.
 */
void
pieces_draw(struct pieces *pieces, struct canvas *canvas, int y)
{
	int width = canvas_width(canvas), column = 0, end = 0;

	canvas_fill(canvas, (struct rect){ 0, y, width, 1 }, pieces->ground,
		    0);
	fit(pieces, width);
	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *p = &pieces->all[i];
		int gap = column > 0 ? gap_before(p) : 0;
		int x = (p->is_joined ? end : column) + gap;

		if (!p->whole[0])
			continue;
		column += gap + width_of(p);
		if (p->is_right && width - text_width(p->whole) > x)
			x = width - text_width(p->whole);
		end = x + canvas_text(canvas, x, y, width - x, p->whole,
				      p->style, p->flags);
	}
}
