/* SPDX-License-Identifier: MIT */
#include "tui/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/scene.h"

#include <cmocka.h>

static void
open_small(struct stage *stage)
{
	stage_open(stage, &view_tree);
	stage_add(stage, "main;parse;read", 200);
	stage_add(stage, "main;parse", 100);
	stage_add(stage, "main;eval;call", 700);
	stage_add(stage, "main;eval;call;free", 200);
	stage_settle(stage, 50, 10);
}

static void
check(struct stage *stage, int height, const char *expected)
{
	char *dump = stage_dump(stage, 50, height, false);

	assert_string_equal(dump, expected);
	free(dump);
}

static void
what_most_samples_share_is_open_at_first(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	check(&s, 6,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▾ all\n"
	      " 100.0 %   0.0 %    ▾ main\n"
	      "  75.0 %  58.3 %      ▾ eval › call (2)\n"
	      "  16.7 %  16.7 %          free\n"
	      "  25.0 %   8.3 %      ▸ parse\n");
	stage_close(&s);
}

static void
nodes_open_and_close_as_in_trees_of_files(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down down left");
	check(&s, 5,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▾ all\n"
	      " 100.0 %   0.0 %    ▾ main\n"
	      "  75.0 %  58.3 %      ▸ eval › call (2)\n"
	      "  25.0 %   8.3 %      ▸ parse\n");
	stage_keys(&s, "left");
	assert_string_equal(stage_cursor(&s), "main");
	stage_keys(&s, "right right");
	assert_string_equal(stage_cursor(&s), "call");
	stage_close(&s);
}

static void
enter_opens_and_closes(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down zoom");
	check(&s, 3,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▾ all\n"
	      " 100.0 %   0.0 %    ▸ main\n");
	stage_keys(&s, "zoom");
	check(&s, 4,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▾ all\n"
	      " 100.0 %   0.0 %    ▾ main\n"
	      "  75.0 %  58.3 %      ▾ eval › call (2)\n");
	stage_keys(&s, "bottom zoom zoom zoom bottom zoom");
	assert_string_equal(s.ops->focus(s.state, &s.scene).notice,
			    "nothing is called from here");
	stage_close(&s);
}

static void
all_that_is_worth_it_opens_at_once(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_add(&s, "main;parse;rare;rarer", 1);
	stage_keys(&s, "collapse");
	check(&s, 3,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▸ all\n"
	      "\n");
	stage_keys(&s, "expand");
	check(&s, 8,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▾ all\n"
	      " 100.0 %   0.0 %    ▾ main\n"
	      "  74.9 %  58.3 %      ▾ eval › call (2)\n"
	      "  16.7 %  16.7 %          free\n"
	      "  25.1 %   8.3 %      ▾ parse\n"
	      "  16.7 %  16.7 %          read\n"
	      "   0.1 %   0.1 %          rare › rarer (2)\n");
	stage_close(&s);
}

/* One way to go is one row, until it is unfolded or there are two ways. */
static void
chains_are_one_row_and_unfold(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_tree);
	stage_add(&s, "main;run;loop;work", 3);
	stage_add(&s, "main;run;loop;rest", 1);
	stage_settle(&s, 50, 10);
	check(&s, 5,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▾ all\n"
	      " 100.0 %   0.0 %    ▾ main › run › loop (3)\n"
	      "  75.0 %  75.0 %        work\n"
	      "  25.0 %  25.0 %        rest\n");
	stage_keys(&s, "down expand");
	assert_string_equal(stage_cursor(&s), "loop");
	check(&s, 7,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▾ all\n"
	      " 100.0 %   0.0 %    ▾ main\n"
	      " 100.0 %   0.0 %      ▾ run\n"
	      " 100.0 %   0.0 %        ▾ loop\n"
	      "  75.0 %  75.0 %            work\n"
	      "  25.0 %  25.0 %            rest\n");
	stage_keys(&s, "up collapse");
	check(&s, 4,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▾ all\n"
	      " 100.0 %   0.0 %    ▸ main › run › loop (3)\n"
	      "\n");
	stage_keys(&s, "left");
	assert_string_equal(stage_cursor(&s), "");
	stage_keys(&s, "down right");
	stage_add(&s, "main;run", 4);
	check(&s, 4,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %  50.0 %    ▾ main › run (2)\n"
	      "  50.0 %   0.0 %      ▾ loop\n"
	      "  37.5 %  37.5 %          work\n");
	assert_string_equal(stage_cursor(&s), "loop");
	stage_close(&s);
}

/* A hit inside of a chain has a row of its own then. */
/* Where each row looks for the start of its chain, this takes minutes. */
static void
a_chain_of_a_hundred_thousand_calls_unfolds_at_once(void **state)
{
	size_t calls = 100000;
	char *path = xcalloc(calls, 2);
	struct stage s;

	(void)state;
	alarm(30);
	memset(path, ';', calls * 2 - 1);
	for (size_t i = 0; i < calls; i++)
		path[i * 2] = 'f';
	stage_open(&s, &view_tree);
	stage_add(&s, path, 1);
	stage_settle(&s, 50, 10);
	stage_keys(&s, "down expand bottom");
	check(&s, 2,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 % 100.0 %                    f\n");
	alarm(0);
	stage_close(&s);
	free(path);
}

static void
a_hit_in_a_chain_unfolds_it(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_tree);
	stage_add(&s, "main;run;loop", 4);
	assert_true(search_set(s.search, "run", s.names));
	stage_settle(&s, 50, 10);
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "run");
	stage_close(&s);
}

