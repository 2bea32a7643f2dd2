/* SPDX-License-Identifier: MIT */
/*
 * svg_difference.c - two profiles as one graph coloured by what changed.
 *
 * What `diff` says of a function and what its frames look like agree: a frame
 * has a colour only if its function's verdict is a change. Which one and how
 * strong comes from the frame's own counts: a function that takes more on the
 * whole may take less where it is called from here.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/diff.h"
#include "core/sanitise.h"
#include "formats/svg.h"
#include "formats/svg_private.h"

#define INDISTINGUISHABLE 0.05	/* above that chance of being the same */

struct sides {
	const struct comparison *comparison;
	const struct compared *rows;
	const uint64_t *totals[SIDES];
	char figures[300], was[300];	/* of svg_frame */
};

/* The style of a theme, and the sign. */
static void
show_change(const struct estimate *e, struct svg_frame *frame)
{
	static const enum verdict verdicts[] = {
		[CHANGE_REGRESSED] = DIFF_MORE, [CHANGE_IMPROVED] = DIFF_LESS,
		[CHANGE_NEW] = DIFF_NEW, [CHANGE_MOVED] = DIFF_UNSURE,
	};
	static const char *const styles[] = {
		[DIFF_UNSURE] = "same", [DIFF_NEW] = "new",
		[DIFF_MORE] = "more", [DIFF_LESS] = "less",
	};
	struct difference d = { .verdict = verdicts[e->verdict],
				.change = e->change };
	int len = snprintf(frame->style, sizeof(frame->style), "diff-%s",
			   styles[d.verdict]);

	if (d.verdict == DIFF_MORE || d.verdict == DIFF_LESS)
		snprintf(frame->style + len, sizeof(frame->style) -
			 (size_t)len, "-%u", diff_step(&d) + 1);
	diff_word(frame->sign, sizeof(frame->sign), &d);
}

/* "1.00 % of all now, 3.00 % before, -2.00 points (-2.50 to -1.50)". */
static void
tell_change(const struct estimate *e, char *out, size_t size)
{
	static const char *const doubts[] = {
		[CHANGE_UNWATCHED] = ": too little to tell",
		[CHANGE_UNKNOWN] = ": cannot tell yet",
		[CHANGE_NONE] = ": no change", [CHANGE_MOVED] = "",
	};
	const char *doubt = doubts[e->verdict];

	snprintf(out, size, "%.2f %% of all now, %.2f %% before, %+.2f points "
		 "(%+.2f to %+.2f)%s", 100 * e->share[SIDE_OTHER],
		 100 * e->share[SIDE_BASE], 100 * e->change,
		 100 * (e->change - e->half), 100 * (e->change + e->half),
		 doubt ? doubt : "");
}

static void
describe_all(struct sides *sides, struct svg_frame *frame)
{
	char now[SVG_COUNT_SIZE], before[SVG_COUNT_SIZE];

	frame->name = "all";
	snprintf(frame->style, sizeof(frame->style), "root");
	snprintf(sides->figures, sizeof(sides->figures),
		 "%s samples now, %s before",
		 svg_count(now, sides->totals[SIDE_OTHER][0], 0),
		 svg_count(before, sides->totals[SIDE_BASE][0], 0));
}

static void
describe(const struct svg_graph *graph, node_id node, struct svg_frame *frame)
{
	struct sides *sides = (struct sides *)graph->of;
	const struct compared *row;
	struct estimate e;

	frame->figures = sides->figures;
	frame->kind = "";
	if (!node) {
		describe_all(sides, frame);
		return;
	}
	row = &sides->rows[calltree_func(graph->tree, node)];
	e = comparison_judge_frame(sides->comparison, node,
				   sides->totals[SIDE_BASE][node],
				   sides->totals[SIDE_OTHER][node]);
	frame->name = row->name;
	show_change(&e, frame);
	tell_change(&e, sides->figures, sizeof(sides->figures));
	if (row->verdict == CHANGE_MOVED) {
		const char *was = sides->rows[row->moved].name;
		int len = snprintf(sides->was, sizeof(sides->was),
				   "renamed, was ");

		sanitise_into(sides->was + len, sizeof(sides->was) -
			      (size_t)len, was, strlen(was));
		frame->kind = sides->was;
	}
}

static int
order(const struct svg_graph *graph, node_id a, node_id b)
{
	const struct sides *sides = graph->of;

	return strcmp(sides->rows[calltree_func(graph->tree, a)].name,
		      sides->rows[calltree_func(graph->tree, b)].name);
}

/* What is gone has no width: it is named, as far as there is room. */
static void
name_gone(FILE *out, const struct sides *sides)
{
	const char *before = "; gone: ";
	size_t count;

	comparison_rows(sides->comparison, &count);
	for (size_t i = 1; i < count; i++) {
		const struct compared *row = &sides->rows[i];

		if (row->verdict != CHANGE_GONE || row->under != i ||
		    row->total.count[SIDE_OTHER])
			continue;
		fprintf(out, "%s%s", before, row->name);
		before = ", ";
	}
}

/* The sentence on the whole, as `diff` has it. */
static char *
about(const struct sides *sides)
{
	const struct compared_whole *whole =
		comparison_whole(sides->comparison);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (whole->changed)
		fprintf(out, "%zu change%s", whole->changed,
			whole->changed > 1 ? "s" : "");
	else
		fprintf(out, "%s", whole->p > INDISTINGUISHABLE ?
			"The two are indistinguishable" :
			"The two differ, but by nothing that matters");
	fprintf(out, "; %zu function%s did not change", whole->unchanged,
		whole->unchanged == 1 ? "" : "s");
	if (whole->unknown)
		fprintf(out, "; for %zu, more samples are needed",
			whole->unknown);
	name_gone(out, sides);
	fclose(out);
	return text;
}

static void
name_side(FILE *out, const struct comparison *comparison, enum side side,
	  const char *name)
{
	size_t files = comparison_side(comparison, side)->profiles;

	fputs(name, out);
	if (files > 1)
		fprintf(out, " and %zu more", files - 1);
}

static char *
title_of(const struct comparison *comparison, const char *base,
	 const char *other)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	name_side(out, comparison, SIDE_OTHER, other);
	fputs(", compared with ", out);
	name_side(out, comparison, SIDE_BASE, base);
	fclose(out);
	return text;
}

bool
svg_write_difference(FILE *file, const struct comparison *comparison,
		     const char *base, const char *other, struct error *err)
{
	static const char *const legend[] = {
		"diff-more-2", "more than before", "diff-less-2", "less",
		"diff-new", "new", "diff-same", "no change, or cannot tell",
		NULL,
	};
	uint64_t *before = comparison_totals(comparison, SIDE_BASE);
	uint64_t *now = comparison_totals(comparison, SIDE_OTHER);
	size_t count;
	struct sides sides = {
		.comparison = comparison,
		.rows = comparison_rows(comparison, &count),
		.totals = { [SIDE_BASE] = before, [SIDE_OTHER] = now },
	};
	struct svg_graph graph = {
		.tree = comparison_tree(comparison), .totals = now,
		.of = &sides, .describe = describe, .order = order,
		.legend = legend,
	};
	char *title = title_of(comparison, base, other);
	char *more = about(&sides);
	bool ok;

	graph.title = title;
	graph.about = more;
	ok = svg_put(file, &graph, err);
	free(title);
	free(more);
	free(before);
	free(now);
	return ok;
}
