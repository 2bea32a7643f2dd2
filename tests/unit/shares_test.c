/* SPDX-License-Identifier: MIT */
/* What percentages on the screen are of, and what that is called. */
#include "tui/shares.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "core/baseline.h"
#include "tests/unit/fake_scene.h"

#include <cmocka.h>

static char *
dump_of(struct fake *fake, int width)
{
	struct canvas *canvas = canvas_new(width, 24, false);
	struct scene scene = fake_scene(fake);
	char *dump;

	tui_draw(fake->tui, &scene, canvas);
	dump = canvas_dump(canvas, false);
	canvas_free(canvas);
	return dump;
}

static int
set_up(void **state)
{
	struct fake *fake = xcalloc(1, sizeof(*fake));

	fake_open(fake);
	fake_fill(fake);
	free(dump_of(fake, 80));	/* so that keys know what is there */
	*state = fake;
	return 0;
}

static int
tear_down(void **state)
{
	struct fake *fake = *state;

	fake_close(fake);
	free(fake);
	return 0;
}

/* "~" stands for Enter. */
static void
type(struct fake *fake, const char *keys)
{
	for (; *keys; keys++) {
		struct scene scene = fake_scene(fake);

		tui_key(fake->tui, &scene, *keys == '~' ? KEYS_ENTER :
			(unsigned char)*keys);
	}
}

static void
check_shows(struct fake *fake, int width, const char *text, bool is_there)
{
	char *dump = dump_of(fake, width);

	if (!strstr(dump, text) == is_there)
		fail_msg("\"%s\" is %s\n%s", text, is_there ? "not there" :
			 "there", dump);
	free(dump);
}

static void
shows(struct fake *fake, const char *text)
{
	check_shows(fake, 80, text, true);
}

static void
shows_not(struct fake *fake, const char *text)
{
	check_shows(fake, 80, text, false);
}

static void
focus_on(struct fake *fake, const char *name)
{
	struct transform focus = { .kind = TRANSFORM_FOCUS };
	struct filter filter = { .transforms = &focus, .ntransforms = 1 };
	const struct function_row *rows;
	size_t count;

	fake_scene(fake);
	rows = picture_functions(fake->picture, &count);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names_text(fake->names, rows[i].func), name))
			focus.about.func = rows[i].func;
	free(picture_set_filter(fake->picture, &filter, NULL));
}

static void
all_is_all_that_was_counted(void **state)
{
	struct fake *fake = *state;

	type(fake, "jjj");		/* reply */
	check_shows(fake, 160, "total 33.0 % of all", true);
	shows_not(fake, "% of the");
	focus_on(fake, "reply");
	check_shows(fake, 160, "total 100.0 % of the filtered", true);
	shows(fake, "total 100.0 % ±0.6");
	shows(fake, "% of the filtered\n");	/* beside the chips */
	shows(fake, " filtered");		/* as a frame */
	type(fake, "%");
	check_shows(fake, 160, "total 33.0 % of all", true);
	shows(fake, "total 33.0 % ±2.9");
	shows(fake, "  % of all\n");
}

static void
a_zoom_has_the_name_of_its_function(void **state)
{
	struct fake *fake = *state;

	type(fake, "jjj~j");		/* sys_write of reply */
	check_shows(fake, 160, "total 19.0 % of all", true);
	check_shows(fake, 160, "57.6 % of reply", true);
	shows(fake, "reply 57.6 %");
	shows(fake, " serve 78.0 %");
	type(fake, "%%");
	check_shows(fake, 160, "total 57.6 % of parent", true);
	shows(fake, "total 57.6 %");
	shows_not(fake, "reply 57.6 %");
	shows(fake, " serve 95.7 %");
	type(fake, "%k");		/* what is zoomed to */
	shows(fake, "total 33.0 %");
	shows_not(fake, "reply 100.0 %");
}

static void
tables_and_trees_follow(void **state)
{
	struct fake *fake = *state;

	focus_on(fake, "gc");
	type(fake, "2");
	shows(fake, "  58.8 %          90  58.8 %          90  mark");
	type(fake, "%");
	shows(fake, "   9.0 %          90   9.0 %          90  mark");
	type(fake, "%");		/* functions have no parent */
	shows(fake, "  58.8 %          90  58.8 %          90  mark");
	type(fake, "6");
	shows(fake, "100.0 % ██████████   0.0 %    ▾ thread_start");
	shows(fake, " 39.2 % ███▉        39.2 %        sweep");
	type(fake, "%%");
	shows(fake, "  6.0 % ▌            6.0 %        sweep");
}

static void
the_hits_of_a_search_are_of_the_same(void **state)
{
	struct fake *fake = *state;

	type(fake, "/mark~");
	shows(fake, "3 frames, 1 function, 9.0 % of all, hit 1/3");
	focus_on(fake, "gc");
	shows(fake, "3 frames, 1 function, 58.8 % of the filtered");
	type(fake, "%n");
	shows(fake, "3 frames, 1 function, 9.0 % of all");
	type(fake, "~");
	shows(fake, "9.0 % of all, 100.0 % of mark");
}

static void
it_is_said_what_they_are_of(void **state)
{
	struct fake *fake = *state;

	type(fake, "%");
	shows(fake, "percentages are of all that was counted");
	type(fake, "%");
	shows(fake, "percentages are of the parent");
	shows(fake, "% of parent\n");
	type(fake, "%");
	shows(fake, "percentages are of what filters and zoom show");
	shows_not(fake, "  % of all\n");
}

static void
a_comparison_says_which_side_they_are_of(void **state)
{
	struct fake *fake = *state;
	struct baseline *baseline;

	fake_scene(fake);
	baseline = baseline_until(fake->profile, UINT64_MAX);
	picture_set_baseline(fake->picture, baseline);
	strcpy(fake->health.baseline, "against a.folded");
	fake_add(fake, "main;serve;fresh", 1, 1000);
	check_shows(fake, 160, "total 100.0 % of all now", true);
	picture_set_drawn(fake->picture, DRAWN_BASE);
	check_shows(fake, 160, "total 100.0 % of all before", true);
	shows(fake, " as it was\n");
	picture_set_drawn(fake->picture, DRAWN_LOST);
	shows(fake, " only what was lost\n");
	type(fake, "jj");
	shows(fake, "total lost");
	picture_set_baseline(fake->picture, NULL);
	baseline_free(baseline);
	check_shows(fake, 160, "% of all now", false);
	shows_not(fake, "total lost");
}

/* 100 % on both sides is no news. */
static void
the_whole_of_both_sides_has_no_story(void **state)
{
	struct fake *fake = *state;
	struct baseline *baseline;

	fake_scene(fake);
	baseline = baseline_until(fake->profile, UINT64_MAX);
	picture_set_baseline(fake->picture, baseline);
	type(fake, "jj");		/* serve */
	shows(fake, "cannot tell (");
	focus_on(fake, "serve");
	shows_not(fake, "cannot tell");
	check_shows(fake, 160, "total 100.0 % of the filtered now",
		    true);
	picture_set_baseline(fake->picture, NULL);
	baseline_free(baseline);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(all_is_all_that_was_counted),
		TEST(a_zoom_has_the_name_of_its_function),
		TEST(tables_and_trees_follow),
		TEST(the_hits_of_a_search_are_of_the_same),
		TEST(it_is_said_what_they_are_of),
		TEST(a_comparison_says_which_side_they_are_of),
		TEST(the_whole_of_both_sides_has_no_story),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
