/* SPDX-License-Identifier: MIT */
/*
 * flame_bins_test.c - the flame graph: frames too thin to draw.
 */
#include "tui/view.h"

#include "tests/unit/flame_stage.h"

static void
a_bin_is_a_stop_and_opens(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down down right down right");
	assert_int_equal(focus_of(&s).hidden, 2);
	assert_int_equal(focus_of(&s).total, 2);
	assert_int_equal(focus_of(&s).view, 60);
	assert_int_equal(focus_of(&s).func, FUNC_NONE);
	stage_keys(&s, "zoom zoom");
	check_styles(&s, 44, 6,
	      " all 100.0 % | 0-43 ancestor\n"
	      " main 88.3 % | 0-43 ancestor\n"
	      " +2 of eval | 0-43 cursor\n"
	      " a                     b | 0-21 program-1, 22-43 program-2\n"
	      " self                  self | 0-21 self, 22-43 self+odd\n"
	      " | 0-43 text\n");
	assert_int_equal(focus_of(&s).view, 2);
	stage_keys(&s, "down");
	assert_string_equal(stage_cursor(&s), "a");
	stage_keys(&s, "back");		/* to the bin it came from */
	assert_int_equal(focus_of(&s).hidden, 2);
	assert_int_equal(focus_of(&s).view, 60);
	stage_keys(&s, "up down");	/* and down to it again */
	assert_int_equal(focus_of(&s).hidden, 2);
	stage_keys(&s, "down");
	assert_int_equal(focus_of(&s).hidden, 2);
	stage_close(&s);
}

static void
a_bin_is_a_list_first(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	stage_add(&s, "big", 200);
	stage_add(&s, "x;call", 40);
	stage_add(&s, "x;a", 1);
	stage_add(&s, "x;b", 1);
	stage_add(&s, "x;b;c", 1);
	stage_settle(&s, 44, 6);
	stage_keys(&s, "down right down right zoom");
	check(&s, 44, 5,
	      " +2 of x  1.2 %\n"
	      " as a graph\n"
	      "   0.8 % ██████████ b\n"
	      "   0.4 % █████      a\n"
	      "\n");
	assert_int_equal(focus_of(&s).hidden, 2);
	stage_keys(&s, "down");
	assert_string_equal(stage_cursor(&s), "b");
	assert_int_equal(focus_of(&s).total, 2);
	stage_add(&s, "x;a", 2);
	stage_settle(&s, 44, 6);
	assert_string_equal(stage_cursor(&s), "b");
	stage_keys(&s, "back");
	assert_int_equal(focus_of(&s).hidden, 2);
	stage_keys(&s, "zoom bottom zoom");
	check(&s, 44, 5,
	      " all 100.0 %\n"
	      " x 18.4 %\n"
	      " b\n"
	      " c                     self\n"
	      " self\n");
	assert_string_equal(stage_cursor(&s), "b");
	stage_keys(&s, "back");
	assert_int_equal(focus_of(&s).hidden, 2);
	stage_close(&s);
}

/* Keys that find or reset leave the list; one that scrolls does not. */
static void
a_list_gives_way_to_a_search(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	search_set(s.search, "read", s.names);
	stage_keys(&s, "down down right down right zoom down next");
	assert_string_equal(stage_cursor(&s), "read");
	assert_int_equal(focus_of(&s).hit, 1);
	stage_close(&s);
}

static void
bins_open_one_in_the_other(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	stage_add(&s, "big", 100000);
	for (int i = 0; i < 10; i++)
		stage_add(&s, (const char[]){ 'a', (char)('0' + i), '\0' },
			  100);
	for (int i = 0; i < 10; i++)
		stage_add(&s, (const char[]){ 'z', (char)('0' + i), '\0' },
			  2);
	stage_settle(&s, 60, 10);
	stage_keys(&s, "down right");
	assert_int_equal(focus_of(&s).hidden, 20);
	stage_keys(&s, "zoom zoom down right right right right right right right "
		       "right right right");
	assert_int_equal(focus_of(&s).hidden, 10);
	assert_int_equal(focus_of(&s).view, 1020);
	stage_keys(&s, "zoom zoom");
	assert_int_equal(focus_of(&s).view, 20);
	stage_keys(&s, "down");
	assert_string_equal(stage_cursor(&s), "z0");
	stage_keys(&s, "back back");
	assert_int_equal(focus_of(&s).hidden, 20);
	stage_close(&s);
}

/* What comes new is in a range with the bin, and in no other. */
static void
frames_side_by_side_are_marked(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	stage_add(&s, "x;a", 500);
	stage_add(&s, "x;b", 400);
	stage_add(&s, "x;c", 300);
	stage_add(&s, "x;d", 20);
	stage_add(&s, "y", 100);
	stage_settle(&s, 60, 10);
	stage_keys(&s, "down down mark-right");
	assert_int_equal(focus_of(&s).hidden, 2);
	assert_int_equal(focus_of(&s).total, 900);
	stage_keys(&s, "zoom");
	assert_int_equal(focus_of(&s).view, 900);
	stage_add(&s, "x;new", 400);
	stage_add(&s, "x;a", 1);
	stage_settle(&s, 60, 10);
	assert_int_equal(focus_of(&s).view, 901);
	/* in it once more, and only one is as if it were not marked */
	stage_keys(&s, "down mark-left zoom");
	assert_int_equal(focus_of(&s).view, 901);
	stage_keys(&s, "down mark-right mark-left");
	assert_string_equal(stage_cursor(&s), "a");
	stage_keys(&s, "back back");
	assert_int_equal(focus_of(&s).view, 1721);
	stage_keys(&s, "relayout top down down left left left left right right "
		       "mark-right mark-right");
	assert_int_equal(focus_of(&s).hidden, 3);
	assert_int_equal(focus_of(&s).total, 720);
	stage_keys(&s, "zoom");
	stage_add(&s, "x;later", 2);
	stage_settle(&s, 60, 10);
	assert_int_equal(focus_of(&s).view, 722);
	/* the mark is a layer that is left, and a move ends it */
	stage_keys(&s, "down mark-right peel");
	assert_int_equal(focus_of(&s).hidden, 0);
	assert_int_equal(focus_of(&s).view, 722);
	stage_keys(&s, "mark-right left");
	assert_int_equal(focus_of(&s).hidden, 0);
	stage_close(&s);
}

static void
the_frame_of_an_open_bin_is_no_hit(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down down right down right zoom zoom");
	search_set(s.search, "^(eval|a|call)$", s.names);
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "a");
	assert_int_equal(focus_of(&s).hit, 1);
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "a");
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bin_is_a_stop_and_opens),
		cmocka_unit_test(a_bin_is_a_list_first),
		cmocka_unit_test(a_list_gives_way_to_a_search),
		cmocka_unit_test(bins_open_one_in_the_other),
		cmocka_unit_test(frames_side_by_side_are_marked),
		cmocka_unit_test(the_frame_of_an_open_bin_is_no_hit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
