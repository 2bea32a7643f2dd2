/* SPDX-License-Identifier: MIT */
/*
 * picture_private.h - what the parts of a picture share.
 *
 *	picture.c		sums, updates, names that come late
 *	picture_filter.c	which counts are shown and how
 *	picture_change.c	from one choice of that to another
 *	picture_leaves.c	where a stack ends in the tree
 *	picture_many.c		the same of many stacks at once
 *	picture_path.c		the functions of a stack, transformed
 *	picture_carry.c		from old nodes to new ones
 *	picture_base.c		what it is compared with
 *	picture_lost.c		and what is less than in that
 *	picture_spread.c	how sure both are
 *	picture_functions.c	sums by function
 *	picture_news.c		what was added
 *	picture_gains.c		what that is for each function
 *	picture_recent.c	sums of the last seconds
 *	picture_frames.c	back from what is shown to frames
 */
#ifndef CORE_PICTURE_PRIVATE_H
#define CORE_PICTURE_PRIVATE_H

#include "core/lookup.h"
#include "core/marks.h"
#include "core/picture.h"
#include "core/transformer.h"
#include "core/work.h"

/*
 * Where a stack ends in the tree; ROW is its thread's function. TOUCHED has a
 * bit for each transform that changed its path. NODE_NONE: the last of these
 * dropped it.
 */
struct leaf {
	func_id row;
	stack_id stack;
	node_id node;
	uint32_t touched;
};

#define SECOND_NS UINT64_C(1000000000)
#define NODES_MAX ((size_t)1 << 22)

#define LEAF_PIVOT ((uint32_t)1 << TRANSFORMS_MAX)	/* it has none */
#define LEAF_ENDS ((uint32_t)1 << 31)	/* counts were added to it */

struct leaves {
	struct leaf *rows;
	size_t count, capacity;
	uint32_t *by_stack;	/* below no row: the leaf, plus one */
	size_t nstacks;
	struct lookup lookup;	/* of the others */
};

/* A profile whose stacks go into the tree. */
struct source {
	struct profile *profile;
	struct names *names;	/* of its frames */
	struct match *match;	/* to the tree's functions; NULL: the same */
	struct leaves leaves;
};

/* What the picture is compared with, by node. */
struct base {
	const struct baseline *baseline;	/* NULL: nothing */
	struct source other;	/* unless it is of the same profile */
	uint64_t *self, *total;
	size_t count;		/* nodes that came later have none */
	uint64_t no_pivot;	/* weight that is left out for want of it */

	/* How much less samples tell than as many draws; picture_spread.c. */
	struct spread *now, *then;	/* NULL: not known */
	bool has_spread;	/* it was looked for */
	uint64_t spread_ns;	/* the newest count when NOW was made, */
	uint64_t spread_names;	/* and what names THEN was made with */
};

/* What is less than in it, by node; and when that was summed. */
struct lost {
	uint64_t *self, *total;
	size_t count, capacity;
	uint64_t epoch, next;	/* of the news */
	uint64_t second;
};

/* Functions are made when they are asked for, and then kept up to date. */
struct functions {
	struct function_row *rows;
	size_t count, capacity;
	uint32_t *index;		/* by function: its row, plus one */
	size_t nindex;
	bool is_stale;
	uint32_t *recent;		/* rows that have recent sums */
	size_t nrecent, recent_capacity;
	uint64_t recent_until;	/* the second after the last of them; 0: they
				   are to be summed anew */
};

/*
 * The last additions to the tree, oldest first: FIRST is the number of the
 * first one. EPOCH grows when anything else happened.
 */
struct news {
	struct picture_news *rows;
	size_t count, capacity;
	uint64_t first, epoch;
};

/* What a function got, of STACK and those before. */
struct gain {
	func_id func;
	uint32_t stack;			/* the last that it is on; from 1 */
	struct moment counted, recent;
};

/* What all functions got, within one second, and do not have yet. */
struct gains {
	struct gain *rows;
	size_t count, capacity;
	struct marks places;		/* of functions in ROWS */
	uint64_t second;
	uint32_t stacks;
	struct moment recent;		/* all of them together */
};

#define LEAF_STEPS 16		/* of work, to make one; to note it: one */

/* Room for one walk, whoever walks. */
struct room {
	stack_id *stacks;
	size_t capacity;
	struct call_path path;
	struct marks marks;
	node_id *ends;			/* of what was noted */
};

