/* SPDX-License-Identifier: MIT */
#include "tui/view.h"

#include "tests/unit/stage_check.h"

static func_id
func_named(const struct stage *stage, const char *name)
{
	size_t count;
	const struct function_row *rows = picture_functions(stage->picture,
							    &count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(names_text(stage->names, rows[i].func), name) == 0)
			return rows[i].func;
	fail_msg("no function %s", name);
	return FUNC_NONE;
}

static struct picture *
side(struct stage *stage, enum shape shape, func_id pivot)
{
	struct picture *picture = picture_new(stage->profile, stage->names);

	free(picture_set_filter(picture, &(struct filter){ .shape = shape,
				.pivot = pivot }, NULL));
	return picture;
}

/* What the session does: pictures of NAME in the middle. */
static void
pivot(struct stage *stage, const char *name)
{
	func_id func = func_named(stage, name);

	picture_free((struct picture *)stage->scene.above);
	picture_free((struct picture *)stage->scene.below);
	stage->scene.above = side(stage, SHAPE_ABOVE, func);
	stage->scene.below = side(stage, SHAPE_BELOW, func);
	stage->scene.pivot = func;
}

static void
open_small(struct stage *stage)
{
	stage_open(stage, &view_sandwich);
	stage_add(stage, "main;parse;read", 20);
	stage_add(stage, "main;parse;read;copy", 5);
	stage_add(stage, "main;parse", 5);
	stage_add(stage, "main;eval;read;eval;read", 25);
	stage_add(stage, "idle", 45);
	stage_settle(stage, 40, 8);
	pivot(stage, "read");
}

static void
end(struct stage *stage)
{
	picture_free((struct picture *)stage->scene.above);
	picture_free((struct picture *)stage->scene.below);
	stage_close(stage);
}

/* A stack that goes through it twice counts once, from the outer one on. */
static void
instances_are_merged_and_counted_once(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	check(&s, 40, 8,
	      " main                main\n"
	      " parse               eval\n"
	      " read\n"
	      " eval               copy self\n"
	      " read\n"
	      " self\n"
	      "\n"
	      "\n");
	assert_string_equal(stage_cursor(&s), "read");
	assert_int_equal(focus_of(&s).total, 50);
	assert_int_equal(focus_of(&s).view, 50);
	end(&s);
}

static void
the_cursor_crosses_the_middle(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_settle(&s, 40, 8);
	stage_keys(&s, "up");
	assert_string_equal(stage_cursor(&s), "parse");
	assert_true(focus_of(&s).has_no_self);
	stage_keys(&s, "right");
	assert_string_equal(stage_cursor(&s), "eval");
	stage_keys(&s, "up up up");
	assert_string_equal(stage_cursor(&s), "main");
	stage_keys(&s, "down down down");
	assert_string_equal(stage_cursor(&s), "eval");
	assert_false(focus_of(&s).has_no_self);
	stage_keys(&s, "top");
	assert_string_equal(stage_cursor(&s), "read");
	stage_keys(&s, "top");
	assert_string_equal(stage_cursor(&s), "main");
	end(&s);
}

/* Enter and Backspace are the application's, which knows the functions. */
static void
another_function_is_asked_for_and_shown(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_settle(&s, 40, 8);
	assert_true(s.ops->act(s.state, &s.scene, ACTION_ZOOM));
	assert_non_null(focus_of(&s).notice);
	stage_keys(&s, "up");
	assert_false(s.ops->act(s.state, &s.scene, ACTION_ZOOM));
	assert_false(s.ops->act(s.state, &s.scene, ACTION_BACK));
	pivot(&s, "copy");
	stage_settle(&s, 40, 8);
	assert_string_equal(stage_cursor(&s), "copy");
	assert_int_equal(focus_of(&s).total, 5);
	end(&s);
}

static void
hits_in_both_halves_are_stops(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	assert_true(search_set(s.search, "main|copy", s.names));
	stage_settle(&s, 40, 8);
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "copy");
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "main");
	assert_string_equal(focus_of(&s).notice,
			    "search goes on among the callers");
	end(&s);
}

static void
clicks_go_to_either_half(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_settle(&s, 40, 8);
	assert_false(s.ops->click(s.state, &s.scene, 25, 1));
	assert_string_equal(stage_cursor(&s), "eval");
	assert_true(s.ops->click(s.state, &s.scene, 25, 1));
	assert_false(s.ops->click(s.state, &s.scene, 2, 3));
	assert_string_equal(stage_cursor(&s), "eval");
	assert_false(focus_of(&s).has_no_self);
	end(&s);
}

static void
without_a_function_there_is_a_sentence(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_sandwich);
	stage_add(&s, "main", 1);
	check(&s, 70, 2, " Put the cursor on a function, in another view, "
	      "and come back.\n\n");
	assert_false(s.ops->act(s.state, &s.scene, ACTION_DOWN));
	stage_close(&s);
}

static void
any_size_and_any_keys_are_sound(void **state)
{
	static const enum action actions[] = {
		ACTION_UP, ACTION_DOWN, ACTION_LEFT, ACTION_RIGHT, ACTION_TOP,
		ACTION_BOTTOM, ACTION_PAGE_UP, ACTION_PAGE_DOWN, ACTION_ZOOM,
		ACTION_BACK, ACTION_RESET, ACTION_NEXT, ACTION_RELAYOUT,
	};
	struct stage s;
	unsigned seed = 1;

	(void)state;
	open_small(&s);
	assert_true(search_set(s.search, "a", s.names));
	for (int i = 0; i < 3000; i++) {
		seed = seed * 1103515245 + 12345;
		s.ops->act(s.state, &s.scene,
			   actions[(seed >> 16) % ARRAY_LEN(actions)]);
		if (i % 7 == 0)
			free(stage_dump(&s, (int)(seed >> 20) % 60,
					(int)(seed >> 24) % 12, false));
		assert_true(focus_of(&s).total <= 50);
	}
	end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instances_are_merged_and_counted_once),
		cmocka_unit_test(the_cursor_crosses_the_middle),
		cmocka_unit_test(another_function_is_asked_for_and_shown),
		cmocka_unit_test(hits_in_both_halves_are_stops),
		cmocka_unit_test(clicks_go_to_either_half),
		cmocka_unit_test(without_a_function_there_is_a_sentence),
		cmocka_unit_test(any_size_and_any_keys_are_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
