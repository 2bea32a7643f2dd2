/* SPDX-License-Identifier: MIT */
#include "tui/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/unit/scene.h"
#include "tui/tally.h"

#include <cmocka.h>

static void
open_names(struct stage *stage)
{
	stage_open(stage, &view_flame);
	stage_add(stage, "main;Parser::parse;memcpy", 5);
	stage_add(stage, "main;memmove;^memcpy_erms", 3);
	stage_add(stage, "main;straße", 1);
	stage_settle(stage, 40, 10);
}

static bool
hits(const struct stage *s, const char *name)
{
	for (func_id func = 0; func < names_count(s->names); func++)
		if (strcmp(names_text(s->names, func), name) == 0)
			return search_hits(s->search, func);
	return false;
}

static void
a_capital_makes_case_matter(void **state)
{
	struct stage s;

	(void)state;
	open_names(&s);
	assert_false(search_is_on(s.search));
	assert_true(search_set(s.search, "parse", s.names));
	assert_true(search_is_on(s.search));
	assert_true(hits(&s, "Parser::parse"));
	assert_true(search_set(s.search, "^parser", s.names));
	assert_true(hits(&s, "Parser::parse"));
	assert_true(search_set(s.search, "^Memcpy", s.names));
	assert_false(hits(&s, "memcpy"));
	assert_true(search_set(s.search, "^mem\\W?cpy$", s.names));
	assert_true(hits(&s, "memcpy"));
	assert_false(hits(&s, "memcpy_erms"));
	assert_true(search_set(s.search, "STRASSE|STRAßE", s.names));
	assert_false(hits(&s, "straße"));
	assert_true(search_set(s.search, "stra.e", s.names));
	assert_true(hits(&s, "straße"));
	stage_close(&s);
}

static void
what_does_not_compile_keeps_the_last_hits(void **state)
{
	struct stage s;

	(void)state;
	open_names(&s);
	search_set(s.search, "memcpy", s.names);
	assert_string_equal(search_problem(s.search), "");
	assert_false(search_set(s.search, "memcpy(", s.names));
	assert_string_not_equal(search_problem(s.search), "");
	assert_string_equal(search_pattern(s.search), "memcpy");
	assert_true(hits(&s, "memcpy"));
	assert_false(search_set(s.search, "\xff", s.names));
	assert_true(search_set(s.search, "", s.names));
	assert_string_equal(search_problem(s.search), "");
	assert_false(hits(&s, "memcpy"));
	stage_close(&s);
}

static void
functions_that_come_later_are_found(void **state)
{
	struct stage s;

	(void)state;
	open_names(&s);
	search_set(s.search, "memcpy", s.names);
	for (int i = 0; i < 200; i++) {
		char path[32];

		snprintf(path, sizeof(path), "main;fn%d", i);
		stage_add(&s, path, 1);
	}
	stage_add(&s, "main;__memcpy_avx", 1);
	stage_settle(&s, 40, 10);
	assert_true(hits(&s, "__memcpy_avx"));
	assert_false(hits(&s, "fn7"));
	assert_true(hits(&s, "memcpy"));
	stage_close(&s);
}

static void
a_name_that_comes_late_is_found(void **state)
{
	struct symbol symbol = { .start = 0x10, .name = "memcpy" };
	struct module module = { .kind = MODULE_LIBRARY, .inode = 7 };
	struct frame frame = { .kind = FRAME_CODE, .offset = 0x18 };
	frame_id id;
	func_id func;
	struct stage s;

	(void)state;
	open_names(&s);
	frame.module = profile_module(s.profile, &module);
	id = profile_frame(s.profile, &frame);
	func = names_of(s.names, id);
	search_set(s.search, "memcpy", s.names);
	assert_false(search_hits(s.search, func));
	names_set(s.names, id, &symbol);	/* the same function, named */
	search_update(s.search, s.names);
	assert_true(search_hits(s.search, names_of(s.names, id)));
	stage_close(&s);
}

static void
nested_hits_are_counted_once(void **state)
{
	struct tally sum = { 0 };
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	stage_add(&s, "main;fib;fib;fib", 4);
	stage_add(&s, "main;fib;log;fib", 2);
	stage_add(&s, "main;log", 3);
	stage_add(&s, "other;fib", 8);
	stage_settle(&s, 40, 10);
	search_set(s.search, "fib", s.names);
	tally_update(&sum, s.search, s.picture, 0);
	assert_int_equal(sum.frames, 5);
	assert_int_equal(sum.functions, 1);
	assert_int_equal(sum.weight, 14);
	tally_update(&sum, s.search, s.picture, 1);
	assert_int_equal(sum.frames, 4);
	assert_int_equal(sum.weight, 6);
	search_set(s.search, "fib|log", s.names);
	tally_update(&sum, s.search, s.picture, 0);
	assert_int_equal(sum.frames, 7);
	assert_int_equal(sum.functions, 2);
	assert_int_equal(sum.weight, 17);
	tally_fini(&sum);
	stage_close(&s);
}

static void
the_word_under_the_cursor_is_no_pattern(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	stage_add(&s, "main;a.b", 4);
	stage_add(&s, "main;axb", 2);
	stage_settle(&s, 40, 10);
	search_func(s.search, 1, s.names);
	assert_string_equal(search_pattern(s.search), "a.b");
	assert_true(hits(&s, "a.b"));
	assert_false(hits(&s, "axb"));
	stage_close(&s);
}

static void
a_pattern_that_explodes_is_given_up(void **state)
{
	char path[128];
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	for (int i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "%040d%d!", 0, i);
		stage_add(&s, path, 1);
	}
	stage_settle(&s, 40, 10);
	search_set(s.search, "42!", s.names);
	assert_false(search_set(s.search, "^(\\d+)*$", s.names));
	assert_string_not_equal(search_problem(s.search), "");
	assert_string_equal(search_pattern(s.search), "42!");
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_capital_makes_case_matter),
		cmocka_unit_test(what_does_not_compile_keeps_the_last_hits),
		cmocka_unit_test(functions_that_come_later_are_found),
		cmocka_unit_test(a_name_that_comes_late_is_found),
		cmocka_unit_test(nested_hits_are_counted_once),
		cmocka_unit_test(the_word_under_the_cursor_is_no_pattern),
		cmocka_unit_test(a_pattern_that_explodes_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
