/* SPDX-License-Identifier: MIT */
/*
 * layout_chains_test.c - calls that share a box.
 */
#include "tests/unit/layout_fixture.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_that_go_but_one_way_are_one_box),
		cmocka_unit_test(a_chain_opens_where_it_is_asked_to),
		cmocka_unit_test(
			a_chain_opens_by_itself_only_where_two_ways_can_be_seen),
		cmocka_unit_test(rows_do_not_fold_under_the_eye),
		cmocka_unit_test(
			what_is_to_be_seen_is_laid_out_however_many_rows_that_takes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