/* Rows above come and go; what one looks at does not move. */
static void
the_cursor_keeps_its_node_and_its_line(void **state)
{
	struct stage s;
	char path[32];

	(void)state;
	stage_open(&s, &view_tree);
	for (int i = 0; i < 30; i++) {
		snprintf(path, sizeof(path), "f%d", i);
		stage_add(&s, path, 1000u - (unsigned)i);
	}
	stage_settle(&s, 50, 6);
	stage_keys(&s, "expand page-down page-down page-down");
	assert_string_equal(stage_cursor(&s), "f11");
	stage_add(&s, "f25", 5000);	/* overtakes them all */
	check(&s, 6,
	      "   TOTAL    SELF  CALL TREE\n"
	      "   2.9 %   2.9 %      f7\n"
	      "   2.9 %   2.9 %      f8\n"
	      "   2.9 %   2.9 %      f9\n"
	      "   2.9 %   2.9 %      f10\n"
	      "   2.9 %   2.9 %      f11\n");
	assert_string_equal(stage_cursor(&s), "f11");
	stage_close(&s);
}

static void
siblings_pass_only_when_clearly_bigger_and_no_key_is_pressed(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_tree);
	stage_add(&s, "a", 100);
	stage_add(&s, "b", 90);
	stage_settle(&s, 50, 6);
	stage_keys(&s, "expand");
	stage_add(&s, "b", 30);
	check(&s, 4,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▾ all\n"
	      "  45.5 %  45.5 %      a\n"
	      "  54.5 %  54.5 %      b\n");
	stage_add(&s, "b", 30);
	s.scene.key_ns = s.scene.now_ns;
	check(&s, 4,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▾ all\n"
	      "  40.0 %  40.0 %      a\n"
	      "  60.0 %  60.0 %      b\n");
	s.scene.key_ns = 0;
	check(&s, 4,
	      "   TOTAL    SELF  CALL TREE\n"
	      " 100.0 %   0.0 %  ▾ all\n"
	      "  60.0 %  60.0 %      b\n"
	      "  40.0 %  40.0 %      a\n");
	stage_keys(&s, "relayout");
	stage_close(&s);
}

static void
hits_are_stops_and_open_what_hides_them(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	assert_true(search_set(s.search, "read", s.names));
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "read");
	assert_int_equal(s.ops->focus(s.state, &s.scene).hit, 1);
	stage_keys(&s, "next");
	assert_string_equal(s.ops->focus(s.state, &s.scene).notice,
			    "search goes on at the top");
	stage_close(&s);
}

static void
show_and_go_open_the_way(void **state)
{
	struct stage s;
	func_id func;

	(void)state;
	open_small(&s);
	stage_keys(&s, "bottom right down");
	assert_string_equal(stage_cursor(&s), "read");
	func = s.ops->focus(s.state, &s.scene).func;
	stage_keys(&s, "reset");
	assert_string_equal(stage_cursor(&s), "");
	s.ops->show(s.state, &s.scene, func);
	assert_string_equal(stage_cursor(&s), "read");
	stage_close(&s);
}

/* "parse" turns out to be "eval": what was open and under the cursor goes on. */
static void
merged_nodes_stay_open_and_keep_the_cursor(void **state)
{
	const struct calltree *calls;
	struct stage s;
	node_id map[16], parse;
	size_t count;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down down left bottom right");
	assert_string_equal(stage_cursor(&s), "parse");
	calls = picture_tree(s.picture);
	count = calltree_count(calls);
	assert_in_range(count, 1, 16);
	parse = s.ops->focus(s.state, &s.scene).node;
	for (node_id i = 0; i < count; i++)
		map[i] = i;
	stage_keys(&s, "up");
	map[parse] = s.ops->focus(s.state, &s.scene).node;
	stage_keys(&s, "down");
	s.ops->remap(s.state, map, count);
	stage_settle(&s, 50, 10);
	assert_string_equal(stage_cursor(&s), "call");
	stage_keys(&s, "right right");
	assert_string_equal(stage_cursor(&s), "free");
	stage_close(&s);
}

/* With the tree gone the state is as at the start; no row is left over. */
static void
a_new_tree_starts_anew(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "bottom");
	s.ops->remap(s.state, NULL, 0);
	stage_settle(&s, 50, 10);
	assert_string_equal(stage_cursor(&s), "");
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_most_samples_share_is_open_at_first),
		cmocka_unit_test(nodes_open_and_close_as_in_trees_of_files),
		cmocka_unit_test(enter_opens_and_closes),
		cmocka_unit_test(all_that_is_worth_it_opens_at_once),
		cmocka_unit_test(chains_are_one_row_and_unfold),
		cmocka_unit_test(
			a_chain_of_a_hundred_thousand_calls_unfolds_at_once),
		cmocka_unit_test(a_hit_in_a_chain_unfolds_it),
		cmocka_unit_test(the_cursor_keeps_its_node_and_its_line),
		cmocka_unit_test(siblings_pass_only_when_clearly_bigger_and_no_key_is_pressed),
		cmocka_unit_test(hits_are_stops_and_open_what_hides_them),
		cmocka_unit_test(show_and_go_open_the_way),
		cmocka_unit_test(merged_nodes_stay_open_and_keep_the_cursor),
		cmocka_unit_test(a_new_tree_starts_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
