/* SPDX-License-Identifier: MIT */
/*
 * svg_private.h - what the parts of the SVG writer share.
 *
 *	profile ----+                       +--> page: titles, legend, script
 *	            +--> struct svg_graph --+
 *	comparison -+                       +--> frames, laid out
 */
#ifndef FORMATS_SVG_PRIVATE_H
#define FORMATS_SVG_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base.h"
#include "core/calltree.h"

/* In pixels; the script has them from the file. */
#define SVG_WIDTH 1200
#define SVG_LEFT 10		/* beside the frames, on either side */
#define SVG_TOP 92		/* above them */
#define SVG_ROW 18		/* from one row to the next */
#define SVG_CELL 7.25		/* a character, or half of a wide one */

/* How a frame is shown. Texts are borrowed until the next one is. */
struct svg_frame {
	const char *name;	/* clean */
	char style[16];		/* of themes: "program-2" */
	char sign[16];		/* before the name: "+3.1"; or "" */
	const char *figures;	/* a line of its title, clean */
	const char *kind;	/* the same; "": none */
};

struct svg_graph {
	const struct calltree *tree;
	const uint64_t *totals;	/* by node: widths */
	const void *of;		/* whose it is: for these two */
	void (*describe)(const struct svg_graph *graph, node_id node,
			 struct svg_frame *frame);
	/* Of two nodes of one weight, which stands first; as strcmp(). */
	int (*order)(const struct svg_graph *graph, node_id a, node_id b);

	const char *title;	/* what it is of; any text */
	const char *about;	/* one more line; any text */
	const char *const *legend;	/* pairs of a style and its meaning; ends
				   with NULL */
};

/* Which nodes are wide enough, and where. */
struct svg_layout {
	uint64_t *left;		/* by node: weight to the left of it */
	node_id *shown;		/* in the order of a walk */
	size_t count;
	uint32_t rows;
	uint64_t thin;		/* nodes left out that have a weight */
};

void svg_lay_out(struct svg_layout *layout, const struct svg_graph *graph);
void svg_layout_fini(struct svg_layout *layout);

/* All frames of LAYOUT. */
void svg_put_frames(FILE *file, const struct svg_graph *graph,
		    const struct svg_layout *layout);

/* The whole file. */
bool svg_put(FILE *file, const struct svg_graph *graph, struct error *err);

/* --- text (svg_text.c) */

/* Clean TEXT, escaped for text and attributes. */
void svg_put_text(FILE *file, const char *text);

/* As much of TEXT as fits into CELLS, with "…" if that is not all. */
void svg_put_label(FILE *file, const char *text, size_t cells);

/* The same of any text, which is cleaned first. */
void svg_put_foreign(FILE *file, const char *text, size_t cells);

/* Cells that TEXT takes; none of its characters is wider than that. */
size_t svg_cells(const char *text);

/* "1,234.5": WEIGHT / 10^SCALE; into OUT, which is returned. */
#define SVG_COUNT_SIZE 64
char *svg_count(char out[SVG_COUNT_SIZE], uint64_t weight, int scale);

/* PART of ALL in per cent; of nothing it is 0. */
double svg_share(uint64_t part, uint64_t all);

/* --- files of this folder and of themes, as texts (svg_embed.awk) */

extern const char svg_script[], svg_style[];

#endif
