/* SPDX-License-Identifier: MIT */
/*
 * paint.h - what a theme's look becomes on a terminal of so many colours.
 *
 * Pure, so that a test can read every cell that any theme can make on any
 * terminal: the text must have a contrast of 4.5:1 in all of them.
 */
#ifndef TUI_PAINT_H
#define TUI_PAINT_H

#include <stdbool.h>

#include "tui/theme.h"

/* A look as it is, for every second neighbour, and for what is no hit. */
enum paint_variant { PAINT_PLAIN, PAINT_ODD, PAINT_DIM, PAINT_VARIANTS };

struct paint {
	int fg, bg;		/* numbers of the terminal's, or COLOUR_DEFAULT */
	bool is_bold, is_underlined, is_reversed;
	bool is_never_bold;	/* black of few colours would turn grey */
};

/* COLOURS: 256, 16, 8 or 0. Of eight, the bright ones are bold text. */
struct paint paint_of(const struct look *look, enum paint_variant variant,
		      int colours);

#endif
