/* SPDX-License-Identifier: MIT */
/*
 * flame.h - the flame view's state, for its own files only.
 *
 *	view_flame.c	settling, focus, and what the shell calls
 *	flame_keys.c	cursor and zoom moves
 *	flame_reveal.c	to a hit, or what another view was about
 *	flame_range.c	marking frames side by side, and what a zoom to them is
 *	flame_turn.c	from the graph to its inverse, and back
 *	flame_chains.c	opening and folding chains of calls
 *	flame_mouse.c	clicks
 *	flame_map.c	the whole graph in one line
 *	bin_list.c	the frames of a bin as rows, instead of the graph
 *	flame_draw.c	boxes to cells
 *
 * On screen, from the top: the callers of what is zoomed to (one row each, or
 * all in one line when there are many), then the layout's rows.
 *
 * Or, flipped, from the bottom. "Above" and "below" are as in a picture that is
 * not.
 *
 *	all › main › serve › … › handle		crumbs
 *	|parse                      |eval   |	row 0 of the layout: the zoom
 *	|read        |lex  |+|      |       |
 */
#ifndef TUI_FLAME_H
#define TUI_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/bin_list.h"
#include "tui/hits.h"
#include "tui/layout.h"
#include "tui/view.h"
#include "tui/zoom.h"

/* More callers than this share one line. */
#define CRUMB_ROWS 5

/* Frames, or a bin, that are marked; while they stand side by side. */
struct flame_range {
	bool is_on;
	struct place from, to;
};

/* Functions on the way from the root to a frame. */
struct flame_path {
	func_id *funcs;		/* NULL: no frame */
	size_t depth;
};

/* Of a graph that is about to be inverted, or has been. */
struct flame_turn {
	bool is_on;
	struct flame_path here;	/* while it is: to what is zoomed to */
	func_id cursor;		/* and what the cursor is on */
	struct flame_path back;	/* when it has been: where the zoom was */
	node_id made;		/* where it is instead; 0: nowhere */
};

struct flame {
	struct layout layout;
	struct layout map;	/* of the whole graph, while zoomed */
	int map_rows;		/* lines it has above all else: 0 or 1 */
	struct zooms zooms;
	struct hits hits;
	struct bin_list list;	/* of the bin under the cursor */
	struct place cursor;
	struct place deepest;	/* where Down leads, after Up */
	struct node_set open;	/* calls that are not to be folded */
	struct chain_rule chains; /* which are, as of the last settling; TREE
				   is NULL if none is */
	bool wants_folds;	/* fold what had rows of its own, once */
	int width, height;	/* of the area, as last laid out */
	int scroll;		/* rows above the first shown */
	int page;		/* rows shown */
	bool has_more;		/* there are rows further in */
	bool is_flipped;	/* the root at the bottom */
	bool is_passive;	/* the cursor is in another picture */
	bool has_callers_below;	/* what a frame has left is not its own time */
	int skip;		/* rows at the root that are never shown */
	uint32_t unfolded;	/* depth down to which no calls are folded */
	unsigned cut;		/* as in the last layout */
	int reach;		/* rows to lay out at least */
	unsigned counts;	/* whose LAYOUT is of (change_counts()), */
	unsigned map_counts;	/* and MAP */
	bool wants_fresh;	/* order by size, round all edges */
	struct flame_range range;
	struct flame_turn turn;
	bool zoom_is_search;	/* the last zoom was made to show a hit */
	unsigned hit;		/* the cursor's rank among hits */
	const char *notice;
};

/* Make everything agree with SCENE, for the size of the last layout. */
void flame_settle(struct flame *flame, const struct scene *scene);

/* Callers of the zoomed frame, and the rows they take. */
int flame_callers(const struct flame *flame, const struct calltree *tree);
int flame_crumb_rows(const struct flame *flame, const struct calltree *tree);

/* Rows of the layout that there is something on. */
int flame_rows(const struct flame *flame);

/* The first row that is shown when nothing is scrolled away. */
int flame_first_row(const struct flame *flame);

/* The zoom that the user chose, whatever a search has made of it. */
const struct zoom *flame_chosen_zoom(const struct flame *flame);

/* The ancestor of BELOW, or BELOW itself, that is a child of NODE. */
node_id flame_towards(const struct calltree *tree, node_id node,
		      node_id below);

/* Is NODE in the picture of the zoom, or one of its callers? */
bool flame_reaches(const struct flame *flame, const struct calltree *tree,
		   node_id node);

/* Which calls may be folded, in SCENE (flame_chains.c). */
void flame_settle_chains(struct flame *flame, const struct scene *scene);

/* The node that the cursor is on, on the row of NODE: the last of a chain. */
node_id flame_row_end(const struct flame *flame, node_id node);

/* NODE is to have a row of its own, and so are those of its chain. */
void flame_open_chain(struct flame *flame, const struct calltree *tree,
		      node_id node);

/* The chain under the cursor; or say that there is none. */
void flame_unfold(struct flame *flame, const struct calltree *tree);
void flame_fold(struct flame *flame, const struct calltree *tree);

/* Put the cursor on PLACE and remember how far down it has been. */
void flame_put(struct flame *flame, const struct calltree *tree,
	       struct place place);

/* Undo the last zoom; false when there is none. */
bool flame_zoom_out(struct flame *flame);

/* To the next hit of the search, or the one before; or say why not. */
void flame_go_to_hit(struct flame *flame, const struct scene *scene,
		     bool is_back);

/* Mark one more beside the cursor, to the right if STEP is 1, left if -1. */
void flame_mark(struct flame *flame, const struct calltree *tree, int step);

bool flame_is_marked(const struct flame *flame, uint32_t box);

/* How many frames are, what they weigh, and whose children they are; or 0. */
unsigned flame_marked(const struct flame *flame, uint64_t *weight,
		      node_id *parent);

/* A zoom to a bin, a box; to what is marked, false: to less than two boxes. */
struct zoom flame_zoom_of_bin(const struct flame *flame, uint32_t bin);
bool flame_zoom_of_marked(const struct flame *flame, struct zoom *zoom);

/* As view_ops; and forget where the zoom was. */
void flame_before_turn(void *state, const struct scene *scene);
void flame_after_turn(void *state, const struct scene *scene);
void flame_forget_turn(struct flame *flame);

/* The box under the cursor; BOX_NONE on a caller of the zoomed frame. */
uint32_t flame_cursor_box(const struct flame *flame,
			  const struct calltree *tree);

/* Lines for a map of the whole graph, in a view of HEIGHT (flame_map.c). */
int flame_map_rows(const struct flame *flame, int height);
void flame_map_layout(struct flame *flame, const struct scene *scene);
void flame_map_draw(const struct flame *flame, const struct scene *scene,
		    struct canvas *canvas, struct rect area);

/* As view_ops. */
void flame_draw(const void *state, const struct scene *scene,
		struct canvas *canvas, struct rect area);
bool flame_act(void *state, const struct scene *scene, enum action action);
bool flame_click(void *state, const struct scene *scene, int x, int y);
bool flame_drag(void *state, const struct scene *scene, int x);
void flame_go(void *state, const struct scene *scene, node_id node);
void flame_show(void *state, const struct scene *scene, func_id func);

#endif
