/* SPDX-License-Identifier: MIT */
/*
 * svg_page.c - what stands around the frames of an SVG file.
 */
#include <errno.h>

#include "core/base.h"
#include "formats/svg.h"
#include "formats/svg_private.h"

#define BOTTOM 10		/* below the last row */
#define LEGEND 58		/* its line's height on the page */
#define SQUARE 11		/* of a colour */
#define GAP 14			/* between two of the legend */

/* Of the first two lines; the first is larger, with controls beside it. */
#define TITLE_CELLS 90
#define ABOUT_CELLS 160

static void
put_line(FILE *file, const char *id, unsigned y, const char *text,
	 size_t cells)
{
	fprintf(file, "<text id=\"%s\" x=\"%d\" y=\"%u\">", id, SVG_LEFT, y);
	svg_put_foreign(file, text, cells);
	fputs("</text>\n", file);
}

static void
put_begin(FILE *file, const struct svg_graph *graph, unsigned height)
{
	fprintf(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"%u\" viewBox=\"0 0 %d %u\" data-left=\"%d\" "
		"data-cell=\"%.2f\">\n<title>", SVG_WIDTH, height, SVG_WIDTH,
		height, SVG_LEFT, SVG_CELL);
	svg_put_foreign(file, graph->title, SIZE_MAX);
	fprintf(file, "</title>\n<style>\n%s</style>\n"
		"<rect id=\"page\" width=\"100%%\" height=\"100%%\"/>\n",
		svg_style);
}

/* What colours mean, and what is not drawn. */
static void
put_legend(FILE *file, const struct svg_graph *graph, uint64_t thin)
{
	char count[SVG_COUNT_SIZE];
	double x = SVG_LEFT;

	fputs("<g id=\"legend\">\n", file);
	for (const char *const *at = graph->legend; *at; at += 2) {
		fprintf(file, "<g class=\"%s\"><rect x=\"%.2f\" y=\"%d\" "
			"width=\"%d\" height=\"%d\"/></g><text x=\"%.2f\" "
			"y=\"%d\">%s</text>\n", at[0], x, LEGEND - SQUARE + 1,
			SQUARE, SQUARE, x + SQUARE + 4, LEGEND, at[1]);
		x += SQUARE + 4 + (double)svg_cells(at[1]) * SVG_CELL + GAP;
	}
	if (thin)
		fprintf(file, "<text id=\"thin\" x=\"%.2f\" y=\"%d\">%s "
			"frame%s thinner than %.1f px: left out</text>\n", x,
			LEGEND, svg_count(count, thin, 0),
			thin == 1 ? "" : "s", SVG_THIN);
	fputs("</g>\n", file);
}

bool
svg_put(FILE *file, const struct svg_graph *graph, struct error *err)
{
	struct svg_layout layout;

	svg_lay_out(&layout, graph);
	put_begin(file, graph, SVG_TOP + layout.rows * SVG_ROW + BOTTOM);
	put_line(file, "of", 20, graph->title, TITLE_CELLS);
	put_line(file, "about", 38, graph->about, ABOUT_CELLS);
	put_legend(file, graph, layout.thin);
	fprintf(file, "<text id=\"details\" x=\"%d\" y=\"78\"></text>\n"
		"<g id=\"frames\">\n", SVG_LEFT);
	svg_put_frames(file, graph, &layout);
	fprintf(file, "</g>\n<script><![CDATA[\n%s]]></script>\n</svg>\n",
		svg_script);
	svg_layout_fini(&layout);
	return (fflush(file) == 0 && !ferror(file)) ||
	       fail(err, errno, "cannot write");
}
