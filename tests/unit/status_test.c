/* SPDX-License-Identifier: MIT */
/*
 * status_test.c - the lines around a view, on a fake scene.
 */
#include "tui/status.h"

#include "tests/unit/fake_screen.h"

static void
header_and_health_say_what_is_known(void **state)
{
	struct fake *fake = *state;

	expect_line(fake, 80, 24, 0,
		    "busy 4242  cpu-clock 99 Hz  12 s"
		    "                                        14:02:11");
	expect_line(fake, 80, 24, 1,
		    "[1 flame]   2 functions    3 sandwich "
		    "   6 call tree    width = share of samples");
	expect_line(fake, 80, 24, -2,
		    "rate 98 of 99 Hz  lost 0  cut 0  unnamed 0  threads 3/3"
		    "  own CPU 0.8 %");
	expect_line(fake, 80, 24, -1,
		    "? help  q quit  Enter zoom  Backspace back  / search  "
		    "Space freeze  Tab view");
}

/* As much of it as there is room for; the names of other views give way. */
static void
what_is_not_permitted_stands_beside_the_tabs(void **state)
{
	struct fake *fake = *state;

	snprintf(fake->health.note, sizeof(fake->health.note),
		 "no kernel frames, perf_event_paranoid is 2: sudo flametop");
	expect_line(fake, 120, 24, 1,
		    "[1 flame]   2 functions    3 sandwich    6 call tree   "
		    "       no kernel frames, perf_event_paranoid is 2: sudo "
		    "flametop");
	expect_line(fake, 80, 24, 1,
		    "[1 flame]   2    3    6    no kernel frames, "
		    "perf_event_paranoid is 2: sudo fl…");
	expect_line(fake, 40, 10, 1,
		    "[1 flame]   2    3    6    no kernel f…");
}

static void
what_is_not_known_is_not_a_number(void **state)
{
	struct fake *fake = *state;

	fake->health = (struct health){
		.target = "a.folded", .hz_wanted = -1, .hz_got = -1,
		.own_cpu = -1, .seconds = -1,
	};
	expect_line(fake, 80, 24, 0, "a.folded");
	expect_line(fake, 80, 24, -2,
		    "rate n/a  lost n/a  cut n/a  unnamed n/a  threads n/a  "
		    "own CPU n/a");
}

static void
time_that_threads_are_stopped_is_shown(void **state)
{
	struct fake *fake = *state;

	fake->health.is_stopping = true;
	fake->health.stopped = 0.25;
	expect_line(fake, 120, 24, -2,
		    "rate 98 of 99 Hz  lost 0  cut 0  unnamed 0  "
		    "threads 3/3  stopped 0.2 %  own CPU 0.8 %");
}

static void
losses_are_shown_and_marked_when_they_matter(void **state)
{
	struct fake *fake = *state;

	fake->health.losses.lost = 300;
	fake->health.losses.cut = 1;
	fake->health.threads_total = 9;
	expect_line(fake, 110, 24, -2,
		    "rate 98 of 99 Hz  ! lost 30.0 %  cut 0.1 %  unnamed 0  "
		    "! threads 3/9  own CPU 0.8 %");
	fake->health.losses.samples = 0;
	expect_line(fake, 110, 24, -2,
		    "rate 98 of 99 Hz  ! lost n/a  ! cut n/a  unnamed 0  "
		    "! threads 3/9  own CPU 0.8 %");
}

static void
frozen_tells_how_many_samples_wait(void **state)
{
	struct fake *fake = *state;

	fake->health.is_frozen = true;
	fake->health.waiting = 1234;
	expect_line(fake, 80, 24, 0,
		    "busy 4242  cpu-clock 99 Hz  12 s   FROZEN: 1,234 samples "
		    "wait           14:02:11");
	expect_line(fake, 40, 24, 0,
		    "busy 4242   FROZEN +1,234       14:02:11");
}

static void
narrow_lines_keep_what_matters(void **state)
{
	struct fake *fake = *state;

	expect_line(fake, 40, 24, 0, "busy 4242  cpu-clock  12 s      14:02:11");
	expect_line(fake, 40, 24, -2, "98/99Hz  lost 0  cut 0  unn 0  thr 3/3");
	expect_line(fake, 8, 24, 0, "busy 424");
	expect_line(fake, 8, 24, -2, "lost 0");
}

static void
details_tell_name_weights_and_kind(void **state)
{
	struct fake *fake = *state;
	struct scene scene = fake_scene(fake);
	struct focus focus;
	char *text;

	assert_true(shows(fake, "\nall stacks\n"));
	press(fake, KEYS_DOWN);
	shows(fake, "");
	focus = tui_focus(fake->tui, &scene);
	assert_true(focus.func != FUNC_NONE);
	text = line(fake, 80, 24, -4);
	assert_string_equal(text, names_text(fake->names, focus.func));
	free(text);
	text = line(fake, 80, 24, -3);
	assert_memory_equal(text, "self ", 5);
	assert_non_null(strstr(text, "% of all"));
	free(text);
}

