/* SPDX-License-Identifier: MIT */
#include "tui/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A layout of its tree, made again and again. */
struct fixture {
	struct calltree *tree;
	struct layout layout;
	struct zoom zoom;
	struct node_set open;
	struct chain_rule chains;
	struct layout_wish wish;
};

static void
begin(struct fixture *f, int width)
{
	memset(f, 0, sizeof(*f));
	f->tree = calltree_new();
	f->wish = (struct layout_wish){ .keep = NODE_NONE, .width = width,
					.rows = 64 };
}

static void
update(struct fixture *f)
{
	f->wish.weights = weights_of(f->tree);
	f->wish.zoom = &f->zoom;
	f->chains.tree = f->tree;
	f->chains.open = &f->open;
	layout_update(&f->layout, &f->wish);
	f->wish.is_fresh = f->wish.refolds = false;
}

static void
fold(struct fixture *f)
{
	f->wish.chains = &f->chains;
}

static void
end(struct fixture *f)
{
	layout_fini(&f->layout);
	node_set_fini(&f->open);
	calltree_free(f->tree);
}

/* Functions are letters: "ab" is a, which called b. */
static node_id
add(struct fixture *f, const char *letters, uint64_t weight)
{
	func_id funcs[64];
	size_t depth = 0;

	for (; letters[depth]; depth++)
		funcs[depth] = (func_id)letters[depth];
	return calltree_add(f->tree, funcs, depth, weight);
}

/*
 * The layout as "all[0,20) / a[0,13) idle.. / ..."; '+' bin, ':' self. Of a
 * chain the last, and how many.
 */
static void
check(struct fixture *f, const char *expected)
{
	const struct layout *l = &f->layout;
	char text[2048] = "";
	size_t at = 0;

	for (size_t row = 0; row < l->nrows; row++) {
		if (row > 0)
			at += (size_t)sprintf(text + at, " /");
		for (size_t i = l->rows[row]; i < l->rows[row + 1]; i++) {
			const struct box *b = &l->boxes[i];
			func_id func = calltree_func(f->tree, b->node);
			char sign = b->kind == BOX_SELF ? ':' :
				    b->kind == BOX_BIN ? '+' :
				    b->node == 0 ? '*' : (char)func;

			at += (size_t)sprintf(text + at, " %c%d-%d", sign,
					      b->left, b->right);
			if (b->links > 1)
				at += (size_t)sprintf(text + at, "x%u",
						      b->links);
		}
	}
	assert_string_equal(text, expected);
}

static void
edges_are_rounded_where_they_fall(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 10);
	add(&f, "a", 1);
	add(&f, "b", 1);
	add(&f, "c", 1);
	update(&f);
	/* 3.33 and 6.67 */
	check(&f, " *0-10 / a0-3 b3-7 c7-10 / :0-3 :3-7 :7-10");
	end(&f);
}

static void
the_biggest_is_first_and_own_time_last(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 20);
	add(&f, "m", 5);
	add(&f, "mx", 2);
	add(&f, "my", 13);
	update(&f);
	check(&f, " *0-20 / m0-20 / y0-13 x13-15 :15-20 / :0-13 :13-15");
	end(&f);
}

static void
thin_children_share_a_bin(void **state)
{
	struct fixture f;
	const struct box *bin;

	(void)state;
	begin(&f, 20);
	add(&f, "ma", 90);
	add(&f, "mb", 3);
	add(&f, "mc", 3);
	add(&f, "md", 4);
	update(&f);
	check(&f, " *0-20 / m0-20 / a0-18 +18-20 / :0-18");
	bin = &f.layout.boxes[layout_bin(&f.layout, 1)];
	assert_int_equal(bin->hidden, 3);
	assert_int_equal(bin->weight, 10);
	end(&f);
}

