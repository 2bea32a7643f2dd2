/* SPDX-License-Identifier: MIT */
#include "tui/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/unit/scene.h"
#include "tui/tally.h"

#include <cmocka.h>

/* 60 samples: main 53 (parse 31, eval 20, itself 2) and idle 7. */
static void
open_small(struct stage *stage)
{
	stage_open(stage, &view_flame);
	stage_add(stage, "main;parse;read", 20);
	stage_add(stage, "main;parse;lex;^copy_user", 6);
	stage_add(stage, "main;parse", 5);
	stage_add(stage, "main;eval;call", 9);
	stage_add(stage, "main;eval;a", 1);
	stage_add(stage, "main;eval;b", 1);
	stage_add(stage, "main;eval", 9);
	stage_add(stage, "main", 2);
	stage_add(stage, "idle", 7);
	stage_settle(stage, 44, 7);
}

static void
check(struct stage *stage, int width, int height, const char *expected)
{
	char *dump = stage_dump(stage, width, height, false);

	assert_string_equal(dump, expected);
	free(dump);
}

static void
check_styles(struct stage *stage, int width, int height, const char *expected)
{
	char *dump = stage_dump(stage, width, height, true);

	assert_string_equal(dump, expected);
	free(dump);
}

static struct focus
focus_of(const struct stage *stage)
{
	return stage->ops->focus(stage->state, &stage->scene);
}

static void
a_small_tree_at_three_widths(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	check(&s, 20, 6,
	      " all\n"
	      " main\n"
	      " parse     eval\n"
	      " read     ca…+\n"
	      "\n"
	      "\n");
	check_styles(&s, 44, 7,
	      " all | 0-43 cursor\n"
	      " main                                  idle"
	      " | 0-38 program-1, 39-43 program-3\n"
	      " parse                  eval"
	      " | 0-22 program-4, 23-36 program-2, 37-38 self, "
	      "39-43 self+odd\n"
	      " read          lex      call +2"
	      " | 0-14 program-3, 15-18 program-1, 19-22 self, "
	      "23-28 program-1, 29-30 bin, 31-36 self, 37-43 text\n"
	      " self          co…r"
	      " | 0-14 self, 15-18 kernel-1, 19-22 text, 23-28 self, "
	      "29-43 text\n"
	      " | 0-14 text, 15-18 self, 19-43 text\n"
	      " | 0-43 text\n");
	check(&s, 80, 6,
	      " all\n"
	      " main                                                         "
	      "          idle\n"
	      " parse                                    eval                "
	      "          self\n"
	      " read                       lex           call           self\n"
	      " self                       copy…er       self\n"
	      "\n");
	stage_close(&s);
}

static void
without_colours_lines_tell_frames_apart(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	s.scene.has_few_colours = true;
	check(&s, 44, 3,
	      "▏all\n"
	      "▏main                                  ▏idle\n"
	      " ▼ more below\n");
	canvas_free(s.canvas);
	s.canvas = canvas_new(1, 1, true);
	s.scene.has_few_colours = false;
	check(&s, 44, 7,
	      "|all\n"
	      "|main                                  |idle\n"
	      "|parse                 |eval         .......\n"
	      "|read          |lex....|call +2......\n"
	      "self...........|co~    ......\n"
	      "               ....\n"
	      "\n");
	stage_close(&s);
}

static void
the_cursor_goes_down_the_way_it_came(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down down down");
	assert_string_equal(stage_cursor(&s), "read");
	stage_keys(&s, "right");
	assert_string_equal(stage_cursor(&s), "lex");
	stage_keys(&s, "right");	/* into a cousin */
	assert_string_equal(stage_cursor(&s), "call");
	stage_keys(&s, "up up");
	assert_string_equal(stage_cursor(&s), "main");
	stage_keys(&s, "down down");
	assert_string_equal(stage_cursor(&s), "call");
	stage_keys(&s, "left left left left left");
	assert_string_equal(stage_cursor(&s), "read");
	stage_keys(&s, "up up up up up");
	assert_int_equal(focus_of(&s).node, 0);
	stage_keys(&s, "bottom");
	assert_string_equal(stage_cursor(&s), "read");
	stage_keys(&s, "top");
	assert_int_equal(focus_of(&s).node, 0);
	stage_close(&s);
}

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

