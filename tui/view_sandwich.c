/* SPDX-License-Identifier: MIT */
/*
 * view_sandwich.c - all that calls one function, and all that it calls.
 *
 *	|main            |thread_start  |	its callers, outermost on top
 *	|serve     |idle |gc_run        |
 *	|write     callers above, callees below|	the function, once
 *	|sys_write       |memcpy  |self |	what it calls
 *
 * The two halves are flame graphs over pictures of their own, the upper one
 * flipped: all instances of the function are merged, and a stack that goes
 * through it twice counts once. They share a cursor; only one shows it.
 */
#include <string.h>

#include "core/base.h"
#include "tui/change.h"
#include "tui/flame.h"
#include "tui/text.h"

enum { ABOVE, BELOW, HALVES };

#define LEGEND_FROM 64		/* cells from which the halves are named */

struct sandwich {
	struct flame halves[HALVES];
	size_t at;		/* the half that the cursor is in */
	func_id pivot;
	int width, height;
	const char *notice;
	bool is_begun;
};

static struct scene
scene_of(const struct scene *scene, size_t half)
{
	struct scene copy = *scene;

	copy.picture = half == ABOVE ? scene->above : scene->below;
	return copy;
}

static bool
has_pictures(const struct scene *scene)
{
	return scene->above && scene->below;
}

/* The function's node: all else is below it. */
static node_id
pivot_node(const struct scene *scene, size_t half)
{
	struct scene own = scene_of(scene, half);
	struct weights weights = picture_weights(own.picture);
	node_id best = calltree_first(weights.tree, 0);

	for (node_id node = best; node != NODE_NONE;
	     node = calltree_next(weights.tree, node))
		if (weights_total(&weights, node) >
		    weights_total(&weights, best))
			best = node;
	return best == NODE_NONE ? 0 : best;
}

static bool
is_at_pivot(const struct sandwich *s, const struct scene *scene, size_t half)
{
	const struct flame *flame = &s->halves[half];

	return !flame->cursor.is_bin &&
	       (flame->cursor.node == 0 ||
		flame->cursor.node == pivot_node(scene, half));
}

static void
go_to_pivot(struct sandwich *s, const struct scene *scene, size_t half)
{
	struct flame *flame = &s->halves[half];

	if (flame->zooms.count == 0)
		flame->cursor = (struct place){
			.node = pivot_node(scene, half) };
}

static void
begin(struct sandwich *s, const struct scene *scene)
{
	if (s->is_begun && s->pivot == scene->pivot)
		return;
	for (size_t i = 0; i < HALVES; i++)
		view_flame.remap(&s->halves[i], NULL, 0);
	s->halves[ABOVE].is_flipped = true;
	s->halves[ABOVE].skip = 2;	/* the root, and the function */
	s->halves[BELOW].skip = 1;	/* the root */
	s->halves[ABOVE].unfolded = s->halves[BELOW].unfolded = 1;
	s->at = BELOW;
	s->pivot = scene->pivot;
	s->is_begun = true;
}

/* Rows that HALF would like to show. */
static int
rows_of(const struct sandwich *s, const struct scene *scene, size_t half)
{
	const struct flame *flame = &s->halves[half];
	struct scene own = scene_of(scene, half);

	if (flame->list.is_open)
		return flame->list.count < (size_t)s->height ?
		       (int)flame->list.count + 2 : s->height;
	return flame_crumb_rows(flame, picture_tree(own.picture)) +
	       flame_rows(flame) - flame_first_row(flame);
}

/* Share the height: half for each, and what one does not need the other's. */
static void
split(struct sandwich *s, const struct scene *scene)
{
	int above = rows_of(s, scene, ABOVE), below = rows_of(s, scene, BELOW);
	int most = (s->height - 1) / 2;

	if (above + below > s->height && above > most)
		above = s->height - below > most ? s->height - below : most;
	if (above > s->height - 1)
		above = s->height > 0 ? s->height - 1 : 0;
	s->halves[ABOVE].height = above > 0 ? above : 0;
	s->halves[BELOW].height = s->height - s->halves[ABOVE].height;
}

static void
settle_halves(struct sandwich *s, const struct scene *scene)
{
	for (size_t i = 0; i < HALVES; i++) {
		struct scene own = scene_of(scene, i);
		struct flame *flame = &s->halves[i];

		flame->width = s->width;
		flame->reach = s->height;
		flame->is_passive = i != s->at;
		if (flame->cursor.node == 0 || flame->is_passive)
			go_to_pivot(s, scene, i);
		flame_settle(flame, &own);
		if (flame->cursor.node == 0)
			go_to_pivot(s, scene, i);
	}
}