static void
what_is_less_than_half_a_cell_gets_a_bin_where_it_falls_on_one(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 10);
	add(&f, "a", 960);
	add(&f, "b", 20);
	add(&f, "c", 20);
	update(&f);
	check(&f, " *0-10 / a0-10 / :0-10");
	end(&f);
	begin(&f, 10);
	add(&f, "ma", 515);	/* 5.15 to 5.4 */
	add(&f, "mb", 15);
	add(&f, "mc", 10);
	add(&f, "m", 460);
	update(&f);
	check(&f, " *0-10 / m0-10 / a0-5 :5-10 / :0-5");
	f.wish.keep = 1;	/* but not if the cursor is on it */
	f.wish.keeps_bin = true;
	update(&f);
	check(&f, " *0-10 / m0-10 / a0-5 +5-6 :6-10 / :0-5");
	end(&f);
	begin(&f, 10);
	add(&f, "ma", 535);	/* 5.35 to 5.6: the cell that is rounded to */
	add(&f, "mb", 15);
	add(&f, "mc", 10);
	add(&f, "m", 440);
	update(&f);
	check(&f, " *0-10 / m0-10 / a0-5 +5-6 :6-10 / :0-5");
	end(&f);
}

static void
a_bin_of_half_a_cell_has_one_whoever_gives_it(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 10);
	/* the bin is 4.6 to 5.4 and would round to nothing: own time gives */
	add(&f, "ma", 460);
	add(&f, "mb", 40);
	add(&f, "mc", 40);
	add(&f, "m", 460);
	update(&f);
	check(&f, " *0-10 / m0-10 / a0-5 +5-6 :6-10 / :0-5");
	end(&f);
	begin(&f, 10);
	/* 4.55 to 5.05: a, 4 to 4.55, is nearer */
	add(&f, "ma", 455);
	add(&f, "mb", 25);
	add(&f, "mc", 25);
	add(&f, "m", 495);
	update(&f);
	check(&f, " *0-10 / m0-10 / a0-4 +4-5 :5-10 / :0-4");
	end(&f);
	begin(&f, 10);
	/* 9.3 to 10: it comes to one by itself */
	add(&f, "ma", 370);
	add(&f, "mb", 35);
	add(&f, "mc", 35);
	add(&f, "n", 560);
	update(&f);
	check(&f, " *0-10 / n0-6 m6-10 / :0-6 a6-9 +9-10 / :6-9");
	end(&f);
}

static void
a_bin_is_laid_out_over_what_it_hides(void **state)
{
	struct fixture f;
	node_id out[1];

	(void)state;
	begin(&f, 20);
	out[0] = calltree_parent(f.tree, add(&f, "ma_", 90));
	add(&f, "mb", 3);
	add(&f, "mc", 3);
	add(&f, "md", 4);
	add(&f, "m", 50);
	f.zoom = (struct zoom){ .node = calltree_parent(f.tree, out[0]),
				.is_bin = true, .out = out, .nout = 1 };
	update(&f);
	check(&f, " +0-20 / d0-8 b8-14 c14-20 / :0-8 :8-14 :14-20");
	assert_int_equal(f.layout.base, 10);
	assert_int_equal(f.layout.boxes[0].hidden, 3);
	end(&f);
}

static void
siblings_keep_their_places_until_one_is_clearly_bigger(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 100);
	add(&f, "a", 55);
	add(&f, "b", 45);
	update(&f);
	check(&f, " *0-100 / a0-55 b55-100 / :0-55 :55-100");
	add(&f, "b", 20);	/* 55 : 65, not 25 % more */
	update(&f);
	assert_int_equal(f.layout.boxes[1].node, 1);
	f.wish.is_held = true;	/* clearly more, but not now */
	add(&f, "b", 40);
	update(&f);
	assert_int_equal(f.layout.boxes[1].node, 1);
	assert_true(f.layout.is_waiting);
	f.wish.is_held = false;
	update(&f);
	assert_false(f.layout.is_waiting);
	assert_int_equal(f.layout.boxes[1].node, 2);
	end(&f);
}

static void
a_sibling_must_be_cells_bigger_to_pass(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 100);
	add(&f, "a", 920);
	add(&f, "b", 40);
	add(&f, "c", 40);
	update(&f);
	add(&f, "c", 12);	/* 30 % more, but a cell */
	update(&f);
	assert_int_equal(f.layout.boxes[2].node, 2);
	add(&f, "c", 8);
	update(&f);
	assert_int_equal(f.layout.boxes[2].node, 3);
	end(&f);
}

