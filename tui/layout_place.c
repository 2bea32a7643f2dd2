/* SPDX-License-Identifier: MIT */
/*
 * layout_place.c - where the edges of frames are.
 *
 * An edge is an exact sum of counts, rounded; or where it was, while that is
 * near enough. What has a box and would round to nothing takes a cell from one
 * of its neighbours: then that edge is off by more than half a cell.
 */
#include "tui/layout_private.h"

#define EDGE_SLACK (CELL * 9 / 10)	/* an edge may be off by so much */
#define WIDTH_SLACK CELL		/* and a frame's width by so much */
#define EDGE_WRONG (CELL * 5 / 4)	/* a bin's cell pushes none so far */

static int
rounded(int64_t at)
{
	return (int)((at + CELL / 2) / CELL);
}

static int64_t
distance(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

/* The cell for an edge at the sum WEIGHT; OLD is where it was, or -1. */
static int
edge(const struct pass *p, uint64_t weight, int old)
{
	int64_t at = layout_exact(p, weight);

	if (!p->is_rounding && old >= 0 &&
	    distance(at, (int64_t)old * CELL) <= EDGE_SLACK)
		return old;
	return rounded(at);
}

/*
 * The same for the right edge of BOX, which must not become much too wide or
 * narrow by it: there would be no room for its children.
 */
static int
right_edge(const struct pass *p, const struct box *box, int old)
{
	uint64_t end = box->start + box->weight;
	int64_t right = layout_exact(p, end);
	int64_t width = right - layout_exact(p, box->start);
	int at = edge(p, end, old);

	if (distance(width, (int64_t)(at - box->left) * CELL) <= WIDTH_SLACK)
		return at;
	return rounded(right);
}

static int
clamp(int value, int least, int most)
{
	value = value < most ? value : most;
	return value > least ? value : least;
}

/* Where the right edge of child I was: its own, or its neighbour's left. */
static int
old_edge(const struct pass *p, size_t i)
{
	const struct layout_child *c = p->layout->children;

	if (c[i].was != BOX_NONE)
		return p->layout->old[c[i].was].right;
	if (i + 1 < p->count && c[i + 1].was != BOX_NONE)
		return p->layout->old[c[i + 1].was].left;
	return -1;
}

/* Where PARENT's bin ended before, or would have begun; or -1. */
static int
old_bin_edge(const struct pass *p, const struct box *parent)
{
	const struct box *old;

	if (parent->was == BOX_NONE ||
	    p->layout->old[parent->was].count == 0)
		return -1;
	old = &p->layout->old[parent->was];
	for (uint32_t i = old->first; i < old->first + old->count; i++) {
		if (p->layout->old[i].kind == BOX_BIN)
			return p->layout->old[i].right;
		if (p->layout->old[i].kind == BOX_SELF)
			return p->layout->old[i].left;
	}
	return old->right;
}

/* A kept frame may be wider than it is: then its siblings are off, too. */
static void
check_edge(struct pass *p, const struct box *box)
{
	int64_t end = layout_exact(p, box->start + box->weight);

	for (size_t i = 0; i < p->count; i++)
		if (p->layout->children[i].is_kept &&
		    p->layout->children[i].weight < p->thinnest)
			return;
	if (distance(end, (int64_t)box->right * CELL) > EDGE_WRONG)
		p->is_wrong = true;
}

/* Boxes for the children, their right edges where these should be. */
static void
push_children(struct pass *p, uint32_t index, const struct box *parent)
{
	uint64_t sum = parent->start;
	int at = parent->left;

	for (size_t i = 0; i < p->count; i++) {
		const struct layout_child *c = &p->layout->children[i];
		struct box box = { .node = c->last, .head = c->node,
				   .links = c->links, .left = at,
				   .parent = index, .was = c->was,
				   .start = sum, .weight = c->weight };

		box.right = right_edge(p, &box, old_edge(p, i));
		sum += c->weight;
		at = box.right;
		layout_push(p->layout, box);
	}
}

/* And for the bin, from AT to END. */
static void
push_bin(struct pass *p, uint32_t index, const struct box *parent, int at,
	 int end)
{
	uint64_t start = parent->start;

	for (size_t i = 0; i < p->count; i++)
		start += p->layout->children[i].weight;
	layout_push(p->layout, (struct box){
		.node = parent->node, .kind = BOX_BIN, .left = at,
		.right = end, .parent = index, .was = BOX_NONE,
		.hidden = p->hidden, .start = start,
		.weight = p->hidden_weight, .has_hit = p->has_hidden_hit });
}

/* How far off the left edge of BOX is at LEFT, and its right one at RIGHT. */
static int64_t
off_left(const struct pass *p, const struct box *box, int left)
{
	return distance(layout_exact(p, box->start), (int64_t)left * CELL);
}

static int64_t
off_right(const struct pass *p, const struct box *box, int right)
{
	return distance(layout_exact(p, box->start + box->weight),
			(int64_t)right * CELL);
}

/*
 * BOX has no cell where it should stand, which is at AT: is the one on its
 * left to give one, rather than what comes after it? There are cells up to
 * END. Own time is rather taken from: nothing stands below it.
 */
static bool
takes_left(const struct pass *p, const struct box *box, int at, int end)
{
	int64_t right = off_right(p, box, at + 1);

	if (at - box[-1].left < 2)
		return false;
	return end - at < 2 || (right > CELL * 3 / 4 &&
				off_left(p, box, at - 1) < right);
}

/*
 * Boxes from FIRST on stand in order in PARENT, and each has a cell. False: a
 * bin would be too far off for that.
 */
static bool
settle(struct pass *p, size_t first, const struct box *parent)
{
	struct layout *l = p->layout;
	int at = parent->left;

	for (size_t i = first; i < l->count; i++) {
		struct box *box = &l->boxes[i];
		int most = parent->right - (int)(l->count - 1 - i);

		if (box->right <= at && i > first &&
		    takes_left(p, box, at, most))
			at = --box[-1].right;
		box->left = at;
		box->right = clamp(box->right, at + 1, most);
		at = box->right;
	}
	for (size_t i = first; i < l->count; i++)
		check_edge(p, &l->boxes[i]);
	return l->count == first || l->boxes[l->count - 1].kind == BOX_FRAME ||
	       off_left(p, &l->boxes[l->count - 1],
			l->boxes[l->count - 1].left) <= CELL;
}

/* Where the last box from FIRST on ends, or PARENT begins. */
static int
end_of(const struct pass *p, size_t first, const struct box *parent)
{
	const struct layout *l = p->layout;

	return l->count > first ? l->boxes[l->count - 1].right : parent->left;
}

bool
layout_place(struct pass *p, uint32_t index, struct box parent)
{
	struct layout *l = p->layout;
	size_t first = l->count;
	uint64_t own = parent.start + parent.weight - p->self;
	bool has_bin = layout_needs_bin(p) &&
		       p->count < (size_t)(parent.right - parent.left);
	int end = p->self ? edge(p, own, old_bin_edge(p, &parent))
			  : parent.right, at;
	bool is_settled;

	push_children(p, index, &parent);
	if (has_bin)
		push_bin(p, index, &parent, parent.left, end);
	if (l->count > first && p->self == 0 && (has_bin || p->hidden == 0))
		l->boxes[l->count - 1].right = parent.right;
	is_settled = settle(p, first, &parent);
	at = end_of(p, first, &parent);
	if (!has_bin && p->hidden > 0 && end > at && at < parent.right)
		push_bin(p, index, &parent, at, clamp(end, at, parent.right));
	at = end_of(p, first, &parent);
	if (p->self > 0 && at < parent.right)
		layout_push(l, (struct box){ .node = parent.node,
					     .kind = BOX_SELF, .left = at,
					     .right = parent.right,
					     .parent = index, .was = BOX_NONE,
					     .start = own,
					     .weight = p->self });
	return is_settled;
}