static void
settle(struct sandwich *s, const struct scene *scene)
{
	begin(s, scene);
	settle_halves(s, scene);
	split(s, scene);
	settle_halves(s, scene);
}

static void
sandwich_layout(void *state, const struct scene *scene, int width, int height)
{
	struct sandwich *s = state;

	s->width = width > 0 ? width : 0;
	s->height = height > 0 ? height : 0;
	if (has_pictures(scene))
		settle(s, scene);
}

/* On the function's own row, as far to the right as it goes. */
static void
draw_legend(const struct sandwich *s, struct canvas *canvas, struct rect area)
{
	static const char text[] = "callers above, callees below ";
	const struct flame *below = &s->halves[BELOW];
	int width = (int)sizeof(text) - 1, x = area.x + area.width - width;

	if (area.width < LEGEND_FROM || below->zooms.count ||
	    below->scroll != below->skip || below->layout.is_waiting)
		return;
	canvas_text(canvas, x, area.y, width, text,
		    canvas_at(canvas, x, area.y)->style, 0);
}

/* Why there is nothing to draw; NULL: there is. */
static const char *
nothing_of(const struct scene *scene)
{
	struct weights weights;

	if (!has_pictures(scene))
		return "Put the cursor on a function, in another view, and "
		       "come back.";
	weights = picture_weights(scene->below);
	if (weights_total(&weights, 0) > 0)
		return NULL;
	return picture_drawn(scene->below) == DRAWN_LOST ?
	       change_words(scene).nothing_less :
	       "No samples of this function here.";
}

static void
sandwich_draw(const void *state, const struct scene *scene,
	      struct canvas *canvas, struct rect area)
{
	const struct sandwich *s = state;
	const char *nothing = nothing_of(scene);
	struct rect part = area;
	struct scene own;

	if (nothing) {
		canvas_text(canvas, area.x + 1, area.y, area.width - 1,
			    nothing, STYLE_DIM, 0);
		return;
	}
	for (size_t i = 0; i < HALVES; i++) {
		own = scene_of(scene, i);
		part.height = s->halves[i].height;
		if (part.height > 0)
			flame_draw(&s->halves[i], &own, canvas, part);
		if (i == ABOVE)
			part.y += part.height;
	}
	if (part.height > 0)
		draw_legend(s, canvas, part);
}

static bool
act_in(struct sandwich *s, const struct scene *scene, size_t half,
       enum action action)
{
	struct scene own = scene_of(scene, half);
	bool is_done = flame_act(&s->halves[half], &own, action);

	s->notice = s->halves[half].notice;
	return is_done;
}

/* Over the function's row into the other half, and back. */
static void
move(struct sandwich *s, const struct scene *scene, enum action action)
{
	bool goes_up = action == ACTION_UP || action == ACTION_PAGE_UP ||
		       action == ACTION_TOP;

	if (!s->halves[s->at].list.is_open && is_at_pivot(s, scene, s->at))
		s->at = goes_up ? ABOVE : BELOW;
	act_in(s, scene, s->at, action);
	if (!s->halves[s->at].list.is_open &&
	    is_at_pivot(s, scene, s->at)) {
		s->at = BELOW;
		go_to_pivot(s, scene, BELOW);
	}
}

static bool
has_hits(const struct sandwich *s, size_t half)
{
	const uint32_t *marks = hits_marks(&s->halves[half].hits);

	return marks && marks[0] > 0;
}

/* All of one half, then all of the other. */
static void
go_to_hit(struct sandwich *s, const struct scene *scene, enum action action)
{
	struct place before = s->halves[s->at].cursor;
	size_t other = 1 - s->at;

	if (has_hits(s, s->at) || !has_hits(s, other)) {
		act_in(s, scene, s->at, action);
		if (!s->notice || !has_hits(s, other) ||
		    !has_hits(s, s->at))
			return;
		s->halves[s->at].cursor = before;
	}
	s->at = other;
	go_to_pivot(s, scene, other);
	act_in(s, scene, other, action);
	s->notice = other == ABOVE ? "search goes on among the callers"
				   : "search goes on among the callees";
}

static void
reset(struct sandwich *s, const struct scene *scene)
{
	for (size_t i = 0; i < HALVES; i++) {
		act_in(s, scene, i, ACTION_RESET);
		go_to_pivot(s, scene, i);
	}
	s->at = BELOW;
}

/* Into a bin here; a frame is the application's, that makes it the pivot. */
static bool
enter(struct sandwich *s, const struct scene *scene)
{
	if (s->halves[s->at].cursor.is_bin || s->halves[s->at].list.is_open)
		return act_in(s, scene, s->at, ACTION_ZOOM);
	if (!is_at_pivot(s, scene, s->at))
		return false;
	s->notice = "this is the function in the middle";
	return true;
}

