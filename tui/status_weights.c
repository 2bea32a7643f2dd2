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
#include "tui/shares.h"
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

/* What FOCUS is a share of, as the user chose; its name into NAME. */
static uint64_t
whole_of(const struct scene *scene, const struct focus *focus, char *name,
	 size_t size)
{
	enum shares shares = scene->shares;

	if (shares == SHARES_OF_PARENT && !focus->parent)
		shares = SHARES_OF_VIEW;
	shares_name(scene, shares, name, size);
	return shares == SHARES_OF_PARENT ? focus->parent :
					    shares_whole(scene, NODE_NONE);
}

/* "total 33.0 % of all". */
static void
add_share(struct pieces *line, const struct scene *scene,
	  const struct focus *focus, int rank, const char *what,
	  uint64_t weight)
{
	bool is_lost = picture_drawn(scene->picture) == DRAWN_LOST;
	char share[16], name[64], lost[32];
	uint64_t whole = whole_of(scene, focus, name, sizeof(name));
	struct piece *p;

	snprintf(lost, sizeof(lost), "%s%s%s", what, is_lost ? " " : "",
		 is_lost ? change_words(scene).lost : "");
	share_text(share, sizeof(share), weight, whole);
	p = pieces_add(line, rank, "%s %s of %s", lost, share, name);
	piece_brief(p, "%s %s", lost, share);
	p->brief_pad = (int)strlen(lost) + 1 + SHARE;
	p->pad = p->brief_pad + 4 + (int)strlen(name);
}

/* What is worth saying of samples: how sure, how long. */
static void
describe(const struct scene *scene, const struct focus *focus, bool is_ascii,
	 char *margin, size_t size, char *time, size_t time_size)
{
	char name[64];
	uint64_t all = whole_of(scene, focus, name, sizeof(name));

	margin[0] = time[0] = '\0';
	if (picture_filter(scene->picture)->kind != KIND_CPU || !all ||
	    picture_drawn(scene->picture) != DRAWN_NOW ||
	    picture_is_swapped(scene->picture))
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
	const char *unit = status_unit(scene);
	char whole[64], brief[32];
	struct piece *p;

	add_share(line, scene, focus, 1, "self", focus->self);
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
	const char *unit = status_unit(scene);
	char whole[64], brief[32], margin[16], time[24];
	struct piece *p;
	const char *comma;
	int pad;

	add_share(line, scene, focus, 0, "total", focus->total);
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

/* "of serve", which is zoomed to; "of parent" where that is not the same. */
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
add_zoom(struct pieces *line, const struct scene *scene,
	 const struct focus *focus, bool is_ascii)
{
	char name[96];

	if (focus->is_zoomed && scene->shares == SHARES_OF_VIEW)
		add_part(line, 1, status_zoom_name(scene, focus->view_func,
						   name, sizeof(name),
						   is_ascii),
			 focus->total, focus->view);
}

static void
add_parent(struct pieces *line, const struct scene *scene,
	   const struct focus *focus)
{
	const struct calltree *tree = picture_tree(scene->picture);

	if (focus->node == NODE_NONE || focus->hidden || !focus->parent ||
	    scene->shares == SHARES_OF_PARENT ||
	    calltree_parent(tree, focus->node) == 0)
		return;		/* the same as of the whole picture */
	add_part(line, 4, "parent", focus->total, focus->parent);
}

/* What changed; but for what was lost of them it tells both totals, too. */
static void
add_change(struct pieces *line, const struct scene *scene,
	   const struct focus *focus)
{
	char story[160];
	struct piece *p;

	change_story(story, sizeof(story), scene, focus, false);
	if (!*story)
		return;
	p = pieces_add(line, 0, "%s", story);
	if (picture_drawn(scene->picture) == DRAWN_LOST)
		piece_brief(p, "%s", change_story(story, sizeof(story), scene,
						  focus, true));
}

void
status_weights(const struct scene *scene, const struct focus *focus,
	       struct canvas *canvas, int y)
{
	struct pieces line = { .ground = STYLE_TEXT };
	bool is_ascii = canvas_is_ascii(canvas);

	if (has_func(focus) || focus->hidden || focus->node != NODE_NONE) {
		if (!focus->has_no_self)
			add_self(&line, scene, focus);
		add_total(&line, scene, focus, is_ascii);
		add_zoom(&line, scene, focus, is_ascii);
		add_parent(&line, scene, focus);
	}
	if (change_is_on(scene) && has_func(focus))
		add_change(&line, scene, focus);
	pieces_draw(&line, canvas, y);
}
