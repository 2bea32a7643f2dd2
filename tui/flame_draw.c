/* SPDX-License-Identifier: MIT */
/*
 * flame_draw.c - the flame view's boxes to cells.
 *
 * A frame is blanks on its colour with its name on them; never a block
 * character, so that a copied screen stays readable. Where there are few
 * colours a line in the first cell tells frames apart.
 */
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/hue.h"
#include "tui/change.h"
#include "tui/flame.h"
#include "tui/shares.h"
#include "tui/text.h"

#define LABEL_MAX 2048		/* bytes; more than the widest screen shows */
#define BLANK_FROM 6		/* cells from which a name is set in by one */
#define SELF_FROM 8		/* cells from which own time says what it is */
#define NAME_FROM 3		/* cells of a name beside a change */
#define HOLD_FROM 40		/* cells from which it is said */
#define CRUMB_CELLS 24		/* of a caller's name in the crumbs' line */
#define CRUMBS_MAX 64
#define CRUMBS_FROM 12		/* cells; below there is room for one name */

struct painter {
	const struct flame *flame;
	const struct scene *scene;
	const struct calltree *tree;
	struct canvas *canvas;
	struct rect area;
	func_id same;		/* function under the cursor */
	node_id root;		/* what changes are shares of */
	uint32_t cursor;	/* box under it */
	bool is_ascii, has_lines;
};

struct look_of {
	enum style style;
	unsigned flags;
};

static const char *
node_name(const struct painter *p, node_id node)
{
	return shares_frame(p->scene, calltree_func(p->tree, node));
}

/* Styles are in the order of hues. */
_Static_assert(STYLE_UNKNOWN_4 == STYLE_PROGRAM_1 + HUES * HUE_SHADES - 1,
	       "a style for each shade of each hue");

static enum style
kind_style(const struct scene *scene, func_id func)
{
	const struct func *of = names_get(scene->names, func);
	unsigned hue = hue_of(scene->profile, of);

	return (enum style)(STYLE_PROGRAM_1 + hue * HUE_SHADES +
			    hue_shade(names_text(scene->names, func)));
}

/* Does the search find one of the calls in BOX? */
static bool
is_hit(const struct painter *p, const struct box *box)
{
	node_id node = box->node;

	for (uint32_t i = 0; i < box->links; i++) {
		if (search_hits(p->scene->search, calltree_func(p->tree, node)))
			return true;
		node = calltree_parent(p->tree, node);
	}
	return false;
}

static struct look_of
frame_look(const struct painter *p, const struct box *box)
{
	const struct scene *scene = p->scene;
	const uint32_t *marks = hits_marks(&p->flame->hits);
	func_id func = calltree_func(p->tree, box->node);
	struct look_of look = { .style = STYLE_ROOT };

	if (box->node != 0 && func != FUNC_NONE)
		look.style = kind_style(scene, func);
	if (box->weight == 0)
		look.style = STYLE_DIM;
	if (change_is_on(scene) && func != FUNC_NONE) {
		struct difference d = change_of(scene, box->node, p->root);

		look.style = change_style(&d);
	}
	if (marks && box->weight > 0 && is_hit(p, box))
		return (struct look_of){ STYLE_HIT, CELL_BOLD };
	if (marks && !marks[box->node])
		look.flags = CELL_DIM;
	if (func != FUNC_NONE && func == p->same && !change_is_on(scene))
		look = (struct look_of){ .style = STYLE_SAME };
	return look;
}

static struct look_of
box_look(const struct painter *p, uint32_t index)
{
	const struct box *box = &p->flame->layout.boxes[index];
	const uint32_t *marks = hits_marks(&p->flame->hits);
	struct look_of look = { .style = STYLE_SELF };

	if (box->kind == BOX_FRAME)
		look = frame_look(p, box);
	else if (box->kind == BOX_BIN && box->has_hit)
		look = (struct look_of){ STYLE_HIT, CELL_BOLD };
	else if (box->kind == BOX_BIN)
		look.style = STYLE_BIN;
	if (marks && box->kind != BOX_FRAME && !box->has_hit &&
	    index > 0)
		look.flags = CELL_DIM;
	if (index == p->cursor || flame_is_marked(p->flame, index)) {
		look.style = STYLE_CURSOR;
		look.flags &= CELL_BOLD;
	}
	return look;
}

