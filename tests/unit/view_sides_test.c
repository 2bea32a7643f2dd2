/* SPDX-License-Identifier: MIT */
/* What views draw of the two sides of a comparison. */
#include "tui/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "core/baseline.h"
#include "tests/unit/scene.h"

#include <cmocka.h>

/* A stage, and another profile that its picture is compared with. */
struct pair {
	struct stage now, before;
	struct baseline *baseline;
};

/* 1,000 samples on either side: "less" lost 200, "gone" 300. */
static void
open_pair(struct pair *pair, const struct view_ops *ops)
{
	stage_open(&pair->now, ops);
	stage_open(&pair->before, ops);
	stage_add(&pair->now, "main;less;leaf", 100);
	stage_add(&pair->now, "main;same", 200);
	stage_add(&pair->now, "main;new", 700);
	stage_add(&pair->before, "main;less;leaf", 300);
	stage_add(&pair->before, "main;same", 200);
	stage_add(&pair->before, "main;gone", 300);
	stage_add(&pair->before, "main;new_then", 200);
	stage_settle(&pair->before, 40, 8);
	pair->baseline = baseline_of(pair->before.profile, pair->before.names);
	picture_set_baseline(pair->now.picture, pair->baseline);
	stage_settle(&pair->now, 40, 8);
}

static void
close_pair(struct pair *pair)
{
	picture_set_baseline(pair->now.picture, NULL);
	baseline_free(pair->baseline);
	stage_close(&pair->now);
	stage_close(&pair->before);
}

static void
check(struct pair *pair, int width, int height, const char *expected)
{
	char *dump = stage_dump(&pair->now, width, height, false);

	assert_string_equal(dump, expected);
	free(dump);
}

static void
turn(struct pair *pair, enum drawn drawn)
{
	picture_set_drawn(pair->now.picture, drawn);
}

static struct focus
focus_of(struct pair *pair)
{
	return pair->now.ops->focus(pair->now.state, &pair->now.scene);
}

static void
the_flame_graph_has_the_widths_of_its_side(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p, &view_flame);
	check(&p, 40, 5,
	      " all\n"
	      " main\n"
	      " new new                     same   less\n"
	      " self                               leaf\n"
	      "\n");
	turn(&p, DRAWN_BASE);
	check(&p, 40, 5,
	      " all\n"
	      " main\n"
	      " -20.0 less  gone gone   same    gone\n"
	      " -20.0 leaf  self\n"
	      " self\n");
	turn(&p, DRAWN_LOST);
	check(&p, 40, 5,
	      " all\n"
	      " main\n"
	      " gone gone        -20.0 less  gone new…n\n"
	      " self             -20.0 leaf  self\n"
	      "                  self\n");
	close_pair(&p);
}

static void
what_has_gone_can_be_selected_and_keeps_the_cursor(void **state)
{
	struct pair p;
	struct focus focus;

	(void)state;
	open_pair(&p, &view_flame);
	turn(&p, DRAWN_BASE);
	stage_keys(&p.now, "down down right");
	assert_string_equal(stage_cursor(&p.now), "gone");
	focus = focus_of(&p);
	assert_int_equal(focus.total, 300);
	assert_int_equal(focus.self, 300);
	assert_int_equal(focus.both.counts.now, 0);
	assert_int_equal(focus.both.counts.base, 300);
	stage_keys(&p.now, "zoom");
	focus = focus_of(&p);		/* of what it is part of, not itself */
	assert_int_equal(focus.both.all.base, 1000);
	assert_int_equal(focus.both.all.now, 1000);
	check(&p, 40, 4,
	      " all 100.0 %\n"
	      " main 100.0 %\n"
	      " gone gone\n"
	      " self\n");
	turn(&p, DRAWN_NOW);	/* nothing is left of it */
	stage_settle(&p.now, 40, 4);
	assert_string_equal(stage_cursor(&p.now), "gone");
	assert_int_equal(focus_of(&p).total, 0);
	stage_keys(&p.now, "back");
	assert_string_equal(stage_cursor(&p.now), "gone");
	close_pair(&p);
}

static void
a_search_counts_on_the_side_that_is_drawn(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p, &view_flame);
	search_set(p.now.search, "gone|new$", p.now.names);
	stage_settle(&p.now, 40, 8);
	stage_keys(&p.now, "next");
	assert_string_equal(stage_cursor(&p.now), "new");
	stage_keys(&p.now, "next");
	assert_string_equal(stage_cursor(&p.now), "new");
	turn(&p, DRAWN_BASE);
	stage_settle(&p.now, 40, 8);
	stage_keys(&p.now, "next");
	assert_string_equal(stage_cursor(&p.now), "gone");
	assert_int_equal(focus_of(&p).hit, 1);
	stage_keys(&p.now, "next");
	assert_string_equal(stage_cursor(&p.now), "gone");
	close_pair(&p);
}

static void
siblings_keep_their_places_unless_they_must_not(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p, &view_flame);
	stage_settle(&p.now, 40, 4);
	turn(&p, DRAWN_BASE);
	p.now.scene.key_ns = p.now.scene.now_ns + 400000000;
	check(&p, 40, 5,	/* at once, not when keys have been quiet */
	      " all\n"
	      " main\n"
	      " -20.0 less  gone gone   same    gone\n"
	      " -20.0 leaf  self\n"
	      " self\n");
	close_pair(&p);
}