static void
rows_out_of_sight_keep_their_order(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 100);
	add(&f, "mxa", 50);
	add(&f, "mxb", 45);
	update(&f);
	add(&f, "mxb", 10);	/* bigger, but not clearly */
	update(&f);
	f.wish.rows = 2;
	update(&f);
	f.wish.rows = 64;
	update(&f);
	assert_int_equal(f.layout.boxes[f.layout.rows[3]].node, 3);
	f.wish.is_fresh = true;
	update(&f);
	assert_int_equal(f.layout.boxes[f.layout.rows[3]].node, 4);
	end(&f);
}

static void
two_edges_that_lag_do_not_add_up(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 10);
	add(&f, "a", 700);
	add(&f, "b", 200);
	add(&f, "c", 100);
	update(&f);
	check(&f, " *0-10 / a0-7 b7-9 c9-10 / :0-7 :7-9 :9-10");
	calltree_zero(f.tree);
	add(&f, "a", 765);	/* 7.65 and 8.4: b is not two cells wide */
	add(&f, "b", 75);
	add(&f, "c", 160);
	f.wish.is_held = true;
	update(&f);
	check(&f, " *0-10 / a0-7 b7-8 c8-10 / :0-7 :7-8 :8-10");
	end(&f);
}

static void
an_edge_stays_while_it_is_nearly_right(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 100);
	add(&f, "a", 600);
	add(&f, "b", 400);
	update(&f);
	assert_int_equal(f.layout.boxes[1].right, 60);
	add(&f, "a", 20);	/* 60.8 */
	update(&f);
	assert_int_equal(f.layout.boxes[1].right, 60);
	add(&f, "a", 20);	/* 61.5 */
	update(&f);
	assert_int_equal(f.layout.boxes[1].right, 62);
	add(&f, "b", 6);	/* 61.2 */
	update(&f);
	assert_int_equal(f.layout.boxes[1].right, 62);
	f.wish.is_fresh = true;
	update(&f);
	assert_int_equal(f.layout.boxes[1].right, 61);
	end(&f);
}

static void
a_frame_that_shrinks_does_not_flicker(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 10);
	add(&f, "a", 900);
	add(&f, "b", 100);
	update(&f);
	assert_int_not_equal(layout_frame(&f.layout, 2),
			     BOX_NONE);
	add(&f, "a", 100);	/* 0.91 of a cell */
	update(&f);
	assert_int_not_equal(layout_frame(&f.layout, 2),
			     BOX_NONE);
	add(&f, "a", 500);	/* 0.63 */
	update(&f);
	assert_int_equal(layout_frame(&f.layout, 2), BOX_NONE);
	assert_int_not_equal(layout_bin(&f.layout, 0), BOX_NONE);
	end(&f);
}

static void
what_stays_wrong_is_laid_out_anew(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 40);
	add(&f, "z", 3000);
	for (char c = 'a'; c < 'k'; c++)
		add(&f, (const char[]){ c, '\0' }, 100);
	update(&f);
	assert_int_equal(f.layout.boxes[1].right, 30);
	add(&f, "z", 1500);	/* 32.7, but ten thin frames keep their cells */
	for (int i = 0; i < 3; i++) {
		update(&f);
		assert_int_equal(f.layout.boxes[1].right, 30);
		assert_int_equal(f.layout.boxes[0].count, 11);
	}
	update(&f);
	check(&f, " *0-40 / z0-33 +33-40 / :0-33");
	end(&f);
}

static void
what_the_cursor_is_on_is_always_drawn(void **state)
{
	struct fixture f;
	node_id leaf;

	(void)state;
	begin(&f, 10);
	add(&f, "a", 100000);
	leaf = add(&f, "bcd", 1);
	f.wish.keep = leaf;
	update(&f);
	check(&f, " *0-10 / a0-9 b9-10 / :0-9 c9-10 / d9-10 / :9-10");
	calltree_zero(f.tree);	/* a ghost */
	calltree_sum(f.tree);
	update(&f);
	check(&f, " *0-10 / b0-10 / c0-10 / d0-10");
	end(&f);
}

