/* SPDX-License-Identifier: MIT */
/*
 * view_help.h - the keys in force and what they do.
 *
 * Made from the action table and the keymap each time it is drawn, so it
 * cannot be out of date.
 */
#ifndef TUI_VIEW_HELP_H
#define TUI_VIEW_HELP_H

#include "tui/canvas.h"
#include "tui/keymap.h"

/*
 * Draw into AREA from line *TOP on; *TOP is brought back into range, so that
 * callers may just add to it.
 */
void view_help_draw(const struct keymap *keymap, long *top,
		    struct canvas *canvas, struct rect area);

#endif
