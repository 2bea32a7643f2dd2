/* SPDX-License-Identifier: MIT */
/*
 * screen.h - the terminal as flametop uses it: colours, keys and a canvas,
 * with the user's own files taken into account.
 */
#ifndef APP_SCREEN_H
#define APP_SCREEN_H

#include <stdbool.h>

#include "app/opener.h"
#include "app/options.h"
#include "app/supervisor.h"
#include "tui/canvas.h"
#include "tui/keymap.h"
#include "tui/theme.h"

struct screen {
	const struct options *options;
	struct shared *shared;		/* told that the terminal is ours */
	struct keymap *keymap;
	struct theme theme;
	struct canvas *canvas;
	char warning[480];		/* of a bad key or theme file; or "" */
};

/* Read themes and keys and take the terminal. */
bool screen_open(const struct options *options, struct shared *shared,
		 struct screen *screen, struct error *err);
void screen_close(struct screen *screen);

/* The theme NAME from now on, of the user's or built in; ERR lists those. */
bool screen_set_theme(struct screen *screen, struct opener *opener,
		      const char *name, struct error *err);

/* Give the terminal back for a while, and take it again. */
void screen_leave(struct screen *screen);
bool screen_return(struct screen *screen, struct error *err);

/* Fit the canvas to the terminal; true if its size has changed. */
bool screen_fit(struct screen *screen);

/* Can there be a screen at all? (--plain, dumb terminals, pipes: no) */
bool screen_is_possible(const struct options *options);

#endif