static void
calls_that_go_but_one_way_are_one_box(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 20);
	fold(&f);
	add(&f, "abcde", 5);
	add(&f, "abcdf", 4);
	add(&f, "xyz", 6);
	add(&f, "xyv", 1);
	add(&f, "klm", 4);
	update(&f);
	/* x and y are no more than two, d is a fork, m is the end */
	check(&f, " *0-20 / d0-9x4 x9-16 m16-20x3 / e0-5 f5-9 y9-16 :16-20 / "
		  ":0-5 :5-9 z9-15 v15-16 / :9-15 :15-16");
	assert_int_equal(layout_frame(&f.layout, 2), layout_frame(&f.layout,
								  4));
	assert_int_equal(f.layout.boxes[1].head, 1);
	f.chains.depth = 1;	/* what is right below the root stays */
	f.wish.is_fresh = true;
	update(&f);
	check(&f, " *0-20 / a0-9 x9-16 k16-20 / d0-9x3 y9-16 l16-20 / "
		  "e0-5 f5-9 z9-15 v15-16 m16-20 / :0-5 :5-9 :9-15 :15-16 "
		  ":16-20");
	f.wish.chains = NULL;
	update(&f);
	assert_int_equal(f.layout.boxes[4].links, 1);
	assert_int_equal(f.layout.nrows, 7);
	end(&f);
}

static void
a_chain_opens_where_it_is_asked_to(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 20);
	fold(&f);
	add(&f, "abcdefg", 20);
	update(&f);
	check(&f, " *0-20 / g0-20x7 / :0-20");
	node_set_add(&f.open, 3);
	update(&f);
	check(&f, " *0-20 / c0-20x3 / g0-20x4 / :0-20");
	node_set_remove(&f.open, 3);
	update(&f);	/* two rows stay two */
	check(&f, " *0-20 / c0-20x3 / g0-20x4 / :0-20");
	f.wish.refolds = true;
	update(&f);
	check(&f, " *0-20 / g0-20x7 / :0-20");
	f.wish.keep = 4;	/* what the cursor is on is the last of one */
	update(&f);
	check(&f, " *0-20 / d0-20x4 / g0-20x3 / :0-20");
	f.wish.keep = 6;
	update(&f);
	check(&f, " *0-20 / d0-20x4 / f0-20x2 / g0-20 / :0-20");
	f.wish.is_fresh = true;
	update(&f);
	check(&f, " *0-20 / f0-20x6 / g0-20 / :0-20");
	end(&f);
}

static void
a_chain_opens_by_itself_only_where_two_ways_can_be_seen(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 20);
	fold(&f);
	add(&f, "abcdefx", 600);
	add(&f, "abcdefy", 380);
	update(&f);
	check(&f, " *0-20 / f0-20x6 / x0-12 y12-20 / :0-12 :12-20");
	add(&f, "abcz", 20);	/* 0.4 of a cell */
	update(&f);
	check(&f, " *0-20 / f0-20x6 / x0-12 y12-20 / :0-12 :12-20");
	add(&f, "abcz", 40);	/* 1.2 cells: one row more, and no other */
	update(&f);
	check(&f, " *0-20 / c0-20x3 / f0-19x3 z19-20 / x0-12 y12-19 :19-20 / "
		  ":0-12 :12-19");
	calltree_zero(f.tree);	/* a window that has lost sight of z again */
	add(&f, "abcdefx", 600);
	add(&f, "abcdefy", 400);
	f.wish.is_held = true;
	update(&f);
	check(&f, " *0-20 / c0-20x3 / f0-20x3 / x0-12 y12-20 / :0-12 :12-20");
	f.wish.is_fresh = true;
	update(&f);
	check(&f, " *0-20 / f0-20x6 / x0-12 y12-20 / :0-12 :12-20");
	end(&f);
}

static void
rows_do_not_fold_under_the_eye(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 20);
	fold(&f);
	add(&f, "abcd", 10);
	add(&f, "abx", 10);
	update(&f);
	calltree_zero(f.tree);
	add(&f, "abcd", 10);	/* all one way now, but they were not */
	update(&f);
	check(&f, " *0-20 / a0-20 / b0-20 / c0-20 / d0-20 / :0-20");
	f.wish.is_fresh = true;
	update(&f);
	check(&f, " *0-20 / d0-20x4 / :0-20");
	end(&f);
}

static void
what_is_to_be_seen_is_laid_out_however_many_rows_that_takes(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 20);
	add(&f, "abcdefgh", 20);
	f.wish.rows = 2;
	f.wish.keep = 5;
	f.wish.rows_below = 2;
	update(&f);
	assert_int_equal(f.layout.nrows, 8);
	assert_int_equal(layout_row(&f.layout, layout_frame(&f.layout, 5)), 5);
	fold(&f);
	f.wish.is_fresh = true;
	update(&f);
	check(&f, " *0-20 / e0-20x5 / h0-20x3 / :0-20");
	assert_int_equal(layout_row(&f.layout, layout_frame(&f.layout, 5)), 1);
	end(&f);
}

