/* SPDX-License-Identifier: MIT */
/*
 * picture.h - the call tree of a profile under the filters in force.
 *
 *	profile (counts by stack) + names --> picture --> calltree, functions
 *
 * The picture follows the profile: each count that profile_take() moved is
 * fed to it, and names that came late are merged in. A change of filter sums
 * the profile anew. Everything a view shows is drawn from here.
 */
#ifndef CORE_PICTURE_H
#define CORE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/calltree.h"
#include "core/diff.h"
#include "core/names.h"
#include "core/profile.h"
#include "core/transform.h"
#include "core/trend.h"
#include "core/weights.h"

/* Which way stacks go into the tree. */
enum shape {
	SHAPE_CALLEES,		/* callers above what they call */
	SHAPE_INVERTED,		/* what was executed above its callers */
	SHAPE_BELOW,		/* of each stack, from the outermost frame of
				   PIVOT on; stacks without one are left out */
	SHAPE_ABOVE,		/* of the same stacks, from that frame outwards:
				   PIVOT, then its callers */
};

struct filter {
	enum kind kind;
	bool hide_kernel;	/* kernel frames' weight goes to the caller */
	bool hide_inlined;	/* the same for inlined functions */
	bool thread_rows;	/* threads' names as outermost frames, in
				   every shape; none for what has no thread */
	const thread_id *threads; /* only these; borrowed for the call */
	size_t nthreads;	/* 0: all */
	/*
	 * Only slots that start at these times (rounded down to a second) or
	 * later; 0: all. A window ends with the newest count and moves with
	 * it: it holds WINDOW_NS and up to a second more.
	 */
	uint64_t window_ns, since_ns;
	enum shape shape;
	func_id pivot;
	unsigned cut;		/* thousandths: views show what has a smaller
				   share together, or not; counts stay */
	const struct transform *transforms; /* applied in order, after what is
				   hidden; borrowed for the call */
	size_t ntransforms;
};

struct picture;
struct baseline;		/* core/baseline.h */
struct work;			/* core/work.h */

/* Whose counts are drawn, see picture_set_drawn(). */
enum drawn {
	DRAWN_NOW,
	DRAWN_BASE,
	DRAWN_LOST,
};

/*
 * A picture of PROFILE as it is now, which like NAMES must outlive it. The
 * filter lets everything of KIND_CPU through.
 */
struct picture *picture_new(struct profile *profile, struct names *names);
void picture_free(struct picture *picture);

/* The same with nothing in it until a change has been finished. */
struct picture *picture_open(struct profile *profile, struct names *names);

/*
 * Choose what is shown; copies, and shares patterns. Weights are summed anew.
 * Nodes keep their ids as long as only weights change (the kind, threads,
 * times, FOCUS and EXCLUDE): those with no count left stay, with zeroes, and
 * NULL is returned. Any other change makes a new tree. Then returns for each
 * of the *COUNT old nodes (COUNT may be NULL) where the same call is now: of
 * several places the heaviest, and where a frame has gone its caller's; the
 * caller carries its view state over and frees it. A zoom means little when
 * the direction of SHAPE changed. A tree of more than four million nodes ends
 * in notes, "[too many calls]".
 */
node_id *picture_set_filter(struct picture *picture,
			    const struct filter *filter, size_t *count);
const struct filter *picture_filter(const struct picture *picture);

/*
 * The same with the baseline, and in two steps, the first of which takes long
 * and can be stopped: WORK. It returns NULL then, and nothing has changed. All
 * between the two is in vain if it is cancelled; the picture is not to be used.
 * Another baseline takes effect as with picture_set_baseline().
 */
struct picture_choice {
	const struct filter *filter;
	const struct baseline *baseline; /* NULL: none, whatever DRAWN is */
	enum drawn drawn;
};
struct picture_change;
struct picture_change *picture_begin(struct picture *picture,
				     const struct picture_choice *choice,
				     struct work *work);
node_id *picture_finish(struct picture_change *change, size_t *count);
void picture_cancel(struct picture_change *change);

/* A count that profile_take() has just moved; fits cell_fn, only notes. */
void picture_note(void *picture, const struct cell *cell);

/*
 * Take in what was noted and what got a name since the last call, and let the
 * window move on. When nodes were merged or moved, returns the new id of each
 * old node and sets *COUNT; the caller carries its view state over and frees
 * it. Else NULL.
 */
node_id *picture_update(struct picture *picture, size_t *count);

const struct calltree *picture_tree(const struct picture *picture);

/* Grows with every change of a count, a name or a path. */
uint64_t picture_version(const struct picture *picture);

/* WEIGHT was added to the stack that ends in LEAF. */
struct picture_news {
	node_id leaf;
	uint64_t weight;
};

/* How far somebody has read; all zeroes: not at all. */
struct picture_mark {
	const struct picture *of;
	uint64_t epoch, next;
};

/*
 * What was added since MARK, which is moved on to now; *NEWS is valid until
 * the next picture_update(). Nothing is, to other counts than those of now.
 * False: counts or nodes changed in another way too, or too much was added, so
 * whoever keeps sums begins anew.
 */
bool picture_read_news(const struct picture *picture,
		       struct picture_mark *mark,
		       const struct picture_news **news, size_t *count);