static void
the_row_below_the_cursor_is_in_sight(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	s.scene.has_no_chains = true;
	stage_add(&s, "a;b;c;d;e;f;g;h;i;j", 1);
	stage_settle(&s, 20, 7);
	stage_keys(&s, "down down down down down");
	assert_string_equal(stage_cursor(&s), "e");
	check(&s, 20, 7,
	      " a\n b\n c\n d\n e\n f\n ▲ 1 above  ▼ more b\n");
	stage_close(&s);
}

static void
equal_neighbours_take_turns(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	stage_add(&s, "a", 1);
	stage_add(&s, "b", 1);
	stage_add(&s, "c", 1);
	check_styles(&s, 9, 3,
	      " all | 0-8 cursor\n"
	      "a  b  c | 0-2 program-1, 3-5 program-2, 6-8 program-3\n"
	      " | 0-2 self, 3-5 self+odd, 6-8 self\n");
	stage_close(&s);
}

static void
zoom_is_a_history(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down zoom");
	assert_int_equal(focus_of(&s).view, 53);
	stage_keys(&s, "down right zoom");
	assert_int_equal(focus_of(&s).view, 20);
	check_styles(&s, 44, 4,
	      " all 100.0 % | 0-43 ancestor\n"
	      " main 88.3 % | 0-43 ancestor\n"
	      " eval | 0-43 cursor\n"
	      " ▼ more below | 0-0 text, 1-12 dim, 13-43 text\n");
	stage_keys(&s, "up");		/* onto a caller, and zoom to it */
	assert_string_equal(stage_cursor(&s), "main");
	assert_int_equal(focus_of(&s).view, 60);
	stage_keys(&s, "zoom");
	assert_int_equal(focus_of(&s).view, 53);
	stage_keys(&s, "back");
	assert_string_equal(stage_cursor(&s), "main");
	stage_keys(&s, "down");
	assert_int_equal(focus_of(&s).view, 20);
	stage_keys(&s, "back");
	assert_int_equal(focus_of(&s).view, 53);
	assert_string_equal(stage_cursor(&s), "eval");
	stage_keys(&s, "peel");
	assert_int_equal(focus_of(&s).view, 60);
	assert_false(s.ops->act(s.state, &s.scene, ACTION_PEEL));
	stage_keys(&s, "back");
	assert_non_null(focus_of(&s).notice);
	stage_keys(&s, "down zoom down zoom reset");
	assert_int_equal(focus_of(&s).view, 60);
	assert_false(s.ops->act(s.state, &s.scene, ACTION_PEEL));
	stage_close(&s);
}

static void
many_callers_share_one_line(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	stage_add(&s, "a;b;c;d;e;f;g;h;i", 9);
	stage_add(&s, "a;b;c;d;e;f;g;h;j", 1);
	stage_add(&s, "z", 10);
	stage_settle(&s, 44, 6);
	stage_keys(&s, "down bottom up zoom");
	assert_string_equal(stage_cursor(&s), "h");
	check_styles(&s, 44, 4,
	      " … › e 50.0 % › f 50.0 % › g 50.0 % ›"
	      " | 0-43 ancestor\n"
	      " h | 0-43 cursor\n"
	      " i                                      j"
	      " | 0-39 program-1, 40-43 program-2\n"
	      " self | 0-39 self, 40-43 self+odd\n");
	stage_keys(&s, "up");
	check_styles(&s, 44, 1,
	      " … › e 50.0 % › f 50.0 % › g 50.0 % ›"
	      " | 0-26 ancestor, 27-34 cursor, 35-43 ancestor\n");
	stage_keys(&s, "left left left left left");
	assert_string_equal(stage_cursor(&s), "b");
	check(&s, 44, 1, " all 100.0 % › a 50.0 % › b 50.0 % ›\n");
	stage_keys(&s, "right");
	assert_string_equal(stage_cursor(&s), "c");
	stage_keys(&s, "top");
	assert_string_equal(stage_cursor(&s), "h");
	stage_close(&s);
}