static void
nothing_at_all_is_a_layout_too(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 10);
	update(&f);
	check(&f, " *0-10");
	f.wish.width = 0;
	update(&f);
	assert_int_equal(f.layout.count, 0);
	end(&f);
}

static void
counts_near_the_end_of_64_bits_keep_their_shares(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 200);
	add(&f, "a", UINT64_MAX / 4);
	add(&f, "b", UINT64_MAX / 4);
	add(&f, "c", UINT64_MAX / 2 - 8);
	update(&f);
	check(&f, " *0-200 / c0-100 a100-150 b150-200 / :0-100 :100-150 "
		  ":150-200");
	/* beyond it sums stop: no sense, but no crash and no hang */
	for (func_id func = 0; func < 50000; func++)
		calltree_add(f.tree, &func, 1, UINT64_MAX / 3);
	update(&f);
	update(&f);
	assert_true(f.layout.boxes[0].count <= 200);
	end(&f);
}

static void
a_hundred_thousand_rows_are_laid_out(void **state)
{
	struct fixture f;
	func_id *funcs = calloc(100000, sizeof(*funcs));

	(void)state;
	begin(&f, 80);
	for (func_id i = 0; i < 100000; i++)
		funcs[i] = i % 7;
	f.wish.keep = calltree_add(f.tree, funcs, 100000, 3);
	f.wish.rows = 100001;
	update(&f);
	assert_int_equal(f.layout.nrows, 100001);
	f.wish.keep = NODE_NONE;
	f.wish.rows = 10;	/* rows out of sight are forgotten in time */
	update(&f);
	assert_true(f.layout.nrows < 1000);
	free(funcs);
	end(&f);
}

/* --- properties */

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
	double missing;		/* of what has no box, at most */
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

