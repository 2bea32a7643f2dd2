/* SPDX-License-Identifier: MIT */
/*
 * compare.h - two profiles: what changed, what did not, and what nobody can
 * tell yet.
 *
 *	profile, profile ...  base ---+
 *	                              +--> comparison --> a verdict for each
 *	profile ...           other --+                   function, a sentence
 *	                                                  for the whole
 *
 * Shares of all samples are compared, so that another rate or another length
 * does no harm. How sure a share is comes from counts by blocks of time
 * (core/inflation.h); a change is judged by Welch's t with as many degrees of
 * freedom as there are blocks. Of the changes that are called so at most one
 * in twenty is chance (Benjamini and Hochberg), over all functions with half
 * a per cent on one side, for self and total apart, and only when the two
 * differ as a whole. What is sure but too small to matter is no change.
 *
 * Functions are the same by their plain names (core/plain_name.h).
 */
#ifndef CORE_COMPARE_H
#define CORE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/calltree.h"
#include "core/names.h"
#include "core/profile.h"

enum side { SIDE_BASE, SIDE_OTHER, SIDES };

enum change {
	CHANGE_UNWATCHED,	/* less than half a per cent on both sides */
	CHANGE_UNKNOWN,		/* cannot tell: more samples are needed */
	CHANGE_NONE,		/* no more than LIMIT */
	CHANGE_REGRESSED,
	CHANGE_IMPROVED,
	CHANGE_NEW,		/* regressed, and there was none */
	CHANGE_GONE,		/* improved, and there is none */
	CHANGE_MOVED,		/* gone or new, and the other half of it is
				   there under another name */
};

/* Shares are parts of 1. */
struct compare_rules {
	double watch;		/* least share, on one side */
	double floor, floor_of_share;	/* a change has to reach both */
	double margin, margin_of_share;	/* the larger one is what has to be
				   ruled out before "no change" is said, and
				   what more samples are to find */
	double false_discovery;
	bool drops_templates;
};

extern const struct compare_rules compare_default;

/* One number of a function, self or total, on both sides. */
struct estimate {
	uint64_t count[SIDES];
	double share[SIDES], variance[SIDES], inflation[SIDES];
	double change;		/* of the share */
	double half;		/* CHANGE is within so much, 19 times of 20 */
	double limit;		/* |CHANGE| and HALF */
	double p;		/* of that change by chance */
	enum change verdict;
	double needs;		/* CHANGE_UNKNOWN: how many times the samples
				   there are would do; above 1 */
};

#define COMPARED_NONE UINT32_MAX

/* A function; rows are by key, COMPARED_NONE is none of them. */
struct compared {
	const char *name;	/* plain; borrowed */
	struct estimate total, self;
	enum change verdict;	/* of the total, or of self when only that has
				   one */
	bool is_by_self;
	uint32_t under;		/* the line that tells this change: itself, or
				   what it calls, or what calls it */
	uint32_t moved;		/* CHANGE_MOVED: the other half */
	node_id node;		/* its heaviest place; see comparison_path() */
};

/* What is known about one side as a whole. */
struct compared_side {
	uint64_t samples;
	size_t profiles;
	double seconds, rate;	/* 0: not known, or of several */
	double cores;		/* CPUs in use, on average; below 0: unknown */
	size_t blocks;		/* 0: none, so the inflation is assumed */
	unsigned block_seconds;
	double inflation;	/* typical */
};

struct compared_whole {
	double p;		/* that the two differ by chance alone */
	size_t changed;		/* lines with a verdict */
	size_t unknown, unchanged;	/* functions */
	struct estimate interrupts;	/* of the kernel's, as a function */
	bool is_other_noisier, is_base_noisier;
};

struct comparison;

struct comparison *comparison_new(const struct compare_rules *rules);
void comparison_free(struct comparison *comparison);

/*
 * Add all weight of KIND in PROFILE to one side, with the blocks of its slots
 * or its header. Both are borrowed for the call.
 */
void comparison_add(struct comparison *comparison, enum side side,
		    struct profile *profile, struct names *names,
		    enum kind kind);

/*
 * The same of PROFILE's slots that start in [FROM_NS, TO_NS), which have
 * times.
 */
void comparison_add_between(struct comparison *comparison, enum side side,
			    struct profile *profile, struct names *names,
			    enum kind kind, uint64_t from_ns, uint64_t to_ns);

/* After the last comparison_add(): make up the mind about every function. */
void comparison_judge(struct comparison *comparison);

/* What was found; all borrowed until comparison_free(). */
const struct compared *comparison_rows(const struct comparison *comparison,
				       size_t *count);
const struct compared_side *comparison_side(const struct comparison *c,
					    enum side side);
const struct compared_whole *comparison_whole(const struct comparison *c);

/*
 * The names on the way to ROW, from the outermost, at most MAX; how many there
 * are. Those in the middle are left out beyond MAX.
 */
size_t comparison_path(const struct comparison *comparison, uint32_t row,
		       const char **names, size_t max);

/*
 * All calls of both sides; a node's function is the number of its row. What
 * is counted below each node on SIDE, with its own; the caller frees.
 */
const struct calltree *comparison_tree(const struct comparison *comparison);
uint64_t *comparison_totals(const struct comparison *comparison,
			    enum side side);

/*
 * How NODE's share changed, with these counts of comparison_totals(). Its
 * verdict is its function's; if that is a change, what is sure of NODE's own,
 * or CHANGE_UNKNOWN.
 */
struct estimate comparison_judge_frame(const struct comparison *comparison,
				       node_id node, uint64_t base,
				       uint64_t other);

/* Is it one of the verdicts that something changed? */
bool change_is_one(enum change change);

#endif
