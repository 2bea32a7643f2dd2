/* SPDX-License-Identifier: MIT */
/*
 * pieces.h - a line of pieces that gives way where it is narrow.
 */
#ifndef TUI_PIECES_H
#define TUI_PIECES_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/canvas.h"

#define PIECES_MAX 12

struct piece {
	char whole[512];
	char brief[128];	/* instead, where it is narrow; "": WHOLE */
	enum style style;
	unsigned flags;
	int rank;		/* higher ones shrink and go first */
	int pad, brief_pad;	/* cells each form takes at least, so that
				   what follows stays where it is */
	bool is_joined;		/* to the piece before: one cell between */
	bool is_right;		/* at the right end; only the last piece */
};

struct pieces {
	struct piece all[PIECES_MAX];
	size_t count;
	enum style ground;	/* style of the line between them */
};

/*
 * A new piece at the end, for the caller to refine; its texts are printed.
 * The pieces must be fewer than PIECES_MAX.
 */
struct piece *pieces_add(struct pieces *pieces, int rank, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void piece_brief(struct piece *piece, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Cells that the whole forms take. */
int pieces_width(const struct pieces *pieces);

/* Draw them on line Y, two cells apart unless they are joined. */
void pieces_draw(struct pieces *pieces, struct canvas *canvas, int y);

#endif