/* Nothing of the kind that the filter asks for was counted. */
static void
a_node_that_vanished_keeps_zoom_and_cursor(void **state)
{
	struct filter filter = { .kind = KIND_BLOCKED };
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down zoom down right down");
	assert_string_equal(stage_cursor(&s), "call");
	assert_null(picture_set_filter(s.picture, &filter, NULL));
	check_styles(&s, 44, 6,
	      " all n/a | 0-43 ancestor\n"
	      " main | 0-43 dim\n"
	      " eval | 0-43 dim\n"
	      " call | 0-43 cursor\n"
	      " No samples here. | 0-0 text, 1-16 dim, 17-43 text\n"
	      " | 0-43 text\n");
	assert_int_equal(focus_of(&s).total, 0);
	filter.kind = KIND_CPU;
	assert_null(picture_set_filter(s.picture, &filter, NULL));
	stage_settle(&s, 44, 6);
	assert_string_equal(stage_cursor(&s), "call");
	assert_int_equal(focus_of(&s).view, 53);
	stage_close(&s);
}

static void
siblings_wait_while_keys_are_pressed_and_it_is_said(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_add(&s, "idle", 200);
	s.scene.key_ns = s.scene.now_ns;
	check(&s, 44, 3,
	      " all                             order held\n"
	      " main     idle\n"
	      " ▼ more below\n");
	stage_settle(&s, 44, 3);
	check(&s, 44, 3,
	      " all\n"
	      " idle                               main\n"
	      " ▼ more below\n");
	stage_close(&s);
}

static frame_id
library_frame(struct stage *s, uint64_t offset)
{
	struct module module = { .kind = MODULE_LIBRARY, .inode = 7 };
	struct frame frame = { .kind = FRAME_CODE, .offset = offset };

	module.path = strings_add(profile_strings(s->profile), "/lib/libz.so",
				  12);
	frame.module = profile_module(s->profile, &module);
	return profile_frame(s->profile, &frame);
}

static void
the_cursor_stays_when_names_come_late(void **state)
{
	struct symbol symbol = { .start = 0x10, .name = "inflate" };
	struct cell cell = { .kind = KIND_CPU, .weight = 4 };
	frame_id one, two;
	struct stage s;

	(void)state;
	open_small(&s);
	one = library_frame(&s, 0x10);
	two = library_frame(&s, 0x28);
	cell.stack = profile_push(s.profile, 0, one);
	picture_note(s.picture, &cell);
	cell.weight = 8;
	cell.stack = profile_push(s.profile, 0, two);
	cell.stack = profile_push(s.profile, cell.stack,
				  stage_frame(&s, "crc"));
	picture_note(s.picture, &cell);
	stage_settle(&s, 44, 7);
	stage_keys(&s, "down right right down");
	assert_string_equal(stage_cursor(&s), "crc");
	stage_keys(&s, "up zoom down");
	names_set(s.names, one, &symbol);
	names_set(s.names, two, &symbol);
	stage_settle(&s, 44, 7);
	assert_string_equal(stage_cursor(&s), "crc");
	assert_int_equal(focus_of(&s).view, 12);
	check_styles(&s, 44, 4,
	      " all 100.0 % | 0-43 ancestor\n"
	      " inflate | 0-43 library-4\n"
	      " crc                          self"
	      " | 0-28 cursor, 29-43 self\n"
	      " self | 0-28 self, 29-43 text\n");
	stage_keys(&s, "back");
	assert_string_equal(stage_cursor(&s), "inflate");
	stage_close(&s);
}

static void
a_search_shows_hits_and_the_way_to_them(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	assert_true(search_set(s.search, "^(r|a|c)", s.names));
	check_styles(&s, 44, 5,
	      " all | 0-43 cursor\n"
	      " main                                  idle"
	      " | 0-38 program-1, 39-43 program-3+dim\n"
	      " parse                  eval"
	      " | 0-22 program-4, 23-36 program-2, 37-38 self+dim, "
	      "39-43 self+dim+odd\n"
	      " read          lex      call +2"
	      " | 0-14 hit+bold, 15-18 program-1, 19-22 self+dim, "
	      "23-28 hit+bold, 29-30 hit+bold+odd, 31-36 self+dim, "
	      "37-43 text\n"
	      " ▼ more below | 0-0 text, 1-12 dim, 13-43 text\n");
	stage_close(&s);
}