/* SEED's own stack: few functions to choose from at the root, then more. */
static size_t
random_stack(func_id *funcs, unsigned seed)
{
	uint64_t hash = seed * 0x9e3779b97f4a7c15ull;
	size_t depth = 2 + (hash >> 32) % 11;

	for (size_t i = 0; i < depth; i++) {
		hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9ull;
		funcs[i] = (func_id)((hash >> 32) % (2 + i / 2));
	}
	return depth;
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

/* --- stability */

#define POPULATION 400
#define PER_STEP 200
#define STEPS 80
#define WARM_UP 10

struct motion {
	unsigned long frames, moved, jumped;
};

/* The box of NODE in ROW; or BOX_NONE. */
static uint32_t
find_box(const struct layout *l, size_t row, node_id node)
{
	if (row >= l->nrows)
		return BOX_NONE;
	for (size_t i = l->rows[row]; i < l->rows[row + 1]; i++)
		if (l->boxes[i].node == node &&
		    l->boxes[i].kind == BOX_FRAME)
			return (uint32_t)i;
	return BOX_NONE;
}

static void
count_moves(const struct layout *old, const struct layout *new,
	    struct motion *motion)
{
	for (size_t row = 0; row < new->nrows; row++) {
		for (size_t i = new->rows[row]; i < new->rows[row + 1]; i++) {
			const struct box *b = &new->boxes[i];
			uint32_t was;
			int off;

			if (b->kind != BOX_FRAME)
				continue;
			was = find_box(old, row, b->node);
			if (was == BOX_NONE)
				continue;
			off = abs(old->boxes[was].left - b->left);
			motion->frames++;
			motion->moved += off > 0;
			motion->jumped += off >= 5;
		}
	}
}

/* A copy of what count_moves() needs. */
static void
remember(struct layout *copy, const struct layout *l)
{
	copy->boxes = realloc(copy->boxes, l->count * sizeof(*copy->boxes));
	copy->rows = realloc(copy->rows, (l->nrows + 1) * sizeof(*copy->rows));
	memcpy(copy->boxes, l->boxes, l->count * sizeof(*copy->boxes));
	memcpy(copy->rows, l->rows, (l->nrows + 1) * sizeof(*copy->rows));
	copy->count = l->count;
	copy->nrows = l->nrows;
}

/*
 * Samples of a workload that does not change: every stack has its share, and
 * what moves on the screen is noise. WINDOW steps are summed; 0: all.
 */
static struct motion
replay(bool is_plain, int window)
{
	static const unsigned seed = 3;
	struct fixture f;
	struct layout before = { 0 };
	struct motion motion = { 0 };
	unsigned (*drawn)[PER_STEP] = calloc(STEPS, sizeof(*drawn));
	func_id funcs[16];

	srand(seed);
	begin(&f, 120);
	for (int step = 0; step < STEPS; step++) {
		int first = window && step >= window ? step - window + 1 : 0;

		/* shares fall off as 1/rank, nearly */
		for (int i = 0; i < PER_STEP; i++)
			drawn[step][i] = (unsigned)(rand() % POPULATION) *
					 (unsigned)(rand() % POPULATION) /
					 POPULATION;
		calltree_zero(f.tree);
		for (int s = first; s <= step; s++)
			for (int i = 0; i < PER_STEP; i++)
				calltree_add(f.tree, funcs,
					     random_stack(funcs,
							  drawn[s][i]),
					     1);
		f.wish.is_fresh = is_plain;
		update(&f);
		if (step >= WARM_UP)
			count_moves(&before, &f.layout, &motion);
		remember(&before, &f.layout);
	}
	free(before.boxes);
	free(before.rows);
	free(drawn);
	end(&f);
	return motion;
}

static void
a_steady_workload_makes_a_steady_picture(void **state)
{
	(void)state;
	for (int window = 0; window <= 10; window += 10) {
		struct motion plain = replay(true, window);
		struct motion ours = replay(false, window);

		print_message("window %2d: plain %lu of %lu edges moved, "
			      "%lu by 5; ours %lu of %lu, %lu\n", window,
			      plain.moved, plain.frames, plain.jumped,
			      ours.moved, ours.frames, ours.jumped);
		assert_true(plain.moved > 100);
		/* all samples: a quarter at most; a window has more noise */
		assert_true(ours.moved * (window ? 2 : 4) <= plain.moved);
		assert_true(ours.jumped * 5 <= plain.jumped);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_are_rounded_where_they_fall),
		cmocka_unit_test(the_biggest_is_first_and_own_time_last),
		cmocka_unit_test(thin_children_share_a_bin),
		cmocka_unit_test(
			what_is_less_than_half_a_cell_gets_a_bin_where_it_falls_on_one),
		cmocka_unit_test(a_bin_of_half_a_cell_has_one_whoever_gives_it),
		cmocka_unit_test(a_bin_is_laid_out_over_what_it_hides),
		cmocka_unit_test(
			siblings_keep_their_places_until_one_is_clearly_bigger),
		cmocka_unit_test(a_sibling_must_be_cells_bigger_to_pass),
		cmocka_unit_test(rows_out_of_sight_keep_their_order),
		cmocka_unit_test(two_edges_that_lag_do_not_add_up),
		cmocka_unit_test(an_edge_stays_while_it_is_nearly_right),
		cmocka_unit_test(a_frame_that_shrinks_does_not_flicker),
		cmocka_unit_test(what_stays_wrong_is_laid_out_anew),
		cmocka_unit_test(what_the_cursor_is_on_is_always_drawn),
		cmocka_unit_test(calls_that_go_but_one_way_are_one_box),
		cmocka_unit_test(a_chain_opens_where_it_is_asked_to),
		cmocka_unit_test(
			a_chain_opens_by_itself_only_where_two_ways_can_be_seen),
		cmocka_unit_test(rows_do_not_fold_under_the_eye),
		cmocka_unit_test(
			what_is_to_be_seen_is_laid_out_however_many_rows_that_takes),
		cmocka_unit_test(nothing_at_all_is_a_layout_too),
		cmocka_unit_test(
			counts_near_the_end_of_64_bits_keep_their_shares),
		cmocka_unit_test(a_hundred_thousand_rows_are_laid_out),
		cmocka_unit_test(
			at_rest_no_edge_is_off_by_more_than_half_a_cell),
		cmocka_unit_test(
			random_trees_are_laid_out_without_gap_or_overlap),
		cmocka_unit_test(a_steady_workload_makes_a_steady_picture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
