/* SPDX-License-Identifier: MIT */
/*
 * status_weights.c - the second line about what is under the cursor.
 *
 *	self 30 samples, 3.0 % of all  total 330 samples, 33.0 % of all
 *	42.3 % of parent  +/- 2.9 % at 95 %  3.3 s  in 2 places  program
 *
 * (in one line). From "of parent" on only as far as there is room.
 */
#include "tui/status.h"

#include <math.h>
#include <stdio.h>

#include "tui/change.h"
#include "tui/pieces.h"
#include "tui/text.h"

#define MORE_FROM 100		/* cells of the screen */
#define Z 1.96			/* of a normal distribution: 95 of 100 */

static const char *
kind_text(const struct scene *scene, const struct func *func)
{
	switch (func->kind) {
	case FRAME_KERNEL:
		return "kernel";
	case FRAME_INLINED:
		return "inlined";
	case FRAME_JIT:
		return "run-time code";
	case FRAME_THREAD:
		return "thread";
	case FRAME_NOTE:
		return "note";
	case FRAME_CODE:
		break;
	}
	switch (profile_get_module(scene->profile, func->module)->kind) {
	case MODULE_PROGRAM:
		return "program";
	case MODULE_LIBRARY:
		return "library";
	case MODULE_VDSO:
		return "vdso";
	case MODULE_KERNEL:
		return "kernel";
	case MODULE_JIT:
		return "run-time code";
	case MODULE_NONE:
		break;
	}
	return "code";
}

static bool
has_func(const struct focus *focus)
{
	return focus->func != FUNC_NONE && focus->hidden == 0;
}

/* "1,234 samples", "12.3 ms": what a weight of KIND is. */
static char *
weight_text(char *out, size_t size, uint64_t weight, enum kind kind)
{
	static const char *const units[KIND_COUNT] = {
		[KIND_CPU] = "samples",
		[KIND_FAULT] = "faults",
		[KIND_SWITCH] = "switches",
	};
	char count[32];

	if (units[kind])
		snprintf(out, size, "%s %s",
			 count_text(count, sizeof(count), weight),
			 units[kind]);
	else
		snprintf(out, size, "%.1f ms", (double)weight / 1000.0);
	return out;
}

static void
add_weight(struct pieces *line, const struct scene *scene, int rank,
	   const char *what, uint64_t weight, uint64_t base)
{
	uint64_t all = picture_total(scene->picture);
	char text[64], of_all[16], of_view[16];
	struct piece *p;

	weight_text(text, sizeof(text), weight,
		    picture_filter(scene->picture)->kind);
	share_text(of_all, sizeof(of_all), weight, all);
	share_text(of_view, sizeof(of_view), weight, base);
	if (base == all) {
		p = pieces_add(line, rank, "%s %s, %s of all", what, text,
			       of_all);
		piece_brief(p, "%s %s", what, of_all);
	} else {
		p = pieces_add(line, rank, "%s %s, %s of all, %s of view",
			       what, text, of_all, of_view);
		piece_brief(p, "%s %s, view %s", what, of_all, of_view);
	}
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

static void
add_parent(struct pieces *line, const struct scene *scene,
	   const struct focus *focus, int width)
{
	const struct calltree *tree = picture_tree(scene->picture);
	node_id parent;
	char share[16];

	if (focus->node == NODE_NONE || focus->node == 0 || focus->hidden)
		return;
	parent = calltree_parent(tree, focus->node);
	if (parent == NODE_NONE || parent == 0)
		return;		/* the same as of all */
	share_text(share, sizeof(share), focus->total,
		   calltree_total(tree, parent));
	pieces_offer(line, 3, width, "%s of parent", share);
}

/* What samples cannot say of a share of all, and what they are in time. */
static void
add_precision(struct pieces *line, const struct scene *scene,
	      const struct focus *focus, const struct canvas *canvas)
{
	uint64_t all = picture_total(scene->picture);
	int width = canvas_width(canvas);
	double hz = scene->health->hz_wanted;

	if (picture_filter(scene->picture)->kind != KIND_CPU || !all ||
	    !focus->total || focus->node == 0)
		return;
	pieces_offer(line, 3, width, "%s %.1f %% at 95 %%",
		     canvas_is_ascii(canvas) ? "+/-" : "±",
		     margin_of(focus->total, all));
	if (hz > 0)
		pieces_offer(line, 3, width, "%.*f s",
			     (double)focus->total < 100 * hz,
			     (double)focus->total / hz);
}

void
status_weights(const struct scene *scene, const struct focus *focus,
	       struct canvas *canvas, int y)
{
	struct pieces line = { .ground = STYLE_TEXT };
	int width = canvas_width(canvas);
	struct piece *p;
	char story[160];

	if (has_func(focus) || focus->hidden || focus->node != NODE_NONE) {
		if (!focus->has_no_self)
			add_weight(&line, scene, 1, "self", focus->self,
				   focus->base);
		add_weight(&line, scene, 0, "total", focus->total,
			   focus->base);
	}
	if (change_is_on(scene) && has_func(focus)) {
		change_story(story, sizeof(story), scene, focus);
		pieces_add(&line, 0, "%s", story);
	}
	if (has_func(focus)) {
		p = pieces_add(&line, 2, "%s",
			       kind_text(scene, names_get(scene->names,
							  focus->func)));
		p->style = STYLE_DIM;
	}
	if (width >= MORE_FROM) {
		add_parent(&line, scene, focus, width);
		add_precision(&line, scene, focus, canvas);
		if (focus->places > 1)
			pieces_offer(&line, 3, width, "in %u places",
				     focus->places);
	}
	pieces_draw(&line, canvas, y);
}
