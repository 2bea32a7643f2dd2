/* SPDX-License-Identifier: MIT */
/*
 * view_flame_test.c - the flame graph: frames, cursor and zoom.
 */
#include "tui/view.h"

#include "tests/unit/flame_stage.h"

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
		cmocka_unit_test(the_row_below_the_cursor_is_in_sight),
		cmocka_unit_test(equal_neighbours_take_turns),
		cmocka_unit_test(zoom_is_a_history),
		cmocka_unit_test(many_callers_share_one_line),
		cmocka_unit_test(a_node_that_vanished_keeps_zoom_and_cursor),
		cmocka_unit_test(
			siblings_wait_while_keys_are_pressed_and_it_is_said),
		cmocka_unit_test(the_cursor_stays_when_names_come_late),
		cmocka_unit_test(no_samples_have_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
