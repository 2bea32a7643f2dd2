/* SPDX-License-Identifier: MIT */
/*
 * report_sums.h - what a report tells, for its text and its JSON.
 */
#ifndef APP_REPORT_SUMS_H
#define APP_REPORT_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/calltree.h"
#include "core/names.h"
#include "core/picture.h"

struct report_row {
	struct function_row row;
	const char *name;	/* borrowed of names */
};

/* A stack that ends at LEAF, and its weight. */
struct report_path {
	node_id leaf;
	uint64_t self;
};

/* Own time of a function on account of a caller FUNC. */
struct report_caller {
	func_id func;
	uint64_t self;
};

/* All of PROFILE, counted; the caller frees it (picture_free()). */
struct picture *report_picture(struct profile *profile, struct names *names,
			       bool hides_inlined);

/* All functions, the heaviest first; the caller frees. */
struct report_row *report_rows(const struct picture *picture,
			       const struct names *names, bool is_by_total,
			       size_t *count);

/* The at most MAX heaviest paths into BEST, in order; how many they are. */
size_t report_paths(const struct calltree *tree, struct report_path *best,
		    size_t max);

/* Nodes from below the root to LEAF, *COUNT of them; the caller frees. */
node_id *report_path_nodes(const struct calltree *tree, node_id leaf,
			   size_t *count);

/*
 * The at most MAX callers of FUNC, other than itself, that account for most of
 * its own time, into OUT; how many they are.
 */
size_t report_callers(const struct calltree *tree, func_id func,
		      struct report_caller *out, size_t max);

/* What a count of PROFILE is one of: "samples" if nothing else is said. */
const char *report_unit(const struct profile *profile);

/* Lines that begin with '#': of what the profile is, and what it lacks. */
void report_head(FILE *out, const struct profile *profile);

#endif
