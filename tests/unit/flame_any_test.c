/* SPDX-License-Identifier: MIT */
/*
 * flame_any_test.c - the flame graph of any profile, at any size.
 */
#include "tui/view.h"

#include "tests/unit/flame_stage.h"
#include "tui/tally.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_stack_of_a_hundred_thousand_frames_is_walked),
		cmocka_unit_test(whatever_is_pressed_the_cursor_can_be_seen),
		cmocka_unit_test(no_size_is_too_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
