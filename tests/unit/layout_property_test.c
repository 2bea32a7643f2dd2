/* SPDX-License-Identifier: MIT */
/*
 * layout_property_test.c - what must hold for a layout of any tree.
 */
#include "tests/unit/layout_fixture.h"

typedef __int128 wide;

/* How far the edge AT is from where WEIGHT falls, in 1/(2 * base) of a cell. */
static wide
off(const struct layout *l, int at, uint64_t weight)
{
	wide d = (wide)at * l->base - (wide)weight * l->width;

	return d < 0 ? -2 * d : 2 * d;
}

static bool
is_near(const struct layout *l, int at, uint64_t weight)
{
	return off(l, at, weight) <= (wide)l->base;
}

/* The cell that WEIGHT falls to; halves go up. */
static int
nearest(const struct layout *l, uint64_t weight)
{
	return l->base ? (int)(((wide)2 * weight * l->width + l->base) /
			       (2 * (wide)l->base)) : 0;
}

/* Half a cell or more, between edges that round to the same place. */
static bool
is_forced(const struct layout *l, const struct box *bin)
{
	return bin->kind == BOX_BIN &&
	       (wide)2 * bin->weight * l->width >= (wide)l->base &&
	       nearest(l, bin->start) == nearest(l, bin->start + bin->weight);
}

struct sum {
	unsigned long edges, far;
	double off, worst;	/* in cells */
};

/* Boxes stand side by side inside of their parents, on every row. */
static void
check_order(const struct layout *l)
{
	for (size_t row = 0; row < l->nrows; row++) {
		for (size_t i = l->rows[row]; i < l->rows[row + 1]; i++) {
			const struct box *box = &l->boxes[i], *below;
			int at = box->left;

			assert_true(0 <= box->left && box->left < box->right &&
				    box->right <= l->width);
			if (i > l->rows[row])
				assert_true(box[-1].right <= box->left);
			below = &l->boxes[box->first];
			for (uint32_t k = 0; k < box->count; k++) {
				assert_int_equal(below[k].left, at);
				at = below[k].right;
			}
			assert_true(box->count == 0 || at == box->right);
		}
	}
}

static void
sum_edge(const struct layout *l, int at, uint64_t weight, struct sum *sum)
{
	double cells = (double)off(l, at, weight) / 2 / (double)l->base;

	sum->edges++;
	sum->off += cells;
	sum->far += !is_near(l, at, weight);
	if (cells > sum->worst)
		sum->worst = cells;
}

static void
sum_edges(const struct layout *l, struct sum *sum)
{
	for (size_t i = 1; l->base && i < l->count; i++) {
		const struct box *box = &l->boxes[i];

		sum_edge(l, box->left, box->start, sum);
		sum_edge(l, box->right, box->start + box->weight, sum);
	}
}

/*
 * What the children, the bin and its own time of BOX, and what has no cell,
 * add up to is what BOX has; what has no cell is less than half of one, or own
 * time of less than two, where a frame and a bin have them.
 */
static void
check_weights(const struct layout *l, const struct calltree *tree,
	      const struct box *box)
{
	uint64_t shown = 0, self = calltree_self(tree, box->node);
	bool has_self = false;

	for (uint32_t i = 0; i < box->count; i++) {
		const struct box *below = &l->boxes[box->first + i];

		has_self |= below->kind == BOX_SELF;
		shown += below->weight;
	}
	if (box->count == 0 || (has_self && shown == box->weight))
		return;
	shown += has_self ? 0 : self;
	assert_true(shown <= box->weight);
	assert_true((wide)2 * (box->weight - shown) * l->width <
		    (wide)l->base);
	if (!has_self)
		assert_true((wide)self * l->width < (wide)2 * l->base);
}

/*
 * A layout at rest, without a cursor: every edge is the one that is nearest,
 * so it is off by half a cell at most, but for one case. A bin of half a cell
 * or more is never left out, since it may be all there is to a search or a
 * frame; where both of its edges round to the same place it has no cell unless
 * one of them is drawn elsewhere, more than half a cell off: no other edges
 * could do. It takes the cell from own time or from the frame on its left,
 * with what is below that ("pushed": its right edge is not the nearest). No
 * edge is off by more than a cell then.
 */
static void
check_below(const struct layout *l, const struct box *box, struct sum *sum)
{
	const struct box *below = &l->boxes[box->first];
	bool is_pushed = l->base && box->right !=
			 nearest(l, box->start + box->weight);
	bool is_exact = !is_pushed;

	for (uint32_t i = 0; i < box->count; i++)
		is_exact &= !is_forced(l, &below[i]);
	for (uint32_t i = 0; l->base && i < box->count; i++) {
		const struct box *b = &below[i];
		wide left = off(l, b->left, b->start);
		wide right = off(l, b->right, b->start + b->weight);
		wide most = is_exact ? l->base : 2 * (wide)l->base;

		assert_true(left <= most);
		assert_true(right <= most);
		if (is_exact) {
			assert_int_equal(b->left, nearest(l, b->start));
			assert_int_equal(b->right,
					 nearest(l, b->start + b->weight));
		}
	}
	sum->far += !is_exact;
	sum->edges++;
}