/*
 * "main … work (6)", "… work (6)", "…rk (6)" or "wo…k": the last one's name is
 * worth the most, since what stands below is called from there.
 */
static void
chain_label(const struct painter *p, const struct box *box, int width,
	    char *label, size_t size)
{
	const char *dots = p->is_ascii ? "~ " : "… ";
	const char *last = node_name(p, box->node);
	char count[16], first[256], name[1024];
	int room, rest;

	snprintf(count, sizeof(count), " (%u)", box->links);
	room = width - text_width(count) - 2;
	label_fit(name, sizeof(name), last, room, p->is_ascii);
	rest = room - text_width(name) - 1;
	label_fit(first, sizeof(first), node_name(p, box->head),
		  rest < room / 2 ? rest : room / 2, p->is_ascii);
	if (room < NAME_FROM)
		label_fit(label, size, last, width, p->is_ascii);
	else if (*first && rest >= NAME_FROM)
		snprintf(label, size, "%s %s%s%s", first, dots, name, count);
	else
		snprintf(label, size, "%s%s%s", dots, name, count);
}

/* "+3.1 serve": what changed and the name, if there is room for both. */
static void
frame_label(const struct painter *p, const struct box *box, int width,
	    char label[LABEL_MAX])
{
	struct difference d;
	char change[16] = "";
	int used = 0;

	if (change_is_on(p->scene)) {
		d = change_of(p->scene, box->node, p->root);
		diff_word(change, sizeof(change), &d);
	}
	if (*change && width >= text_width(change))
		used = snprintf(label, LABEL_MAX, "%s ", change);
	if (box->links > 1) {
		chain_label(p, box, width - used, label + used,
			    LABEL_MAX - (size_t)used);
		return;
	}
	if (width - used >= NAME_FROM || !used)
		label_fit(label + used, LABEL_MAX - (size_t)used,
			  node_name(p, box->node), width - used, p->is_ascii);
}

/* What stands in BOX, WIDTH cells wide; into LABEL. */
static void
box_label(const struct painter *p, const struct box *box, int width,
	  char label[LABEL_MAX])
{
	const char *sign = p->flame->zooms.now.is_marked ? "" : "+";
	char name[LABEL_MAX - 64];
	int need;

	label[0] = '\0';
	if (box->kind == BOX_FRAME) {
		frame_label(p, box, width, label);
	} else if (box->kind == BOX_SELF) {
		if (width >= SELF_FROM && !p->flame->has_callers_below)
			snprintf(label, LABEL_MAX, "self");
	} else if (box->parent == BOX_NONE) {
		need = snprintf(label, LABEL_MAX, "%s%u of ", sign,
				box->hidden);
		label_fit(name, sizeof(name), node_name(p, box->node),
			  width - need, p->is_ascii);
		snprintf(label, LABEL_MAX, "%s%u of %s", sign, box->hidden,
			 name);
	} else {
		need = snprintf(label, LABEL_MAX, "+%u", box->hidden);
		if (need > width)
			snprintf(label, LABEL_MAX, "+");
	}
}

static void
draw_box(const struct painter *p, const struct box *box, int y,
	 struct look_of look)
{
	int left = p->area.x + box->left, right = p->area.x + box->right;
	char label[LABEL_MAX];
	int width;

	if (right > p->area.x + p->area.width)
		right = p->area.x + p->area.width;
	width = right - left;
	if (width <= 0)
		return;
	canvas_fill(p->canvas, (struct rect){ left, y, width, 1 }, look.style,
		    look.flags);
	if (p->has_lines && box->kind == BOX_SELF) {
		for (int x = left; x < right; x++)
			canvas_text(p->canvas, x, y, 1,
				    p->is_ascii ? "." : "·", look.style,
				    look.flags);
	} else if (p->has_lines && box->kind == BOX_FRAME) {
		canvas_text(p->canvas, left, y, 1, p->is_ascii ? "|" : "▏",
			    look.style, look.flags);
		left++;
	} else if (width >= BLANK_FROM) {
		left++;
	}
	box_label(p, box, right - left, label);
	canvas_text(p->canvas, left, y, right - left, label, look.style,
		    look.flags);
}