struct picture {
	struct profile *profile;
	struct names *names;
	struct calltree *tree;
	size_t nodes_max;		/* in it, unless stacks are shown as
					   they are; and one more for each */
	struct filter filter;
	thread_id *threads;		/* what FILTER points to */
	struct transform *transforms;	/* and this */
	struct transformer *transformers; /* of these, and FROM the pivot */
	bool *lets_through;		/* by thread; NTHREADS entries */
	size_t nthreads;
	uint64_t from_ns;		/* of slots that are let through */
	struct source own;
	struct base base;
	enum drawn drawn;
	bool is_swapped;		/* own counts are the base */
	struct lost lost;		/* while it is DRAWN_LOST */
	struct removed removed[TRANSFORMS_MAX + 1];	/* last: no pivot */
	string_id *row_names;		/* by thread: the name it was counted
					   under; 0: not yet */
	size_t nrows, rows_capacity;
	struct cell *noted;
	size_t nnoted, noted_capacity;
	uint64_t generation, moves, renames;	/* of names, when last taken
						   in */
	struct functions *functions;
	struct news news;
	struct gains gains;
	struct trend *trend;			/* NULL: nobody asked */
	unsigned recent_seconds;
	struct room *room;
	struct work *work;		/* while stacks are walked; or NULL */
};

/* --- picture_leaves.c */

/* Where CELL's stack ends; the leaf is valid until the next call. */
const struct leaf *picture_leaf(struct picture *picture,
				const struct cell *cell);

/*
 * The node of that leaf; NODE_NONE where the filter, times apart, leaves CELL
 * out.
 */
node_id picture_node_of(struct picture *picture, const struct cell *cell);

/* The leaf for STACK of SOURCE, below ROW (one of the tree's functions). */
struct leaf *picture_walk(struct picture *picture, struct source *source,
			  func_id row, stack_id stack);

/* The same if its stack was walked already; or NULL. */
const struct leaf *picture_known_leaf(const struct picture *picture,
				      const struct cell *cell);

/* A leaf more; valid until the next. */
struct leaf *picture_remember(struct leaves *leaves, const struct leaf *leaf);

/* The function that CELL's stack hangs below, which is noted; or FUNC_NONE. */
func_id picture_row(struct picture *picture, const struct cell *cell);

/*
 * The child of NODE for FUNC, of SOURCE's; when the tree is full, a note that
 * says so, and *IS_CUT.
 */
node_id picture_descend(struct picture *picture, const struct source *source,
			node_id node, func_id func, bool *is_cut);

/* The leaf of STACK below ROW, if it was walked; or NULL. */
struct leaf *picture_find_leaf(const struct leaves *leaves, func_id row,
			       stack_id stack);
void picture_forget_leaves(struct leaves *leaves);
void picture_forget_leaves_from(struct leaves *leaves, size_t first);

/* Was a thread that rows stand for named anew? */
bool picture_is_renamed(const struct picture *picture);

/* --- picture_path.c */

/*
 * Are stacks shown as they are? Then the node of a stack is a child of its
 * caller's stack's node, and all of these are leaves too.
 */
bool picture_is_plain(const struct picture *picture);

/*
 * PATH becomes that of SOURCE's STACK below ROW, after all transforms and in
 * the order of the shape. Returns the leaf's TOUCHED; *IS_DROPPED: there is no
 * path.
 */
uint32_t picture_path(const struct picture *picture,
		      const struct source *source, func_id row,
		      stack_id stack, struct call_path *path, bool *is_dropped);

/* The functions of FRAME, onto PATH. */
void picture_push_frame(const struct picture *picture,
			const struct source *source, struct call_path *path,
			frame_id frame);

/* What becomes of PATH: all transforms, and the order of the shape. */
uint32_t picture_transform(const struct picture *picture,
			   struct call_path *path, bool *is_dropped);

/* --- picture_many.c */

/*
 * Walk all that the filter lets through and that was not walked, of the
 * profile or of the baseline, which comes second: its functions are those that
 * the tree has. What is walked one by one else costs its whole path. False:
 * the picture's WORK was stopped; then no more is known than before.
 */
bool picture_walk_own(struct picture *picture);
bool picture_walk_base(struct picture *picture);

/* Is a frame of KIND left out? */
bool picture_hides(const struct picture *picture, enum frame_kind kind);

/* Is what was inlined at FRAME shown below its function, and how much is? */
const struct frame_place *picture_inlined(const struct picture *picture,
					  const struct names *names,
					  frame_id frame, size_t *n);

/* --- picture_carry.c */

/* A tree, and where stacks of the profile and of a baseline ended in it. */
struct old_tree {
	struct calltree *tree;
	struct leaves leaves, other;
	bool is_outermost_first;
};

/*
 * The new id of each node of OLD; see picture_set_filter(). When its tree is
 * the picture's own, only nodes that have no weight any more go on as another.
 */
node_id *picture_carry(const struct picture *picture,
		       const struct old_tree *old);

/* Take out of PICTURE what leads into its tree, and the tree if IS_OTHER. */
struct old_tree picture_part(struct picture *picture, bool is_other);
void picture_free_old(const struct picture *picture, struct old_tree *old);

