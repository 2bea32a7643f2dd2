/* SPDX-License-Identifier: MIT */
/*
 * status_weights.c - the second line about what is under the cursor: numbers.
 *
 *	self 3.0 % (30)  total 33.0 % ±2.9 (330, 3.3 s)  parent 42.3 %
 *
 * and in more words where it is wide. Each has its own columns, so that a
 * digit more moves nothing else while samples come; what goes on a narrow
 * screen is a matter of its width alone.
 */
#include "tui/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/change.h"
#include "tui/pieces.h"
#include "tui/text.h"

#define Z 1.96			/* of a normal distribution: 95 of 100 */

/* Cells of "100.0 %", of counts and times; the last ones of a piece. */
enum {
	SHARE = 7, COUNT = 10, COUNT_BRIEF = 6, TIME = 6,
	MARGIN = 15,		/* " ±0.3 % at 95 %" */
	MARGIN_BRIEF = 5,	/* " ±0.3": with more digits COUNT has fewer */
};

static bool
has_func(const struct focus *focus)
{
	return focus->func != FUNC_NONE && focus->hidden == 0;
}

/* What a weight of KIND counts; NULL: microseconds. */
static const char *
unit_of(enum kind kind)
{
	static const char *const units[KIND_COUNT] = {
		[KIND_CPU] = "samples",
		[KIND_FAULT] = "faults",
		[KIND_SWITCH] = "switches",
	};

	return units[kind];
}

/* "1,234 samples", "12.3 ms"; in brief without the unit. */
static void
weight_text(char *out, size_t size, uint64_t weight, const char *unit,
	    bool is_brief)
{
	char count[32];

	if (!unit)
		snprintf(out, size, "%.1f ms", (double)weight / 1000.0);
	else if (is_brief)
		count_brief(out, size, weight);
	else
		snprintf(out, size, "%s %s",
			 count_text(count, sizeof(count), weight), unit);
}

/* Samples at HZ, as time; "" if there is none. */
static void
time_text(char *out, size_t size, uint64_t samples, double hz)
{
	double seconds = hz > 0 ? (double)samples / hz : 0;

	out[0] = '\0';
	if (hz <= 0)
		return;
	if (seconds < 6000)
		snprintf(out, size, "%.*f s", seconds < 99.95, seconds);
	else
		snprintf(out, size, "%.0f min", seconds / 60);
}

/*
 * Half of the interval that the share lies in, in points of per cent, by
 * Wilson's score for N independent samples.
 */
static double
margin_of(uint64_t weight, uint64_t all)
{
	double n = (double)all, p = (double)weight / n;

	return 100 * Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) /
	       (1 + Z * Z / n);
}

/* "total 33.0 % of all". */
static void
add_share(struct pieces *line, const struct scene *scene, int rank,
	  const char *what, uint64_t weight)
{
	char share[16];
	struct piece *p;

	share_text(share, sizeof(share), weight, picture_total(scene->picture));
	p = pieces_add(line, rank, "%s %s of all", what, share);
	piece_brief(p, "%s %s", what, share);
	p->brief_pad = (int)strlen(what) + 1 + SHARE;
	p->pad = p->brief_pad + 7;
}

/* What is worth saying of samples: how sure, how long. */
static void
describe(const struct scene *scene, const struct focus *focus, bool is_ascii,
	 char *margin, size_t size, char *time, size_t time_size)
{
	uint64_t all = picture_total(scene->picture);

	margin[0] = time[0] = '\0';
	if (picture_filter(scene->picture)->kind != KIND_CPU || !all)
		return;
	if (focus->total && focus->node != 0)
		snprintf(margin, size, "%s%.1f", is_ascii ? "+-" : "±",
			 margin_of(focus->total, all));
	time_text(time, time_size, focus->total, scene->health->hz_wanted);
}

static void
add_self(struct pieces *line, const struct scene *scene,
	 const struct focus *focus)
{
	const char *unit = unit_of(picture_filter(scene->picture)->kind);
	char whole[64], brief[32];
	struct piece *p;

	add_share(line, scene, 1, "self", focus->self);
	weight_text(whole, sizeof(whole), focus->self, unit, false);
	weight_text(brief, sizeof(brief), focus->self, unit, true);
	p = pieces_add(line, 5, "(%s)", whole);
	piece_brief(p, "(%s)", brief);
	p->is_joined = true;
	p->brief_pad = 2 + COUNT_BRIEF;
	p->pad = 3 + COUNT + (unit ? (int)strlen(unit) : 0);
}

/* "±2.9 % at 95 % (330 samples, 3.3 s)". */
static void
add_total(struct pieces *line, const struct scene *scene,
	  const struct focus *focus, bool is_ascii)
{
	const char *unit = unit_of(picture_filter(scene->picture)->kind);
	char whole[64], brief[32], margin[16], time[24];
	struct piece *p;
	const char *comma;
	int pad;

	add_share(line, scene, 0, "total", focus->total);
	describe(scene, focus, is_ascii, margin, sizeof(margin), time,
		 sizeof(time));
	weight_text(whole, sizeof(whole), focus->total, unit, false);
	weight_text(brief, sizeof(brief), focus->total, unit, true);
	comma = time[0] ? ", " : "";
	p = pieces_add(line, 2, "%s%s(%s%s%s)", margin,
		       margin[0] ? " % at 95 % " : "", whole, comma, time);
	piece_brief(p, "%s%s(%s%s%s)", margin, margin[0] ? " " : "", brief,
		    comma, time);
	p->is_joined = true;
	pad = 2 + (time[0] ? 2 + TIME : 0);
	p->brief_pad = pad + COUNT_BRIEF +
		       (margin[0] ? MARGIN_BRIEF + is_ascii : 0);
	p->pad = pad + 1 + COUNT + (unit ? (int)strlen(unit) : 0) +
		 (margin[0] ? MARGIN + is_ascii : 0);
}

/* "of view" where it is zoomed, "of parent" where that is not the same. */
static void
add_part(struct pieces *line, int rank, const char *of, uint64_t weight,
	 uint64_t base)
{
	char share[16];
	struct piece *p;

	share_text(share, sizeof(share), weight, base);
	p = pieces_add(line, rank, "%s of %s", share, of);
	piece_brief(p, "%s %s", of, share);
	p->brief_pad = (int)strlen(of) + 1 + SHARE;
	p->pad = p->brief_pad + 3;
}

static void
add_parent(struct pieces *line, const struct scene *scene,
	   const struct focus *focus)
{
	const struct calltree *tree = picture_tree(scene->picture);
	node_id parent;

	if (focus->node == NODE_NONE || focus->node == 0 || focus->hidden)
		return;
	parent = calltree_parent(tree, focus->node);
	if (parent != NODE_NONE && parent != 0)	/* else the same as of all */
		add_part(line, 4, "parent", focus->total,
			 calltree_total(tree, parent));
}

void
status_weights(const struct scene *scene, const struct focus *focus,
	       struct canvas *canvas, int y)
{
	struct pieces line = { .ground = STYLE_TEXT };
	char story[160];

	if (has_func(focus) || focus->hidden || focus->node != NODE_NONE) {
		if (!focus->has_no_self)
			add_self(&line, scene, focus);
		add_total(&line, scene, focus, canvas_is_ascii(canvas));
		if (focus->base != picture_total(scene->picture))
			add_part(&line, 1, "view", focus->total, focus->base);
		add_parent(&line, scene, focus);
	}
	if (change_is_on(scene) && has_func(focus)) {
		change_story(story, sizeof(story), scene, focus);
		pieces_add(&line, 0, "%s", story);
	}
	pieces_draw(&line, canvas, y);
}