static void
hits_are_walked_in_reading_order(void **state)
{
	static const char *const names[] = { "read", "copy_user", "call", "a" };
	struct stage s;

	(void)state;
	open_small(&s);
	search_set(s.search, "^(r|a|c)", s.names);
	for (unsigned i = 0; i < 9; i++) {
		stage_keys(&s, "next");
		assert_string_equal(stage_cursor(&s), names[i % 4]);
		assert_int_equal(focus_of(&s).hit, i % 4 + 1);
		assert_int_equal(focus_of(&s).notice != NULL,
				 i > 0 && i % 4 == 0);
	}
	for (unsigned i = 4; i-- > 1;) {
		stage_keys(&s, "previous");
		assert_string_equal(stage_cursor(&s), names[i]);
	}
	stage_close(&s);
}

static void
nested_hits_are_stops_one_by_one(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	stage_add(&s, "main;fib;fib;fib", 5);
	stage_add(&s, "fib", 5);
	stage_settle(&s, 44, 7);
	search_set(s.search, "fib", s.names);
	for (unsigned i = 1; i <= 4; i++) {
		stage_keys(&s, "next");
		assert_int_equal(focus_of(&s).hit, i);
	}
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

static void
a_thin_hit_is_zoomed_to_and_one_step_leads_back(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down down");
	search_set(s.search, "^[ab]$", s.names);
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "a");
	assert_int_equal(focus_of(&s).view, 1);
	assert_int_equal(focus_of(&s).top, 0);
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "b");
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "a");
	stage_keys(&s, "back");
	assert_int_equal(focus_of(&s).view, 60);
	assert_string_equal(stage_cursor(&s), "parse");
	assert_false(s.ops->act(s.state, &s.scene, ACTION_PEEL));
	stage_close(&s);
}

static void
hits_outside_the_zoom_are_no_stops(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down down zoom");	/* parse */
	search_set(s.search, "call", s.names);
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "parse");
	assert_non_null(focus_of(&s).notice);
	search_set(s.search, "", s.names);
	stage_keys(&s, "next");
	assert_non_null(focus_of(&s).notice);
	stage_close(&s);
}

static func_id
func_named(const struct stage *s, const char *name)
{
	for (func_id func = 0; func < names_count(s->names); func++)
		if (strcmp(names_text(s->names, func), name) == 0)
			return func;
	return FUNC_NONE;
}

static void
a_function_is_shown_where_it_is_biggest(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_add(&s, "idle;read", 1);
	stage_settle(&s, 44, 7);
	s.ops->show(s.state, &s.scene, func_named(&s, "read"));
	assert_int_equal(focus_of(&s).total, 20);
	assert_int_equal(focus_of(&s).view, 61);
	s.ops->show(s.state, &s.scene, func_named(&s, "b"));
	assert_string_equal(stage_cursor(&s), "b");
	assert_int_equal(focus_of(&s).view, 1);
	s.ops->show(s.state, &s.scene, FUNC_NONE);
	assert_string_equal(stage_cursor(&s), "b");
	stage_keys(&s, "reset top down down zoom");
	assert_string_equal(stage_cursor(&s), "eval");
	s.ops->show(s.state, &s.scene, func_named(&s, "idle"));
	assert_string_equal(stage_cursor(&s), "idle");
	assert_int_equal(focus_of(&s).view, 61);
	stage_close(&s);
}

static void
no_samples_have_a_sentence(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	check(&s, 50, 3, " all\n There are no samples in this profile.\n\n");
	s.health.is_live = true;
	check(&s, 50, 2, " all\n No samples yet: the target has not run.\n");
	s.health.is_suspended = true;
	check(&s, 50, 2,
	      " all\n No samples: the target is stopped (kill -CONT).\n");
	stage_keys(&s, "down right up left bottom zoom next back top");
	stage_close(&s);
}