/* Total weight in the tree: what the filter lets through. */
uint64_t picture_total(const struct picture *picture);

/*
 * What transform I of the filter did to the weight that came to it: dropped
 * it, or changed its path. I = NTRANSFORMS: what has no PIVOT.
 */
struct removed {
	uint64_t dropped, changed;
};
struct removed picture_removed(const struct picture *picture, size_t i);

/*
 * Compare with BASELINE from now on; borrowed, until another or NULL is set.
 * It goes through the same filter, times apart (threads of another profile by
 * their names). Nodes that only it has come into the tree, with no weight. The
 * one that is set already changes nothing.
 */
void picture_set_baseline(struct picture *picture,
			  const struct baseline *baseline);
const struct baseline *picture_baseline(const struct picture *picture);

/*
 * As calltree_total() and calltree_self(), whichever side is which; 0 without
 * a baseline.
 */
uint64_t picture_base_total(const struct picture *picture, node_id node);
uint64_t picture_base_self(const struct picture *picture, node_id node);

/*
 * How many times fewer samples would tell as much of FUNC's share as those
 * there are, in the picture and in its baseline: 1 for independent ones, and
 * where no times are known (core/spread.h).
 */
struct inflations {
	double now, base;
};
struct inflations picture_inflations(const struct picture *picture,
				     func_id func);

/*
 * Whose counts are drawn: those of now; the baseline's; or what is surely less
 * now than in the baseline, as counts that it had and that would have to come
 * on top of those of now (core/picture_lost.c), summed anew once a second while
 * there are new counts. The first without a baseline.
 */
void picture_set_drawn(struct picture *picture, enum drawn drawn);
enum drawn picture_drawn(const struct picture *picture);

/*
 * Compare the other way round: the baseline's counts are those of now, here
 * and in all that follows, and the picture's own what they are compared with.
 * Not without a baseline.
 */
void picture_swap(struct picture *picture, bool is_swapped);
bool picture_is_swapped(const struct picture *picture);

/*
 * The counts that are drawn, and those that they are shares of: what was lost
 * is part of the baseline. Valid until the next update.
 */
struct weights picture_weights(const struct picture *picture);
struct weights picture_wholes(const struct picture *picture);

/*
 * What counts of both sides are shares of when they are compared: all that the
 * filter lets through, stacks without PIVOT too.
 */
struct totals {
	uint64_t now, base;
};
struct totals picture_totals(const struct picture *picture);

/* NODE's weight on both sides, and that of stacks which end in it. */
struct totals picture_both_totals(const struct picture *picture, node_id node);
struct totals picture_both_selfs(const struct picture *picture, node_id node);

/* What changed of FUNC's COUNTS, shares of ALL; FUNC_NONE: of no function's. */
struct difference picture_judge(const struct picture *picture, func_id func,
				struct totals counts, struct totals all);

/*
 * All that was counted on that side of the filter's kind, whatever else the
 * filter leaves out.
 */
uint64_t picture_whole(const struct picture *picture);

/* When the oldest slot may start that the filter lets through; 0: any time. */
uint64_t picture_from_ns(const struct picture *picture);

/*
 * A function over all its nodes. TOTAL counts recursion once. SELF is of
 * stacks whose innermost frame (of those in the tree) it is, in any shape.
 */
struct function_row {
	func_id func;
	uint64_t self, total;
	uint64_t base_self, base_total;	/* of the baseline */
	uint64_t lost_self, lost_total;	/* 0 unless it is DRAWN_LOST */
	uint64_t recent_self, recent_total;	/* see picture_recent() */
};

/*
 * All functions with a count on one side or the other, unsorted; borrowed,
 * valid until the next picture_update() or picture_set_*().
 */
const struct function_row *picture_functions(const struct picture *picture,
					     size_t *count);

/* FUNC's row of these, or NULL. */
const struct function_row *picture_function(const struct picture *picture,
					    func_id func);

/*
 * Keep sums of the last seconds from now on, whatever times the filter lets
 * through; rows have those of the SECONDS (less than TREND_SECONDS) before the
 * second of the newest count, and of that one. 0: no more.
 */
void picture_recent(struct picture *picture, unsigned seconds);
uint64_t picture_recent_total(const struct picture *picture);

/* Of the same seconds and kind, whatever the filter leaves out. */
uint64_t picture_recent_whole(const struct picture *picture);

/*
 * Weight of FUNC (FUNC_NONE: of all) in each of the last COUNT seconds, oldest
 * first; the last is not over yet. Zeroes unless picture_recent() was asked.
 */
void picture_trend(const struct picture *picture, func_id func,
		   struct moment *moments, size_t count);

/* --- from what is shown back to frames (picture_frames.c) */

/* Hand each frame with a node of at least MIN weight to FN, some repeatedly. */
typedef void (*frame_fn)(void *ctx, frame_id frame);
void picture_each_seen(const struct picture *picture, uint64_t min,
		       frame_fn fn, void *ctx);

/*
 * Of the frames that NODE stands for, the one with the most weight; with
 * NODE_NONE, of all that FUNC does. *LEVEL is which of names_places() it is
 * about. False when there is none. Goes over the whole profile.
 */
bool picture_hottest(const struct picture *picture, node_id node,
		     func_id func, frame_id *frame, size_t *level);

#endif