/* Touching neighbours that look the same take the two lightness steps. */
static void
draw_row(const struct painter *p, size_t row, int y)
{
	const struct layout *l = &p->flame->layout;
	struct look_of look, before = { .style = STYLE_COUNT };
	int end = -1;

	for (size_t i = l->rows[row]; i < l->rows[row + 1]; i++) {
		const struct box *box = &l->boxes[i];

		look = box_look(p, (uint32_t)i);
		if (box->left == end && look.style == before.style &&
		    !(before.flags & CELL_ODD))
			look.flags |= CELL_ODD;
		draw_box(p, box, y, look);
		before = look;
		end = box->right;
	}
}

/* A caller's name in WIDTH cells and its share. */
static void
crumb_label(const struct painter *p, node_id node, int width, char *out,
	    size_t size)
{
	struct weights weights = picture_weights(p->scene->picture);
	char name[LABEL_MAX - 40], share[32];

	label_fit(name, sizeof(name), node_name(p, node), width, p->is_ascii);
	share_text(share, sizeof(share), weights_total(&weights, node),
		   shares_whole(p->scene, calltree_parent(p->tree, node)));
	snprintf(out, size, "%s %s", name, share);
}

static enum style
crumb_style(const struct painter *p, node_id node)
{
	return node == p->flame->cursor.node ? STYLE_CURSOR : STYLE_ANCESTOR;
}

/* One row for each caller: the one at DEPTH. */
static void
draw_caller(const struct painter *p, uint32_t depth, int y)
{
	struct rect area = { p->area.x, y, p->area.width, 1 };
	node_id node = p->flame->zooms.now.node;
	char label[LABEL_MAX];

	while (calltree_depth(p->tree, node) > depth)
		node = calltree_parent(p->tree, node);
	crumb_label(p, node, p->area.width - 10, label, sizeof(label));
	canvas_fill(p->canvas, area, crumb_style(p, node), 0);
	canvas_text(p->canvas, area.x + 1, y, area.width - 1, label,
		    crumb_style(p, node), 0);
}

/*
 * As many callers as fit in one line: up to the zoomed frame, or up to the
 * cursor if it is further out.
 */
static void
draw_crumbs(const struct painter *p, int y)
{
	const char *arrow = p->is_ascii ? " > " : " › ";
	const char *more = p->is_ascii ? "~ > " : "… › ";
	node_id last = calltree_parent(p->tree, p->flame->zooms.now.node);
	node_id shown[CRUMBS_MAX], cursor = p->flame->cursor.node, node;
	int width = p->area.width - 1, used = 4, x = p->area.x + 1;
	char label[LABEL_MAX];
	size_t n = 0;

	if (calltree_depth(p->tree, cursor) < calltree_depth(p->tree, last))
		last = cursor;
	if (p->area.width < CRUMBS_FROM) {
		draw_caller(p, calltree_depth(p->tree, last), y);
		return;
	}
	for (node = last; n < CRUMBS_MAX && node != NODE_NONE;
	     node = node ? calltree_parent(p->tree, node) : NODE_NONE) {
		crumb_label(p, node, CRUMB_CELLS, label, sizeof(label));
		used += text_width(label) + 3;
		if (used > width && n > 0)
			break;
		shown[n++] = node;
	}
	canvas_fill(p->canvas, (struct rect){ p->area.x, y, p->area.width, 1 },
		    STYLE_ANCESTOR, 0);
	if (node != NODE_NONE)
		x += canvas_text(p->canvas, x, y, width, more, STYLE_ANCESTOR,
				 0);
	while (n-- > 0) {
		crumb_label(p, shown[n], CRUMB_CELLS, label, sizeof(label));
		x += canvas_text(p->canvas, x, y, p->area.x + width + 1 - x,
				 label, crumb_style(p, shown[n]), 0);
		x += canvas_text(p->canvas, x, y, p->area.x + width + 1 - x,
				 arrow, STYLE_ANCESTOR, 0);
	}
}

