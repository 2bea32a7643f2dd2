/* SPDX-License-Identifier: MIT */
/*
 * flame_chains_test.c - the flame graph: calls that go but one way.
 */
#include "tui/view.h"

#include "tests/unit/flame_stage.h"

/* 40 samples of five calls to where they part, then of six. */
static void
open_chains(struct stage *stage)
{
	stage_open(stage, &view_flame);
	stage_add(stage, "start;main;run;loop;work;parse", 30);
	stage_add(stage, "start;main;run;loop;work;write;a;b;^c;^d;^e", 10);
	stage_settle(stage, 44, 7);
}

static void
calls_that_go_but_one_way_are_one_frame(void **state)
{
	struct stage s;

	(void)state;
	open_chains(&s);
	check_styles(&s, 44, 6,
	      " all | 0-43 cursor\n"
	      " start … work (5) | 0-43 program-1\n"
	      " parse                            … b (3) | 0-32 program-4, "
	      "33-43 program-2\n"
	      " self                             … e (3) | 0-32 self, "
	      "33-43 kernel-1\n"
	      "                                  self | 0-32 text, 33-43 self\n"
	      " | 0-43 text\n");
	stage_keys(&s, "down");		/* it is the last of them */
	assert_string_equal(stage_cursor(&s), "work");
	assert_int_equal(focus_of(&s).links, 5);
	stage_keys(&s, "down right down");
	assert_string_equal(stage_cursor(&s), "e");
	stage_keys(&s, "up up up");
	assert_int_equal(focus_of(&s).node, 0);
	stage_keys(&s, "bottom top page-down");	/* the way it came */
	assert_string_equal(stage_cursor(&s), "e");
	stage_close(&s);
}

static void
a_chain_opens_and_folds(void **state)
{
	struct stage s;

	(void)state;
	open_chains(&s);
	stage_keys(&s, "down expand");	/* the cursor stays on its line */
	assert_string_equal(stage_cursor(&s), "start");
	check(&s, 44, 9,
	      " all\n start\n main\n run\n loop\n work\n"
	      " parse                            … b (3)\n"
	      " self                             … e (3)\n"
	      "                                  self\n");
	stage_keys(&s, "expand");
	assert_string_equal(focus_of(&s).notice,
			    "no chain of calls is folded here");
	stage_keys(&s, "down down relayout");	/* what was opened stays so */
	assert_string_equal(stage_cursor(&s), "run");
	stage_keys(&s, "collapse");
	assert_string_equal(stage_cursor(&s), "work");
	assert_int_equal(focus_of(&s).links, 5);
	stage_keys(&s, "down collapse");
	assert_string_equal(focus_of(&s).notice, "this is no chain of calls");
	stage_keys(&s, "up expand down reset down");
	assert_int_equal(focus_of(&s).links, 3);	/* from the cursor on */
	stage_keys(&s, "relayout");
	assert_int_equal(focus_of(&s).links, 5);
	stage_close(&s);
}

static void
a_hit_in_a_chain_is_shown_and_opens_it(void **state)
{
	struct stage s;

	(void)state;
	open_chains(&s);
	search_set(s.search, "^(run|parse|c)$", s.names);
	check_styles(&s, 44, 4,
	      " all | 0-43 cursor\n"
	      " start … work (5) | 0-43 hit+bold\n"
	      " parse                            … b (3) | 0-32 hit+bold, "
	      "33-43 program-2\n"
	      " ▼ more below | 0-0 text, 1-12 dim, 13-43 text\n");
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "run");
	check(&s, 44, 8,
	      " start\n main\n run\n loop\n work\n"
	      " parse                            … b (3)\n"
	      " self                             … e (3)\n"
	      " ▲ 1 above  ▼ more below\n");
	stage_keys(&s, "next next");
	assert_string_equal(stage_cursor(&s), "c");
	stage_keys(&s, "previous previous");
	assert_string_equal(stage_cursor(&s), "run");
	stage_close(&s);
}

static void
a_chain_is_zoomed_to_by_its_last_call(void **state)
{
	struct stage s;

	(void)state;
	open_chains(&s);
	stage_keys(&s, "down down right");
	assert_string_equal(stage_cursor(&s), "b");
	stage_keys(&s, "zoom");
	check(&s, 44, 4,
	      " … › write 25.0 % › a 25.0 % ›\n"
	      " b\n"
	      " c … e (3)\n"
	      " self\n");
	stage_keys(&s, "back");
	assert_string_equal(stage_cursor(&s), "b");
	assert_int_equal(focus_of(&s).links, 3);
	s.scene.has_no_chains = true;
	check(&s, 44, 4,
	      " parse                            write\n"
	      " self                             a\n"
	      "                                  b\n"
	      " ▲ 6 above  ▼ more below\n");
	s.scene.has_no_chains = false;
	check(&s, 44, 4,
	      " parse                            … b (3)\n"
	      " self                             … e (3)\n"
	      "                                  self\n"
	      " ▲ 2 above\n");
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_that_go_but_one_way_are_one_frame),
		cmocka_unit_test(a_chain_opens_and_folds),
		cmocka_unit_test(a_hit_in_a_chain_is_shown_and_opens_it),
		cmocka_unit_test(a_chain_is_zoomed_to_by_its_last_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
