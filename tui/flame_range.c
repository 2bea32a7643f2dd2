/* SPDX-License-Identifier: MIT */
/*
 * flame_range.c - frames side by side, marked to fill the width together.
 *
 * A range goes from one child of a frame to another, by the order they stand
 * in. It may take in the bin; then what comes new is in it, as in any bin.
 */
#include "core/base.h"
#include "tui/flame.h"

/* Boxes FIRST to LAST, which are children of PARENT. */
struct run {
	uint32_t parent, first, last;
};

static uint32_t
box_at(const struct flame *flame, struct place place)
{
	return place.is_bin ? layout_bin(&flame->layout, place.node)
			    : layout_frame(&flame->layout, place.node);
}

static struct place
place_of(const struct box *box)
{
	return (struct place){ .node = box->node,
			       .is_bin = box->kind == BOX_BIN };
}

/* False: nothing is marked, or it is not side by side any more. */
static bool
marked_run(const struct flame *flame, struct run *run)
{
	const struct layout *l = &flame->layout;
	uint32_t from, to;

	if (!flame->range.is_on)
		return false;
	from = box_at(flame, flame->range.from);
	to = box_at(flame, flame->range.to);
	if (from == BOX_NONE || to == BOX_NONE || from == 0 || to == 0 ||
	    l->boxes[from].parent != l->boxes[to].parent)
		return false;
	*run = (struct run){ .parent = l->boxes[from].parent,
			     .first = from < to ? from : to,
			     .last = from < to ? to : from };
	return true;
}

bool
flame_is_marked(const struct flame *flame, uint32_t box)
{
	struct run run;

	return marked_run(flame, &run) && box >= run.first && box <= run.last;
}

unsigned
flame_marked(const struct flame *flame, uint64_t *weight, node_id *parent)
{
	const struct box *boxes = flame->layout.boxes;
	unsigned count = 0;
	struct run run;

	if (!marked_run(flame, &run) || run.first == run.last)
		return 0;
	*weight = 0;
	*parent = boxes[run.parent].node;
	for (uint32_t i = run.first; i <= run.last; i++) {
		count += boxes[i].kind == BOX_BIN ? boxes[i].hidden : 1;
		*weight = add_saturating(*weight, boxes[i].weight);
	}
	return count;
}

void
flame_mark(struct flame *flame, const struct calltree *tree, int step)
{
	const struct layout *l = &flame->layout;
	struct flame_range *range = &flame->range;
	struct run run;
	uint32_t next;

	if (!marked_run(flame, &run)) {
		*range = (struct flame_range){ true, flame->cursor,
					       flame->cursor };
		if (!marked_run(flame, &run)) {
			range->is_on = false;
			flame->notice = "nothing beside it to mark";
			return;
		}
	}
	next = box_at(flame, range->to) + (uint32_t)step;
	if (next < l->boxes[run.parent].first ||
	    next >= l->boxes[run.parent].first + l->boxes[run.parent].count ||
	    l->boxes[next].kind == BOX_SELF) {
		range->is_on = run.first != run.last;
		flame->notice = "the last one of its caller on this side";
		return;
	}
	range->to = place_of(&l->boxes[next]);
	flame_put(flame, tree, range->to);
	flame->notice = "Enter zooms to what is marked, Esc leaves it";
}

/* The box at X in the row of BOX; BOX_NONE: there is none to mark. */
static uint32_t
box_across(const struct layout *l, uint32_t box, int x)
{
	size_t row = layout_row(l, box);

	for (size_t i = l->rows[row]; i < l->rows[row + 1]; i++)
		if (x >= l->boxes[i].left && x < l->boxes[i].right)
			return l->boxes[i].kind == BOX_SELF ? BOX_NONE :
							      (uint32_t)i;
	return BOX_NONE;
}

bool
flame_drag(void *state, const struct scene *scene, int x)
{
	struct flame *flame = state;
	const struct layout *l = &flame->layout;
	uint32_t from, to;

	if (flame->list.is_open)
		return false;
	flame_settle(flame, scene);
	from = flame_cursor_box(flame, picture_tree(scene->picture));
	to = from == BOX_NONE ? BOX_NONE : box_across(l, from, x);
	if (to == BOX_NONE || from == to || from == 0)
		return flame->range.is_on;
	while (l->boxes[from].parent != l->boxes[to].parent) {
		from = l->boxes[from].parent;
		to = l->boxes[to].parent;
	}
	flame->range = (struct flame_range){ true, place_of(&l->boxes[from]),
					     place_of(&l->boxes[to]) };
	return true;
}

/* What is in the zoom beside the frames of PARENT that RUN leaves out. */
static void
list_rest(const struct flame *flame, const struct run *run, struct zoom *zoom)
{
	const struct zoom *now = &flame->zooms.now;
	const struct box *boxes = flame->layout.boxes, *parent;
	bool is_nested = run->parent == 0;

	parent = &boxes[run->parent];
	zoom->is_range = is_nested && now->is_range;
	zoom->out = xcalloc(parent->count + (is_nested ? now->nout : 0),
			    sizeof(*zoom->out));
	for (size_t i = 0; is_nested && i < now->nout; i++)
		zoom->out[zoom->nout++] = now->out[i];
	for (uint32_t i = parent->first; i < parent->first + parent->count;
	     i++) {
		if (boxes[i].kind != BOX_FRAME ||
		    (i >= run->first && i <= run->last))
			continue;
		if (zoom->is_range)
			zoom_drop(zoom, boxes[i].head);
		else
			zoom->out[zoom->nout++] = boxes[i].head;
	}
}

static void
list_run(const struct flame *flame, const struct run *run, struct zoom *zoom)
{
	const struct box *boxes = flame->layout.boxes;

	zoom->is_range = true;
	zoom->out = xcalloc(run->last - run->first + 1, sizeof(*zoom->out));
	for (uint32_t i = run->first; i <= run->last; i++)
		zoom->out[zoom->nout++] = boxes[i].head;
}

static struct zoom
zoom_of_run(const struct flame *flame, const struct run *run)
{
	const struct box *boxes = flame->layout.boxes;
	struct zoom zoom = { .node = boxes[run->parent].node, .is_bin = true };
	bool has_bin = false;

	for (uint32_t i = run->first; i <= run->last; i++)
		has_bin |= boxes[i].kind == BOX_BIN;
	if (has_bin)
		list_rest(flame, run, &zoom);
	else
		list_run(flame, run, &zoom);
	return zoom;
}

struct zoom
flame_zoom_of_bin(const struct flame *flame, uint32_t bin)
{
	struct run run = { flame->layout.boxes[bin].parent, bin, bin };

	return zoom_of_run(flame, &run);
}

bool
flame_zoom_of_marked(const struct flame *flame, struct zoom *zoom)
{
	struct run run;

	if (!marked_run(flame, &run) || run.first == run.last)
		return false;
	*zoom = zoom_of_run(flame, &run);
	zoom->is_marked = true;
	return true;
}
