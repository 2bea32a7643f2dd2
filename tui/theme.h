/* SPDX-License-Identifier: MIT */
/*
 * theme.h - theme files: how each style looks.
 *
 * A line is "style foreground background [bold] [underline] [reverse]";
 * colours are "default", #rrggbb, one of the 16 names or a number 0-255, and
 * "#ffd7af/yellow" also says what a terminal of 16 colours gets. '#' before a
 * blank begins a comment. A style that is not given is as in the default
 * theme. Both colours are set or both are default: one alone is unreadable
 * on somebody's terminal. Themes in themes/ are built in; one of the same
 * name in $XDG_CONFIG_HOME/flametop/themes/ wins (read by app/).
 */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "tui/style.h"

#define COLOUR_DEFAULT (-1)

struct look {
	int32_t fg, bg;		/* 0xrrggbb or COLOUR_DEFAULT */
	int16_t fg16, bg16;	/* one of 16 for poor terminals, or default */
	bool is_bold, is_underlined, is_reversed;
	bool is_on_white;	/* its theme is for light terminals */
};

struct theme {
	char name[32];
	struct look looks[STYLE_COUNT];
};

/* The built-in theme NAME; NULL if there is none. */
const char *theme_builtin(const char *name, size_t *len);
const char *theme_builtin_name(size_t i);	/* NULL past the last */

/* Read LEN bytes of a theme file; ERR names the line. */
bool theme_parse(const char *text, size_t len, const char *name,
		 struct theme *out, struct error *err);

/* No style has colours: a theme for terminals without them. */
bool theme_is_mono(const struct theme *theme);

/* The nearest of the 256 (6x6x6 cube and greys) and of the 16 colours. */
int colour_256(int32_t rgb);
int colour_16(int32_t rgb);

/* 0xrrggbb of colour number 0-255, as xterm has it. */
int32_t colour_rgb(int number);

/*
 * BG (of the 256) one step lighter or darker, for CELL_ODD; and without its
 * colour and nearer to a dark ground or to a white one, for CELL_DIM.
 */
int colour_odd(int bg);
int colour_dim(int bg);
int colour_pale(int bg);

/* Black (16) or white (231), whichever is easier to read on BG. */
int colour_on(int bg);

/* Contrast of two colours by WCAG 2.1, 1.0 … 21.0. */
double colour_contrast(int32_t a, int32_t b);

#endif