/* Laid out again, nothing moves: edges do not chase each other. */
static void
check_rest(struct fixture *f)
{
	size_t count = f->layout.count;
	struct box *boxes = malloc(count * sizeof(*boxes));

	memcpy(boxes, f->layout.boxes, count * sizeof(*boxes));
	update(f);
	assert_int_equal(f->layout.count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(f->layout.boxes[i].kind, boxes[i].kind);
		assert_int_equal(f->layout.boxes[i].left, boxes[i].left);
		assert_int_equal(f->layout.boxes[i].right, boxes[i].right);
	}
	free(boxes);
}

/* More samples, or a window that moved on; another cursor, or none. */
static void
change(struct fixture *f, int stacks)
{
	func_id funcs[16];
	node_id node = 0;

	if (rand() % 5 == 0)
		calltree_zero(f->tree);
	/* One at a time: arguments have no order, and every compiler its own. */
	for (int i = 0; i < stacks; i++) {
		uint64_t weight = (uint64_t)(rand() % 1000) + 1;
		size_t depth = random_stack(funcs, (unsigned)rand() % 500);

		node = calltree_add(f->tree, funcs, depth, weight);
	}
	f->wish.keep = rand() % 3 ? NODE_NONE : node;
	f->wish.keeps_bin = rand() % 2;
	f->wish.is_held = rand() % 2;
}

static void
random_trees_are_laid_out_without_gap_or_overlap(void **state)
{
	struct sum sum[2] = { 0 }, kept = { 0 }, rest = { 0 };

	(void)state;
	srand(7);
	for (int round = 0; round < 300; round++) {
		struct fixture f;
		int stacks = 1 + rand() % 200;

		begin(&f, 1 + rand() % 500);
		if (round % 2)
			fold(&f);
		for (int step = 0; step < 12; step++) {
			bool is_fresh = step == 0 || rand() % 4 == 0;

			change(&f, stacks);
			f.wish.is_fresh = is_fresh;
			update(&f);
			check_order(&f.layout);
			if (f.wish.keep == NODE_NONE) {
				sum_edges(&f.layout, &sum[is_fresh]);
				continue;
			}
			assert_int_not_equal(layout_frame(&f.layout,
							  f.wish.keep),
					     BOX_NONE);
			if (is_fresh)
				sum_edges(&f.layout, &kept);
		}
		/* what stays is put right in time */
		f.wish.is_fresh = f.wish.is_held = false;
		f.wish.keep = NODE_NONE;
		for (int i = 0; i < 60; i++)
			update(&f);
		check_order(&f.layout);
		sum_edges(&f.layout, &rest);
		check_rest(&f);
		end(&f);
	}
	print_message("edges off by %.2f cells at most, %.3f on average, "
		      "%.1f %% by over half; with a cursor %.2f\n",
		      sum[true].worst, sum[true].off / (double)sum[true].edges,
		      100.0 * (double)sum[true].far / (double)sum[true].edges,
		      kept.worst);
	print_message("kept: %.2f, %.3f, %.1f %%; in time %.2f\n",
		      sum[false].worst,
		      sum[false].off / (double)sum[false].edges,
		      100.0 * (double)sum[false].far /
			      (double)sum[false].edges, rest.worst);
	assert_true(sum[true].worst <= 1);
	assert_true(sum[true].off / (double)sum[true].edges < 0.3);
	assert_true(kept.worst <= 2);	/* a thin frame takes a cell, too */
	assert_true(rest.worst < 1.3);
}

/* At widths 1 to 500, trees of every kind: see check_below(). */
static void
at_rest_no_edge_is_off_by_more_than_half_a_cell(void **state)
{
	struct sum sum = { 0 };

	(void)state;
	srand(8);
	for (int width = 1; width <= 500; width++) {
		for (int tree = 0; tree < 8; tree++) {
			struct fixture f;

			begin(&f, width);
			if (tree % 4 < 2)
				fold(&f);
			change(&f, 1 + rand() % (tree % 2 ? 300 : 8));
			f.wish.keep = NODE_NONE;
			f.wish.keeps_bin = false;
			update(&f);
			check_order(&f.layout);
			for (size_t i = 0; i < f.layout.count; i++) {
				check_weights(&f.layout, f.tree,
					      &f.layout.boxes[i]);
				if (f.layout.boxes[i].kind == BOX_FRAME)
					check_below(&f.layout,
						    &f.layout.boxes[i], &sum);
			}
			end(&f);
		}
	}
	print_message("a cell was taken in %.2f %% of frames\n",
		      100.0 * (double)sum.far / (double)sum.edges);
	assert_true(sum.far > 0 && sum.far * 25 < sum.edges);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			at_rest_no_edge_is_off_by_more_than_half_a_cell),
		cmocka_unit_test(
			random_trees_are_laid_out_without_gap_or_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
