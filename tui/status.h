/* SPDX-License-Identifier: MIT */
/*
 * status.h - the lines around a view: header, tabs, details, health, hints.
 *
 * Each line is made of pieces. Where they do not fit, the least important
 * pieces get shorter, then go.
 */
#ifndef TUI_STATUS_H
#define TUI_STATUS_H

#include <stddef.h>

#include "tui/canvas.h"
#include "tui/keymap.h"
#include "tui/tally.h"
#include "tui/view.h"

/* All draw one line at Y, over the whole width. */
void status_header(const struct scene *scene, struct canvas *canvas, int y);
void status_tabs(const struct scene *scene, const struct view_ops *const *views,
		 size_t count, size_t current, struct canvas *canvas, int y);
void status_health(const struct scene *scene, struct canvas *canvas, int y);

/* The keys that are of use now; HINTS are the view's own, or NULL. */
void status_hints(const struct scene *scene, const struct keymap *keymap,
		  const struct hint *hints, struct canvas *canvas, int y);

/* What is under the cursor: its names, and its weights. */
void status_names(const struct scene *scene, const struct focus *focus,
		  struct canvas *canvas, int y);
void status_weights(const struct scene *scene, const struct focus *focus,
		    struct canvas *canvas, int y);

/*
 * The search in force: pattern, hits, shares, and the keys that lead on. TALLY
 * is what it has found.
 */
void status_search(const struct scene *scene, const struct focus *focus,
		   const struct tally *tally, const struct keymap *keymap,
		   struct canvas *canvas, int y);

/* "n N next  & list  \ filter", the first of it if IS_BRIEF, into OUT. */
char *status_search_keys(const struct keymap *keymap, bool is_brief, char *out,
			 size_t size);

/* Hits of the search alone, as text into OUT, which is returned. */
char *status_hits(const struct scene *scene, const struct focus *focus,
		  const struct tally *tally, char *out, size_t size,
		  bool is_ascii);

/* What weights count, "samples"; NULL: microseconds. */
const char *status_unit(const struct scene *scene);

/* What a zoom to FUNC is called, "serve"; FUNC_NONE: "view". Into OUT. */
char *status_zoom_name(const struct scene *scene, func_id func, char *out,
		       size_t size, bool is_ascii);

/* Why there is nothing to show; NULL if there is something. */
const char *status_nothing(const struct scene *scene);

#endif