/* Is some cell of the screen under the cursor? */
static bool
has_cursor(const struct stage *s)
{
	for (int y = 0; y < canvas_height(s->canvas); y++)
		for (int x = 0; x < canvas_width(s->canvas); x++)
			if (canvas_at(s->canvas, x, y)->style == STYLE_CURSOR ||
			    canvas_at(s->canvas, x, y)->style ==
				    STYLE_SELECTED)
				return true;
	return false;
}

static void
add_deep(struct stage *s, size_t depth)
{
	struct cell cell = { .kind = KIND_CPU, .weight = 5 };

	for (size_t i = 0; i < depth; i++)
		cell.stack = profile_push(s->profile, cell.stack,
					  stage_frame(s, i % 2 ? "f" : "g"));
	picture_note(s->picture, &cell);
}

static void
a_stack_of_a_hundred_thousand_frames_is_walked(void **state)
{
	static const char *const keys[] = {
		"bottom", "page-up", "up", "zoom", "up", "top", "bottom",
		"back", "page-down", "top", "bottom", "top", "down", "next", "previous",
		"next",
	};
	struct tally tally = { 0 };
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	s.scene.has_no_chains = true;
	add_deep(&s, 100000);
	stage_settle(&s, 80, 24);
	search_set(s.search, "g", s.names);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		stage_keys(&s, keys[i]);
		free(stage_dump(&s, 80, 24, false));
		assert_true(has_cursor(&s));
	}
	stage_keys(&s, "reset top bottom");
	tally_update(&tally, s.search, s.picture, 0);
	assert_int_equal(tally.frames, 50000);
	tally_fini(&tally);
	check(&s, 20, 3, " g\n f\n ▲ 99999 above  ▼ mo\n");
	stage_close(&s);
}

static void
add_random(struct stage *s)
{
	char path[256] = "";
	size_t at = 0;
	int depth = 1 + rand() % 12;

	for (int i = 0; i < depth; i++)
		at += (size_t)sprintf(path + at, "%sfn%d", i ? ";" : "",
				      rand() % (3 + i));
	stage_add(s, path, (uint64_t)(rand() % 300));
}

static void
whatever_is_pressed_the_cursor_can_be_seen(void **state)
{
	static const char *const patterns[] = { "", "fn1", "7$", "(", "nope" };
	struct stage s;

	(void)state;
	srand(11);
	for (int round = 0; round < 40; round++) {
		stage_open(&s, &view_flame);
		for (int i = 0; i < 300; i++) {
			struct focus focus;

			for (int k = rand() % 20; k > 0 && i % 3 == 0; k--)
				add_random(&s);
			if (rand() % 20 == 0)
				search_set(s.search,
					   patterns[rand() % 5], s.names);
			if (rand() % 30 == 0)
				picture_set_filter(s.picture, &(struct filter){
					.kind = rand() % 3 ? KIND_CPU
							   : KIND_FAULT },
					NULL);
			s.ops->act(s.state, &s.scene,
				   (enum action)(1 + rand() % ACTION_NEXT));
			focus = focus_of(&s);
			assert_true(focus.node <
				    calltree_count(picture_tree(s.picture)));
			free(stage_dump(&s, 1 + rand() % (i % 2 ? 200 : 12),
					1 + rand() % 20, false));
			assert_true(has_cursor(&s));
		}
		stage_close(&s);
	}
}

static void
no_size_is_too_small(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_settle(&s, 0, 0);
	stage_keys(&s, "down zoom bottom next right back page-down reset");
	for (int width = 1; width < 30; width++)
		for (int height = 1; height < 8; height++) {
			stage_keys(&s, "down");
			free(stage_dump(&s, width, height, false));
			assert_true(has_cursor(&s));
		}
	stage_close(&s);
}

/* Up is up on the screen, and a click is where it is seen. */
static void
flipped_the_root_is_at_the_bottom(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "flip");
	check(&s, 44, 6,
	      "\n"
	      " self          co…r\n"
	      " read          lex      call +2\n"
	      " parse                  eval\n"
	      " main                                  idle\n"
	      " all\n");
	stage_keys(&s, "up");
	assert_string_equal(stage_cursor(&s), "main");
	assert_false(s.ops->click(s.state, &s.scene, 2, 3));
	assert_string_equal(stage_cursor(&s), "parse");
	stage_keys(&s, "down down");
	assert_string_equal(stage_cursor(&s), "");
	stage_close(&s);
}