/* Does the tree of this shape begin with the outermost frames? */
static inline bool
is_outermost_first(enum shape shape)
{
	return shape == SHAPE_CALLEES || shape == SHAPE_BELOW;
}

/* --- picture_functions.c */

/* Of the way to LEAF, the node of what was executed. */
node_id picture_innermost(const struct picture *picture, node_id leaf);

/* FUNC has WEIGHT more: its row, if rows are up to date, stays so. */
void picture_add_function(struct picture *picture, func_id func,
			  struct moment weight);

/* WEIGHT of FUNC is of the last seconds: its row has it too. */
void picture_add_moment(const struct picture *picture, func_id func,
			struct moment weight);

/* --- picture_news.c */

void picture_add_news(struct picture *picture, node_id leaf, uint64_t weight);

/* Sums over the tree are to begin anew, whoever keeps them. */
void picture_begin_epoch(struct picture *picture);

/* --- picture_gains.c */

/*
 * CELL, which ends at LEAF, is one more for all functions on the way: for
 * their sums if it IS_COUNTED, and for those of the last seconds if it is of
 * these. They have it after picture_spread_gains().
 */
void picture_gain(struct picture *picture, node_id leaf,
		  const struct cell *cell, bool is_counted);
void picture_spread_gains(struct picture *picture);
void picture_free_gains(struct picture *picture);

/* --- picture_recent.c */

/* Is CELL of the seconds that are kept? */
bool picture_is_recent(const struct picture *picture, const struct cell *cell);

/* FUNC (FUNC_NONE: all of them) has WEIGHT more in SECOND, which is kept. */
void picture_add_recent(struct picture *picture, uint64_t second,
			func_id func, struct moment weight);

/* The second of the newest count. */
uint64_t picture_newest_second(const struct picture *picture);

/* Sum all of the last seconds anew: stacks end elsewhere. */
void picture_sum_recent(struct picture *picture);

/* The sums of the last RECENT_SECONDS, second by second. */
void picture_each_recent(const struct picture *picture, moment_fn fn,
			 void *ctx);

/* --- picture_base.c */

/* Of what BASELINE (may be NULL) is to be; nothing is summed yet. */
struct base picture_new_base(const struct picture *picture,
			     const struct baseline *baseline);

/* Where its stacks are from. */
struct source *picture_base_source(struct picture *picture);

/* Hand each of its counts that the filter lets through to FN, with its row. */
typedef void ending_fn(void *ctx, func_id row, const struct cell *cell);
void picture_each_base(struct picture *picture, ending_fn *fn, void *ctx);

/* Sum the baseline anew, or after MAP (of COUNT nodes) moved nodes. */
void picture_sum_base(struct picture *picture);
void picture_move_base(struct picture *picture, const node_id *map,
		       size_t count);

/* Names came: sum anew if functions match in another way. */
void picture_rematch_base(struct picture *picture);
void picture_free_base(struct base *base);

/* --- picture_spread.c */

/* Look at both sides anew, where there is a baseline and it is time to. */
void picture_update_spread(struct picture *picture);
void picture_free_spread(struct base *base);

/* --- picture_sides.c */

/* Are widths those of the tree's own counts, or shares of them? */
bool picture_draws_own(const struct picture *picture);

/* SIDES, of the tree's own counts and the baseline's, as they are compared. */
struct totals picture_both(const struct picture *picture, struct totals sides);

/* --- picture_lost.c; these do nothing unless it is DRAWN_LOST */

void picture_sum_lost(struct picture *picture);
void picture_update_lost(struct picture *picture);
void picture_free_lost(struct picture *picture);

/* --- picture_filter.c */

/* Does it let counts of this kind and thread through, whatever the time? */
bool picture_wants(const struct picture *picture, const struct cell *cell);

/* Does the filter let CELL through? */
bool picture_passes(const struct picture *picture, const struct cell *cell);

/* What FROM_NS is to be by now. */
uint64_t picture_wanted_from_ns(const struct picture *picture);

/* FILTER from now on; what WAS there is the caller's to free or to put back. */
void picture_copy_filter(struct picture *picture, const struct filter *filter);
void picture_put_filter_back(struct picture *picture,
			     const struct picture *was);
void picture_free_filter(struct picture *picture);

/* Do the same stacks end in the same nodes; are there the same nodes? */
bool picture_is_same_shape(const struct filter *a, const struct filter *b);
bool picture_has_same_transforms(const struct filter *a,
				 const struct filter *b);

/* --- picture.c */

/* Forget all weights and sum anew; and the same when all was walked. */
void picture_sum_all(struct picture *picture);
void picture_sum_walked(struct picture *picture);

#endif