static void
the_table_has_the_counts_of_its_side(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p, &view_table);
	turn(&p, DRAWN_BASE);
	check(&p, 50, 8,
	      "   SELF▾   TOTAL  CHANGE  FUNCTION\n"
	      "  30.0 %  30.0 %   -20.0  leaf\n"
	      "  30.0 %  30.0 %    gone  gone\n"
	      "  20.0 %  20.0 %          same\n"
	      "  20.0 %  20.0 %    gone  new_then\n"
	      "   0.0 % 100.0 %          main\n"
	      "   0.0 %  30.0 %   -20.0  less\n"
	      "   0.0 %   0.0 %     new  new\n");
	turn(&p, DRAWN_LOST);
	check(&p, 50, 8,
	      "   SELF▾   TOTAL  CHANGE  FUNCTION\n"
	      "  30.0 %  30.0 %    gone  gone\n"
	      "  20.0 %  20.0 %   -20.0  leaf\n"
	      "  20.0 %  20.0 %    gone  new_then\n"
	      "   0.0 %  70.0 %          main\n"
	      "   0.0 %  20.0 %   -20.0  less\n"
	      "\n\n");
	stage_keys(&p.now, "bottom");
	assert_string_equal(stage_cursor(&p.now), "less");
	stage_keys(&p.now, "down");
	assert_string_equal(stage_cursor(&p.now), "less");
	close_pair(&p);
}

static void
the_call_tree_has_the_counts_of_its_side(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p, &view_tree);
	turn(&p, DRAWN_LOST);
	check(&p, 50, 7,
	      "   TOTAL   DIFF    SELF  CALL TREE\n"
	      "  70.0 %          0.0 %  ▾ all\n"
	      "  70.0 %          0.0 %    ▾ main\n"
	      "  30.0 %   gone  30.0 %        gone\n"
	      "  20.0 %  -20.0   0.0 %      ▸ less\n"
	      "  20.0 %   gone  20.0 %        new_then\n"
	      "\n");
	turn(&p, DRAWN_NOW);
	stage_keys(&p.now, "relayout");
	check(&p, 50, 4,
	      "   TOTAL   DIFF    SELF  CALL TREE\n"
	      " 100.0 %          0.0 %  ▾ all\n"
	      " 100.0 %          0.0 %    ▾ main\n"
	      "  70.0 %    new  70.0 %        new\n");
	close_pair(&p);
}

static void
nothing_lost_has_a_sentence(void **state)
{
	struct stage s;
	struct baseline *baseline;
	char *dump;

	(void)state;
	stage_open(&s, &view_flame);
	stage_add(&s, "main", 100);
	stage_settle(&s, 50, 3);
	baseline = baseline_until(s.profile, UINT64_MAX);
	picture_set_baseline(s.picture, baseline);
	picture_set_drawn(s.picture, DRAWN_LOST);
	dump = stage_dump(&s, 50, 3, false);
	assert_non_null(strstr(dump, "Nothing is surely less now"));
	free(dump);
	picture_set_baseline(s.picture, NULL);
	baseline_free(baseline);
	stage_close(&s);
}

static struct picture *
half(struct pair *pair, enum shape shape, func_id pivot)
{
	struct picture *picture = picture_new(pair->now.profile,
					      pair->now.names);

	free(picture_set_filter(picture, &(struct filter){ .shape = shape,
				.pivot = pivot }, NULL));
	picture_set_baseline(picture, pair->baseline);
	return picture;
}

/* The function in the middle has not all of the samples on either side. */
static void
the_sandwich_compares_shares_of_all(void **state)
{
	struct pair p;
	struct picture *above, *below;
	struct focus focus;
	func_id func = FUNC_NONE;
	size_t count;

	(void)state;
	open_pair(&p, &view_sandwich);
	picture_functions(p.now.picture, &count);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names_text(p.now.names, picture_functions(
				p.now.picture, &count)[i].func), "less"))
			func = picture_functions(p.now.picture,
						 &count)[i].func;
	p.now.scene.above = above = half(&p, SHAPE_ABOVE, func);
	p.now.scene.below = below = half(&p, SHAPE_BELOW, func);
	p.now.scene.pivot = func;
	check(&p, 40, 5,
	      " -20.0 main\n"
	      " -20.0 less\n"
	      " -20.0 leaf\n"
	      " self\n"
	      "\n");
	focus = focus_of(&p);
	assert_int_equal(focus.both.counts.now, 100);
	assert_int_equal(focus.both.all.now, 1000);
	assert_int_equal(focus.both.counts.base, 300);
	assert_int_equal(focus.both.all.base, 1000);
	picture_set_drawn(above, DRAWN_LOST);
	picture_set_drawn(below, DRAWN_LOST);
	stage_settle(&p.now, 40, 5);
	assert_int_equal(focus_of(&p).total, 200);
	assert_int_equal(focus_of(&p).view, 300);
	picture_free(above);
	picture_free(below);
	close_pair(&p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_flame_graph_has_the_widths_of_its_side),
		cmocka_unit_test(
			what_has_gone_can_be_selected_and_keeps_the_cursor),
		cmocka_unit_test(a_search_counts_on_the_side_that_is_drawn),
		cmocka_unit_test(
			siblings_keep_their_places_unless_they_must_not),
		cmocka_unit_test(the_table_has_the_counts_of_its_side),
		cmocka_unit_test(the_call_tree_has_the_counts_of_its_side),
		cmocka_unit_test(nothing_lost_has_a_sentence),
		cmocka_unit_test(the_sandwich_compares_shares_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