static void
callers_have_no_own_time_when_inverted(void **state)
{
	struct stage s;
	char *dump;

	(void)state;
	open_small(&s);
	free(picture_set_filter(s.picture, &(struct filter){
				.shape = SHAPE_INVERTED }, NULL));
	s.ops->remap(s.state, NULL, 0);
	dump = stage_dump(&s, 120, 8, false);
	assert_null(strstr(dump, "self"));
	free(dump);
	assert_true(focus_of(&s).has_no_self);
	stage_close(&s);
}

/* Where in the whole the zoomed frame is, if there is room to spare. */
static void
a_zoom_is_marked_on_a_map(void **state)
{
	struct stage s;
	char *dump;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down down right zoom");
	assert_string_equal(stage_cursor(&s), "eval");
	dump = stage_dump(&s, 44, 24, true);
	assert_memory_equal(dump, "▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀██████████████", 37 * 3);
	free(dump);
	assert_false(s.ops->click(s.state, &s.scene, 3, 1));
	assert_string_equal(stage_cursor(&s), "");
	assert_false(s.ops->click(s.state, &s.scene, 3, 0));
	dump = stage_dump(&s, 44, 23, false);
	assert_memory_equal(dump, " all", 4);
	free(dump);
	stage_keys(&s, "reset");
	dump = stage_dump(&s, 44, 24, false);
	assert_memory_equal(dump, " all", 4);
	free(dump);
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_tree_at_three_widths),
		cmocka_unit_test(flipped_the_root_is_at_the_bottom),
		cmocka_unit_test(a_zoom_is_marked_on_a_map),
		cmocka_unit_test(callers_have_no_own_time_when_inverted),
		cmocka_unit_test(without_colours_lines_tell_frames_apart),
		cmocka_unit_test(the_cursor_goes_down_the_way_it_came),
		cmocka_unit_test(a_bin_is_a_stop_and_opens),
		cmocka_unit_test(a_bin_is_a_list_first),
		cmocka_unit_test(a_list_gives_way_to_a_search),
		cmocka_unit_test(bins_open_one_in_the_other),
		cmocka_unit_test(the_row_below_the_cursor_is_in_sight),
		cmocka_unit_test(equal_neighbours_take_turns),
		cmocka_unit_test(zoom_is_a_history),
		cmocka_unit_test(many_callers_share_one_line),
		cmocka_unit_test(a_node_that_vanished_keeps_zoom_and_cursor),
		cmocka_unit_test(
			siblings_wait_while_keys_are_pressed_and_it_is_said),
		cmocka_unit_test(the_cursor_stays_when_names_come_late),
		cmocka_unit_test(a_search_shows_hits_and_the_way_to_them),
		cmocka_unit_test(hits_are_walked_in_reading_order),
		cmocka_unit_test(nested_hits_are_stops_one_by_one),
		cmocka_unit_test(the_frame_of_an_open_bin_is_no_hit),
		cmocka_unit_test(
			a_thin_hit_is_zoomed_to_and_one_step_leads_back),
		cmocka_unit_test(hits_outside_the_zoom_are_no_stops),
		cmocka_unit_test(a_function_is_shown_where_it_is_biggest),
		cmocka_unit_test(no_samples_have_a_sentence),
		cmocka_unit_test(
			a_stack_of_a_hundred_thousand_frames_is_walked),
		cmocka_unit_test(calls_that_go_but_one_way_are_one_frame),
		cmocka_unit_test(a_chain_opens_and_folds),
		cmocka_unit_test(a_hit_in_a_chain_is_shown_and_opens_it),
		cmocka_unit_test(a_chain_is_zoomed_to_by_its_last_call),
		cmocka_unit_test(whatever_is_pressed_the_cursor_can_be_seen),
		cmocka_unit_test(no_size_is_too_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
