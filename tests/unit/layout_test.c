/* SPDX-License-Identifier: MIT */
/*
 * layout_test.c - where frames stand, and when they move.
 */
#include "tests/unit/layout_fixture.h"

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
what_is_cut_off_is_in_a_bin_however_wide(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 100);
	add(&f, "a", 60);
	add(&f, "b", 25);
	add(&f, "c", 9);
	add(&f, "d", 6);
	update(&f);
	check(&f, " *0-100 / a0-60 b60-85 c85-94 d94-100 /"
		  " :0-60 :60-85 :85-94 :94-100");
	f.wish.cut = 100;
	update(&f);
	check(&f, " *0-100 / a0-60 b60-85 +85-100 / :0-60 :60-85");
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
		cmocka_unit_test(nothing_at_all_is_a_layout_too),
		cmocka_unit_test(
			counts_near_the_end_of_64_bits_keep_their_shares),
		cmocka_unit_test(what_is_cut_off_is_in_a_bin_however_wide),
		cmocka_unit_test(a_hundred_thousand_rows_are_laid_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
