/* SPDX-License-Identifier: MIT */
/*
 * flame_hits_test.c - the flame graph: where the cursor is sent.
 */
#include "tui/view.h"

#include "tests/unit/flame_stage.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_search_shows_hits_and_the_way_to_them),
		cmocka_unit_test(hits_are_walked_in_reading_order),
		cmocka_unit_test(nested_hits_are_stops_one_by_one),
		cmocka_unit_test(
			a_thin_hit_is_zoomed_to_and_one_step_leads_back),
		cmocka_unit_test(hits_outside_the_zoom_are_no_stops),
		cmocka_unit_test(a_function_is_shown_where_it_is_biggest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
