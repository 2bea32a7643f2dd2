/* SPDX-License-Identifier: MIT */
/*
 * canvas.h - a grid of styled cells; what views draw on.
 *
 * Everything is clipped: drawing outside is legal and does nothing. A wide
 * character owns two cells; half of one is never left over. The canvas is the
 * last place where text is checked: a character that may not go to a terminal
 * (core/sanitise.h) becomes U+FFFD, or '?' when the canvas is ASCII.
 *
 * A test compares canvases as text; the terminal shows them (tui/term.h).
 */
#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/style.h"

/* So many combining marks may follow a base character. */
#define CELL_MARKS 2

struct cell_char {
	uint32_t base;		/* 0: second half of a wide character */
	uint32_t marks[CELL_MARKS];
	uint8_t style;		/* enum style */
	uint8_t flags;		/* enum cell_flag */
};

struct rect {
	int x, y, width, height;
};

struct canvas;

/* Blank, in STYLE_TEXT. IS_ASCII: only U+0020 … U+007E are drawn. */
struct canvas *canvas_new(int width, int height, bool is_ascii);
void canvas_free(struct canvas *canvas);
void canvas_resize(struct canvas *canvas, int width, int height);
void canvas_clear(struct canvas *canvas);

int canvas_width(const struct canvas *canvas);
int canvas_height(const struct canvas *canvas);
bool canvas_is_ascii(const struct canvas *canvas);

/* Borrowed; (0,0) is top left; inside the canvas only. */
const struct cell_char *canvas_at(const struct canvas *canvas, int x, int y);

/* Fill with blanks of STYLE. */
void canvas_fill(struct canvas *canvas, struct rect area, enum style style,
		 unsigned flags);

/*
 * Draw UTF-8 TEXT from (X, Y), at most WIDTH cells, and return the cells
 * used. Stops before a character that does not fit whole.
 */
int canvas_text(struct canvas *canvas, int x, int y, int width,
		const char *text, enum style style, unsigned flags);
int canvas_printf(struct canvas *canvas, int x, int y, int width,
		  enum style style, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

/* Add FLAGS to WIDTH cells from (X, Y), leaving what they show. */
void canvas_mark(struct canvas *canvas, int x, int y, int width,
		 unsigned flags);

/*
 * The whole as UTF-8 lines without trailing blanks, for tests and --plain; the
 * caller frees. WITH_STYLES appends to each line its runs of styles as
 * " | 0-11 title, 12-40 text+bold".
 */
char *canvas_dump(const struct canvas *canvas, bool with_styles);

#endif
