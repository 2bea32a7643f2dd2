/* SPDX-License-Identifier: MIT */
/*
 * chips.h - the filters in force, on a line of their own.
 *
 *	last 5 s  focus serve -22.0 %  merge memcpy 3.1 %  kernel off
 *
 * A chip says what was left out and how much that was, of what there is under
 * the threads and the window chosen. A pattern that begins with a comment,
 * (?#name), is shown by that name. At the right end stands what percentages
 * are of, where that is not all.
 */
#ifndef TUI_CHIPS_H
#define TUI_CHIPS_H

#include "tui/canvas.h"
#include "tui/view.h"

/* Is anything left out or changed? */
bool chips_are_any(const struct scene *scene);

/* Then, or when percentages are of something else, there is a line. */
bool chips_are_shown(const struct scene *scene);

void chips_draw(const struct scene *scene, struct canvas *canvas, int y);

#endif
