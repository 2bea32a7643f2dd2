/* SPDX-License-Identifier: MIT */
/*
 * view.h - the interface every screen fills, and what it may look at.
 *
 * A view keeps its own state and draws on a canvas from const: a view that
 * wants to change the model while drawing does not compile. layout() comes
 * before draw() and is the place where a view settles order, edges and
 * scrolling for the model as it is now.
 */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/picture.h"
#include "tui/action.h"
#include "tui/canvas.h"
#include "tui/search.h"

/* What the session knows about itself; shown in header and health line. */
struct health {
	char target[96];	/* "redis-server 4242", "a.folded" */
	char state[64];		/* "", "ended: exit status 0" */
	char event[32];		/* "cpu-clock" */
	char note[480];		/* what is missing; or "" */
	double hz_wanted, hz_got;	/* below 0: n/a, as for a file */
	double own_cpu;		/* per cent of one core; below 0: n/a */
	bool is_stopping;	/* threads are stopped for their samples, */
	double stopped;		/* so many per cent of the time */
	unsigned threads_seen, threads_total;	/* both 0: n/a */
	double seconds;		/* of sampling; below 0: n/a */
	char clock[16];		/* "14:02:11", given so that tests can fix it */
	struct losses losses;
	bool is_live;		/* false: a file */
	bool is_suspended;	/* stopped by a signal: it cannot run */
	bool is_frozen;
	char baseline[176];	/* what is compared with what; or "" */
	bool knows_losses;	/* false: a file that does not say */
	uint64_t waiting;	/* samples held back while frozen */
};

struct threads_now;	/* tui/threads.h */

/* What percentages are of (tui/shares.h). */
enum shares {
	SHARES_OF_VIEW,		/* of what filters and zoom show */
	SHARES_OF_ALL,		/* of all that was counted */
	SHARES_OF_PARENT,	/* of what calls it, or the frame above */
	SHARES_COUNT
};

/*
 * Everything a view draws from. Made anew by the session for each call; the
 * pointers are borrowed.
 */
struct scene {
	const struct picture *picture;
	const struct names *names;
	const struct profile *profile;
	const struct health *health;
	const struct search *search;	/* never NULL; may be empty */
	uint64_t now_ns;		/* monotonic; tests set it */
	uint64_t key_ns;		/* when a key was last pressed */
	const struct frame_place *place; /* in the source, of what the focus
					   was on last; NULL: not known */
	node_id placed_node;
	func_id placed_func;
	const struct picture *above, *below;	/* of PIVOT: its callers, and
					   what it calls; NULL: nobody asked */
	func_id pivot;
	const struct threads_now *threads_now;	/* NULL: a file */
	bool has_no_chains;		/* each call has a row of its own */
	enum shares shares;
	bool has_few_colours;		/* 16 or none: frames need a line to be
					   told apart */
};

/* Order waits so long after a key: nobody likes a list that moves away. */
#define HOLD_NS UINT64_C(1000000000)

/* Has a key been pressed just now? */
static inline bool
scene_is_held(const struct scene *scene)
{
	return scene->key_ns && scene->key_ns <= scene->now_ns &&
	       scene->now_ns - scene->key_ns < HOLD_NS;
}

/* A weight on both sides of a comparison, and what it is a share of. */
struct both {
	struct totals counts, all;
};

/* What is under a view's cursor, for detail lines and other views. */
struct focus {
	node_id node;		/* NODE_NONE if the view shows no nodes */
	func_id func;		/* FUNC_NONE if there is none */
	uint64_t self, total;	/* of the side that is drawn */
	uint64_t parent;	/* what the frame above weighs; 0: none is */
	bool is_zoomed;		/* it is part of a zoom; then */
	uint64_t view;		/* what that adds up to, and */
	func_id view_func;	/* whose it is; FUNC_NONE: no function's */
	struct both both;	/* of TOTAL, while there is a baseline */
	unsigned places;	/* nodes of FUNC; the screen fills it in */
	unsigned hidden;	/* frames in a bin; 0: not a bin */
	bool is_marked;		/* HIDDEN is of frames that were marked */
	unsigned links;		/* calls folded into one, NODE the last */
	bool has_no_self;	/* callers are below: SELF is not its own time */
	node_id top;		/* root of what the view shows (the zoom) */
	unsigned hit;		/* cursor is on so manieth hit; 0: on none */
	const char *notice;	/* what the last action has to say ("search
				   began again at the top"), or NULL; static */
};

/* A key on the last line, and what it does here, "zoom". */
struct hint {
	enum action action, other;	/* OTHER: a second key, or NONE */
	const char *word;
};

struct view_ops {
	const char *name;	/* tab label; also its section in keymaps */
	char digit;		/* the key that leads to it, on its tab */
	bool has_widths;	/* frames are as wide as their share */
	const struct hint *hints; /* its own keys, the first ones first; ends
				   with ACTION_NONE */
	size_t state_size;	/* zeroed state handed to every call below */

	/* Settle everything for an area of WIDTH x HEIGHT cells. */
	void (*layout)(void *state, const struct scene *scene, int width,
		       int height);

	/* Draw into AREA (of the size last laid out). */
	void (*draw)(const void *state, const struct scene *scene,
		     struct canvas *canvas, struct rect area);

	/* Carry out ACTION; false hands it on to the application. */
	bool (*act)(void *state, const struct scene *scene,
		    enum action action);

	/*
	 * A click at (X, Y) of the area last laid out puts the cursor there.
	 * True if the cursor was there already: that is as good as Enter.
	 * NULL: clicks mean nothing.
	 */
	bool (*click)(void *state, const struct scene *scene, int x, int y);

	/*
	 * The mouse has been dragged from where it clicked to column X. True:
	 * that marks what Enter would zoom to. NULL: it means nothing.
	 */
	bool (*drag)(void *state, const struct scene *scene, int x);

	/* What the cursor is on; and put it on FUNC (its biggest node). */
	struct focus (*focus)(const void *state, const struct scene *scene);
	void (*show)(void *state, const struct scene *scene, func_id func);

	/* Put the cursor on NODE. NULL: the view shows no nodes. */
	void (*go)(void *state, const struct scene *scene, node_id node);

	/*
	 * Stacks are about to go into the tree the other way round; and they
	 * do, after remap() without a map; or, without a SCENE, do not. NULL:
	 * nothing is kept.
	 */
	void (*before_turn)(void *state, const struct scene *scene);
	void (*after_turn)(void *state, const struct scene *scene);

	/*
	 * Nodes were merged: old node I is now MAP[I]. With a NULL map all
	 * ids are void and the state starts anew. COUNT == 0 with a NULL map
	 * and NULL scene frees what STATE owns.
	 */
	void (*remap)(void *state, const node_id *map, size_t count);
};

extern const struct view_ops view_flame, view_table, view_sandwich, view_tree;

/* As view_ops.remap, of one of the sandwich's two pictures; MAP is not NULL. */
void view_sandwich_remap(void *state, bool is_above, const node_id *map,
			 size_t count);

#endif