/* False: ACTION is none of ours. */
static bool
carry_out(struct sandwich *s, const struct scene *scene, enum action action)
{
	switch (action) {
	case ACTION_UP:
	case ACTION_DOWN:
	case ACTION_PAGE_UP:
	case ACTION_PAGE_DOWN:
	case ACTION_TOP:
	case ACTION_BOTTOM:
		move(s, scene, action);
		return true;
	case ACTION_LEFT:
	case ACTION_RIGHT:
	case ACTION_EXPAND:
	case ACTION_COLLAPSE:
		act_in(s, scene, s->at, action);
		return true;
	case ACTION_ZOOM:
		return enter(s, scene);
	case ACTION_BACK:
	case ACTION_PEEL:
		return (s->halves[s->at].zooms.count ||
			s->halves[s->at].list.is_open) &&
		       act_in(s, scene, s->at, action);
	case ACTION_RESET:
		reset(s, scene);
		return true;
	case ACTION_RELAYOUT:
		act_in(s, scene, ABOVE, action);
		act_in(s, scene, BELOW, action);
		return true;
	case ACTION_NEXT:
	case ACTION_PREVIOUS:
		go_to_hit(s, scene, action);
		return true;
	default:
		return false;
	}
}

static bool
sandwich_act(void *state, const struct scene *scene, enum action action)
{
	struct sandwich *s = state;
	bool is_ours;

	s->notice = NULL;
	if (!has_pictures(scene))
		return false;
	settle(s, scene);
	is_ours = carry_out(s, scene, action);
	settle(s, scene);
	return is_ours;
}

static bool
sandwich_click(void *state, const struct scene *scene, int x, int y)
{
	struct sandwich *s = state;
	size_t before = s->at, half;
	struct scene own;
	bool is_again;

	s->notice = NULL;
	if (!has_pictures(scene))
		return false;
	settle(s, scene);
	half = y < s->halves[ABOVE].height ? ABOVE : BELOW;
	own = scene_of(scene, half);
	s->at = half;
	is_again = flame_click(&s->halves[half], &own, x, half == ABOVE ? y :
			       y - s->halves[ABOVE].height);
	settle(s, scene);
	return is_again && before == half;
}

/* Nodes are of other pictures than the application's. */
static struct focus
sandwich_focus(const void *state, const struct scene *scene)
{
	const struct sandwich *s = state;
	struct focus focus = { .node = NODE_NONE, .func = FUNC_NONE,
			       .view_func = FUNC_NONE, .notice = s->notice };
	struct weights wholes;
	struct scene own;

	if (!has_pictures(scene) || !s->is_begun)
		return focus;
	own = scene_of(scene, s->at);
	focus = view_flame.focus(&s->halves[s->at], &own);
	focus.node = NODE_NONE;
	focus.top = 0;
	focus.hit = 0;
	wholes = picture_wholes(own.picture);
	focus.is_zoomed = focus.hidden || !is_at_pivot(s, scene, s->at);
	focus.view = weights_total(&wholes, 0);
	focus.view_func = scene->pivot;
	focus.notice = s->notice;
	if (s->at == BELOW || is_at_pivot(s, scene, s->at))
		focus.has_no_self = false;
	return focus;
}

/* The session makes pictures of what the cursor is on in another view. */
static void
sandwich_show(void *state, const struct scene *scene, func_id func)
{
	(void)state, (void)scene, (void)func;
}

/* The application's nodes are none of ours. */
static void
sandwich_remap(void *state, const node_id *map, size_t count)
{
	struct sandwich *s = state;

	(void)count;
	if (map)
		return;
	for (size_t i = 0; i < HALVES; i++)
		view_flame.remap(&s->halves[i], NULL, 0);
	memset(s, 0, sizeof(*s));
}

void
view_sandwich_remap(void *state, bool is_above, const node_id *map,
		    size_t count)
{
	struct sandwich *s = state;

	view_flame.remap(&s->halves[is_above ? ABOVE : BELOW], map, count);
}

static const struct hint sandwich_hints[] = {
	{ ACTION_ZOOM, ACTION_NONE, "in the middle" },
	{ ACTION_BACK, ACTION_NONE, "back" },
	{ ACTION_NONE, ACTION_NONE, NULL },
};

const struct view_ops view_sandwich = {
	.name = "sandwich",
	.digit = '3',
	.has_widths = true,
	.hints = sandwich_hints,
	.state_size = sizeof(struct sandwich),
	.layout = sandwich_layout,
	.draw = sandwich_draw,
	.act = sandwich_act,
	.click = sandwich_click,
	.focus = sandwich_focus,
	.show = sandwich_show,
	.remap = sandwich_remap,
};
