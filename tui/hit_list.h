/* SPDX-License-Identifier: MIT */
/*
 * hit_list.h - the functions that a search has found, to go to one of them.
 *
 *	found by /mem:
 *	of view  of all  frames  function
 *	 12.4 %   8.1 %       3  memcpy
 *
 * Only what is below the zoom, as "n" goes through; shares count recursion
 * once. Counted at most once a second and not while keys are pressed.
 */
#ifndef TUI_HIT_LIST_H
#define TUI_HIT_LIST_H

#include "tui/canvas.h"
#include "tui/list.h"
#include "tui/view.h"

struct hit_list;

/* Of SCENE's search, which is on, below TOP; it can be chosen from at once. */
struct hit_list *hit_list_new(const struct scene *scene, node_id top);
void hit_list_free(struct hit_list *hits);

enum list_answer hit_list_key(struct hit_list *hits, uint32_t key);

/* What the cursor is on: a function and its heaviest frame. */
struct hit {
	func_id func;
	node_id node;
};
struct hit hit_list_current(const struct hit_list *hits);

/* Of what is below TOP, as it is now: nodes may have been merged. */
void hit_list_draw(struct hit_list *hits, const struct scene *scene,
		   node_id top, struct canvas *canvas, struct rect area);

#endif