static void
find_mark(struct fake *fake)
{
	press(fake, '/');
	type(fake, "^mark");
	press(fake, KEYS_ENTER);
	press(fake, 'n');
}

/* mark calls itself twice: three places, 9 % of 1,000 samples at 99 Hz. */
static void
wide_screens_say_it_in_words(void **state)
{
	struct fake *fake = *state;
	char *text;

	find_mark(fake);
	text = line(fake, 160, 24, -3);
	assert_non_null(strstr(text, "total 9.0 % of all \u00b11.8 % at 95 % "
			       "(90 samples, 0.9 s)"));
	assert_non_null(strstr(text, "100.0 % of parent"));
	free(text);
	text = line(fake, 160, 24, -4);
	assert_memory_equal(text, "mark ", 5);
	assert_non_null(strstr(text, "in 3 places"));
	free(text);
}

static void
narrow_screens_have_the_same_figures(void **state)
{
	struct fake *fake = *state;

	find_mark(fake);
	expect_line(fake, 80, 24, -3,
		    "self 0.0 % (0)         total 9.0 % \u00b11.8 (90, 0.9 s)"
		    "         parent 100.0 %");
	press(fake, '0');
	expect_line(fake, 80, 24, -3,
		    "self 0.0 % (0)         total 9.0 % \u00b11.8 (90, 0.9 s)"
		    "         parent 100.0 %");
	expect_line(fake, 64, 24, -3,
		    "self 0.0 %    total 9.0 % \u00b11.8 (90, 0.9 s)");
	expect_line(fake, 40, 24, -3, "self 0.0 %    total 9.0 %");
}

/* A digit more here or there moves no other figure. */
static void
figures_keep_their_columns(void **state)
{
	struct fake *fake = *state;
	const char *parent;
	char *text;
	long column;

	find_mark(fake);
	text = line(fake, 80, 24, -3);
	column = strstr(text, "parent") - text;
	free(text);
	for (int i = 0; i < 5; i++) {
		fake_add(fake, "main;idle", 1, i < 2 ? 500 : 20000);
		fake_add(fake, "main;gc_run;mark;mark", 1, i == 4 ? 9999 : 7);
		text = line(fake, 80, 24, -3);
		parent = strstr(text, "parent");
		assert_non_null(parent);
		assert_int_equal(parent - text, column);
		free(text);
	}
}

static void
the_place_of_a_function_is_its_source_line(void **state)
{
	struct fake *fake = *state;
	struct module module = { .kind = MODULE_LIBRARY, .inode = 3 };
	struct symbol symbol = { .name = "inflate" };
	struct symbol_place at = { "", "src/inflate.c", 622 };
	size_t n;
	struct cell cell = { .kind = KIND_CPU, .weight = 100000 };
	struct frame frame = { .offset = 0x1203 };
	frame_id id;

	module.path = fake_text(fake, "/usr/lib/libz.so.1");
	frame.module = profile_module(fake->profile, &module);
	id = profile_frame(fake->profile, &frame);
	names_set(fake->names, id, &symbol);
	names_set_places(fake->names, id, &at, 1);
	fake->place = names_places(fake->names, id, &n);
	fake->placed_func = names_of(fake->names, id);
	cell.stack = profile_push(fake->profile, 0, id);
	profile_add(fake->profile, 0, &cell);
	picture_note(fake->picture, &cell);
	type(fake, "2");
	expect_line(fake, 80, 24, -4, "inflate                              "
		    "       library libz.so.1  src/inflate.c:622");
	expect_line(fake, 44, 24, -4,
		    "inflate   library libz.so.1  \u2026/inflate.c:622");
	expect_line(fake, 30, 24, -4, "inflate  libz  \u2026/inflate.c:622");
	expect_line(fake, 24, 24, -4, "inflate  \u2026/inflate.c:622");
	expect_line(fake, 16, 24, -4, "inflate  \u2026.c:622");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(header_and_health_say_what_is_known),
		CASE(what_is_not_permitted_stands_beside_the_tabs),
		CASE(what_is_not_known_is_not_a_number),
		CASE(time_that_threads_are_stopped_is_shown),
		CASE(losses_are_shown_and_marked_when_they_matter),
		CASE(frozen_tells_how_many_samples_wait),
		CASE(narrow_lines_keep_what_matters),
		CASE(details_tell_name_weights_and_kind),
		CASE(wide_screens_say_it_in_words),
		CASE(narrow_screens_have_the_same_figures),
		CASE(figures_keep_their_columns),
		CASE(the_place_of_a_function_is_its_source_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
