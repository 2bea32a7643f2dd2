/* SPDX-License-Identifier: MIT */
/*
 * paint.c - what a theme's look becomes on a terminal of so many colours.
 *
 * Never by the attribute "dim": terminals show it as dark grey, or not at all.
 */
#include "tui/paint.h"

enum { BLACK = 0, WHITE = 7, BRIGHT = 8, GREY_TEXT = 247 };

/* A theme's own dark ground, which there is no darker one for. */
static bool
is_dark_ground(int bg)
{
	return bg >= 232 && bg <= 235;
}

static void
paint_256(struct paint *paint, const struct look *look,
	  enum paint_variant variant)
{
	if (look->fg == COLOUR_DEFAULT)
		return;
	paint->fg = colour_256(look->fg);
	paint->bg = colour_256(look->bg);
	if (variant == PAINT_ODD) {
		paint->bg = colour_odd(paint->bg);
	} else if (variant == PAINT_DIM && is_dark_ground(paint->bg)) {
		paint->fg = GREY_TEXT;
	} else if (variant == PAINT_DIM) {
		paint->bg = look->is_on_white ? colour_pale(paint->bg)
					      : colour_dim(paint->bg);
		paint->fg = colour_on(paint->bg);
	}
}

/* Neighbours are told apart by lines; what is no hit loses its colour. */
static void
paint_16(struct paint *paint, const struct look *look,
	 enum paint_variant variant, int colours)
{
	if (look->fg16 == COLOUR_DEFAULT)
		return;
	paint->fg = look->fg16;
	paint->bg = look->bg16;
	if (variant == PAINT_DIM && paint->bg != BLACK) {
		paint->fg = BLACK;
		paint->bg = WHITE;
	}
	paint->is_never_bold = paint->fg == BLACK;
	if (colours < 16 && paint->fg >= BRIGHT) {
		paint->is_bold = true;
		paint->fg -= BRIGHT;
	}
}

struct paint
paint_of(const struct look *look, enum paint_variant variant, int colours)
{
	struct paint paint = { .fg = COLOUR_DEFAULT, .bg = COLOUR_DEFAULT,
			       .is_underlined = look->is_underlined,
			       .is_reversed = look->is_reversed };

	if (colours >= 256)
		paint_256(&paint, look, variant);
	else if (colours)
		paint_16(&paint, look, variant, colours);
	else if (variant == PAINT_DIM)
		paint.is_reversed = false;
	if (look->is_bold && !paint.is_never_bold && variant != PAINT_DIM)
		paint.is_bold = true;
	return paint;
}