/* Why siblings are not in the order of their sizes; on the top frame. */
static void
draw_hold(const struct painter *p, int y)
{
	static const char text[] = "order held ";
	int width = (int)sizeof(text) - 1;

	if (p->flame->layout.is_waiting && p->area.width >= HOLD_FROM)
		canvas_text(p->canvas, p->area.x + p->area.width - width, y,
			    width, text, box_look(p, 0).style, 0);
}

/* The screen's line for line Y of the page. */
static int
line_at(const struct painter *p, int y)
{
	if (p->flame->is_flipped)
		y = p->area.height - 1 - y;
	return p->area.y + y;
}

/* What is above and below the page; drawn if not all of it fits. */
static void
draw_overflow(const struct painter *p)
{
	const struct flame *flame = p->flame;
	int hidden = flame->scroll - flame_first_row(flame);
	bool is_ascii = p->is_ascii, is_flipped = flame->is_flipped;
	const char *up = is_ascii ? "^" : "▲", *down = is_ascii ? "v" : "▼";
	char text[96] = "";
	int y = line_at(p, flame->page);

	if (flame->page >= p->area.height)
		return;
	if (hidden > 0)
		snprintf(text, sizeof(text), "%s %d %s  ", is_flipped ? down :
			 up, hidden, is_flipped ? "below" : "above");
	if (flame->has_more)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s more %s", is_flipped ? up : down, is_flipped ?
			 "above" : "below");
	canvas_text(p->canvas, p->area.x + 1, y, p->area.width - 1, text,
		    STYLE_DIM, 0);
}

/* Nothing to draw is a normal state, and has a sentence. */
static void
draw_emptiness(const struct painter *p)
{
	const struct health *health = p->scene->health;
	const char *text = "No samples here.";
	int rows = flame_crumb_rows(p->flame, p->tree) +
		   flame_rows(p->flame) - p->flame->scroll;

	if (picture_drawn(p->scene->picture) == DRAWN_LOST)
		text = change_words(p->scene).nothing_less;
	else if (calltree_count(p->tree) <= 1)
		text = !health || !health->is_live
			       ? "There are no samples in this profile."
		       : health->is_suspended
			       ? "No samples: the target is stopped "
				 "(kill -CONT)."
			       : "No samples yet: the target has not run.";
	if (rows < p->area.height)
		canvas_text(p->canvas, p->area.x + 1, line_at(p, rows),
			    p->area.width - 1, text, STYLE_DIM, 0);
}

void
flame_draw(const void *state, const struct scene *scene, struct canvas *canvas,
	   struct rect area)
{
	const struct flame *flame = state;
	const struct calltree *tree = picture_tree(scene->picture);
	struct painter p = { .flame = flame, .scene = scene, .tree = tree,
			     .canvas = canvas, .area = area,
			     .same = FUNC_NONE,
			     .root = flame->zooms.now.node,
			     .is_ascii = canvas_is_ascii(canvas) };
	int crumbs = flame_crumb_rows(flame, tree);
	int callers = flame_callers(flame, tree);
	int rows = crumbs + flame_rows(flame);

	if (flame->map_rows) {
		p.area.height = 1;
		flame_map_draw(flame, scene, canvas, p.area);
		area.y++;
		area.height--;
		p.area = area;
	}
	if (flame->list.is_open) {
		bin_list_draw(&flame->list, scene, canvas, area);
		return;
	}
	p.has_lines = p.is_ascii || scene->has_few_colours;
	p.cursor = flame->is_passive ? BOX_NONE : flame_cursor_box(flame, tree);
	if (!flame->cursor.is_bin && !flame->is_passive)
		p.same = calltree_func(tree, flame->cursor.node);
	for (int y = 0; y < flame->page && y < area.height; y++) {
		int row = flame->scroll + y, line = line_at(&p, y);

		if (row < crumbs && callers > CRUMB_ROWS)
			draw_crumbs(&p, line);
		else if (row < crumbs)
			draw_caller(&p, (uint32_t)row, line);
		else if (row < rows)
			draw_row(&p, (size_t)(row - crumbs), line);
		if (row == crumbs && rows > crumbs)
			draw_hold(&p, line);
	}
	draw_overflow(&p);
	if (flame->layout.base == 0)
		draw_emptiness(&p);
}
