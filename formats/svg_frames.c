/* SPDX-License-Identifier: MIT */
/*
 * svg_frames.c - nodes of a tree to boxes of an SVG file.
 *
 * A node's id is greater than its parent's, so which are wide enough is known
 * in one pass. The walk keeps what is to come on a stack of its own: stacks
 * are as deep as they like.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base.h"
#include "formats/svg.h"
#include "formats/svg_private.h"

#define INNER (SVG_WIDTH - 2 * SVG_LEFT)
#define MARGIN 3		/* left and right of a frame's text */
#define BASELINE 13		/* of text, from the top of its frame */
#define LABEL_FROM 3		/* cells */

/* --- which, and where */

/* What a walk has before it. */
struct walk {
	const struct svg_graph *graph;
	node_id *waiting;
	size_t count, capacity;
};

static int
compare_siblings(const void *va, const void *vb, void *ctx)
{
	const struct svg_graph *graph = ctx;
	node_id a = *(const node_id *)va, b = *(const node_id *)vb;
	uint64_t x = graph->totals[a], y = graph->totals[b];

	return x != y ? (x > y) - (x < y) : graph->order(graph, b, a);
}

/* Children of NODE that are wide enough; the heaviest is taken up next. */
static void
push_children(struct walk *walk, struct svg_layout *layout, node_id node)
{
	const struct svg_graph *graph = walk->graph;
	const struct calltree *tree = graph->tree;
	double least = SVG_THIN / INNER * (double)graph->totals[0];
	uint64_t left = layout->left[node];
	size_t first = walk->count;

	for (node_id child = calltree_first(tree, node); child != NODE_NONE;
	     child = calltree_next(tree, child)) {
		uint64_t total = graph->totals[child];

		if (!total || (double)total < least)
			continue;
		walk->waiting = grow(walk->waiting, walk->count,
				     &walk->capacity, sizeof(node_id));
		walk->waiting[walk->count++] = child;
	}
	qsort_r(walk->waiting + first, walk->count - first, sizeof(node_id),
		compare_siblings, (void *)graph);
	for (size_t i = walk->count; i-- > first;) {
		layout->left[walk->waiting[i]] = left;
		left = add_saturating(left, graph->totals[walk->waiting[i]]);
	}
}

void
svg_lay_out(struct svg_layout *layout, const struct svg_graph *graph)
{
	size_t nodes = calltree_count(graph->tree);
	struct walk walk = { .graph = graph };

	*layout = (struct svg_layout){ 0 };
	layout->left = xcalloc(nodes, sizeof(*layout->left));
	layout->shown = xcalloc(nodes, sizeof(*layout->shown));
	walk.waiting = grow(NULL, 0, &walk.capacity, sizeof(node_id));
	walk.waiting[walk.count++] = 0;
	while (walk.count) {
		node_id node = walk.waiting[--walk.count];
		uint32_t depth = calltree_depth(graph->tree, node);

		layout->shown[layout->count++] = node;
		if (depth >= layout->rows)
			layout->rows = depth + 1;
		push_children(&walk, layout, node);
	}
	for (size_t i = 0; i < nodes; i++)
		layout->thin += graph->totals[i] > 0;
	layout->thin -= graph->totals[0] ? layout->count : 0;
	free(walk.waiting);
}

void
svg_layout_fini(struct svg_layout *layout)
{
	free(layout->left);
	free(layout->shown);
	*layout = (struct svg_layout){ 0 };
}

/* --- frames */

/* Hundredths of a pixel to the right of the first frame's edge. */
static long long
edge(const struct svg_graph *graph, uint64_t weight)
{
	uint64_t all = graph->totals[0];

	if (weight >= all)
		return all ? 100 * INNER : 0;
	return llround(100.0 * INNER * ((double)weight / (double)all));
}

/* With no more decimals than needed. */
static void
put_pixels(FILE *file, const char *name, long long hundredths)
{
	fprintf(file, " %s=\"%lld", name, hundredths / 100);
	if (hundredths % 10)
		fprintf(file, ".%02lld", hundredths % 100);
	else if (hundredths % 100)
		fprintf(file, ".%lld", hundredths % 100 / 10);
	fputc('"', file);
}

static void
put_title(FILE *file, const struct svg_frame *frame)
{
	fputs("<title>", file);
	svg_put_text(file, frame->name);
	fputc('\n', file);
	svg_put_text(file, frame->figures);
	if (*frame->kind) {
		fputc('\n', file);
		svg_put_text(file, frame->kind);
	}
	fputs("</title>", file);
}

/* The sign if all of it fits, and of the name what is left room for. */
static void
put_label(FILE *file, const struct svg_frame *frame, long long left,
	  long long width, unsigned y)
{
	long long room = width - 200 * MARGIN;
	size_t cells = room > 0 ? (size_t)((double)room / 100 / SVG_CELL) : 0;
	size_t sign = svg_cells(frame->sign);
	bool has_sign = sign && sign <= cells;

	if (cells < LABEL_FROM)
		return;
	fputs("<text", file);
	put_pixels(file, "x", left + 100 * MARGIN);
	fprintf(file, " y=\"%u\">%s", y + BASELINE,
		has_sign ? frame->sign : "");
	if (!has_sign) {
		svg_put_label(file, frame->name, cells);
	} else if (cells - sign > LABEL_FROM) {
		fputc(' ', file);
		svg_put_label(file, frame->name, cells - sign - 1);
	}
	fputs("</text>", file);
}

static void
put_frame(FILE *file, const struct svg_graph *graph,
	  const struct svg_layout *layout, node_id node)
{
	uint64_t total = graph->totals[node], left = layout->left[node];
	long long from = edge(graph, left);
	long long width = edge(graph, add_saturating(left, total)) - from;
	unsigned y = SVG_TOP + calltree_depth(graph->tree, node) * SVG_ROW;
	struct svg_frame frame = { .name = "" };

	graph->describe(graph, node, &frame);
	fprintf(file, "<g class=\"%s\" data-x=\"%llu\" data-w=\"%llu\"",
		frame.style, (unsigned long long)left,
		(unsigned long long)total);
	if (*frame.sign)
		fprintf(file, " data-sign=\"%s\"", frame.sign);
	fputc('>', file);
	put_title(file, &frame);
	fputs("<rect", file);
	put_pixels(file, "x", from + 100 * SVG_LEFT);
	fprintf(file, " y=\"%u\"", y);
	put_pixels(file, "width", width);
	fprintf(file, " height=\"%u\"/>", SVG_ROW - 1);
	put_label(file, &frame, from + 100 * SVG_LEFT, width, y);
	fputs("</g>\n", file);
}

void
svg_put_frames(FILE *file, const struct svg_graph *graph,
	       const struct svg_layout *layout)
{
	for (size_t i = 0; i < layout->count; i++)
		put_frame(file, graph, layout, layout->shown[i]);
}
