/* SPDX-License-Identifier: MIT */
/*
 * svg.h - a flame graph as one SVG file that a browser opens.
 *
 * Root on top, siblings by weight. Everything is in the file: each frame is a
 *
 *	<g class="program-2" data-x="12" data-w="30">
 *	<title>parse
 *	30 samples, 75.00 % of all, 10.00 % its own
 *	program</title><rect …/><text …>parse</text></g>
 *
 * with its weight and that of all to the left of it, in the order in which a
 * walk from the root meets them. What the script (svg.js) does is made of
 * that; without it the picture stands still and titles tell the rest. Frames
 * thinner than SVG_THIN are counted and not written. Names are clean
 * (core/sanitise.h) and escaped; nothing is fetched, nothing evaluated.
 */
#ifndef FORMATS_SVG_H
#define FORMATS_SVG_H

#include "core/compare.h"
#include "formats/format.h"

#define SVG_THIN 0.1		/* of a picture 1200 wide */

bool svg_write(FILE *file, struct profile *profile, struct names *names,
	       const struct write_options *options, struct error *err);

/*
 * What COMPARISON, which is judged, found: as wide as SIDE_OTHER, coloured
 * where comparison_judge_frame() says that a call changed. BASE and OTHER are
 * what the sides are called.
 */
bool svg_write_difference(FILE *file, const struct comparison *comparison,
			  const char *base, const char *other,
			  struct error *err);

#endif
