/* SPDX-License-Identifier: MIT */
/*
 * tui_test.c - the screen as a whole, on a fake scene.
 */
#include "tui/tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/fake_scene.h"
#include "tui/text.h"
#include "tui/threads.h"

#include <cmocka.h>

/* Line Y of what is drawn now at WIDTH x HEIGHT, from the end if negative. */
static char *
line(struct fake *fake, int width, int height, int y)
{
	struct canvas *canvas = canvas_new(width, height, false);
	struct scene scene = fake_scene(fake);
	char *dump, *rest, *text = NULL;

	tui_draw(fake->tui, &scene, canvas);
	dump = rest = canvas_dump(canvas, false);
	for (int i = 0; i <= (y < 0 ? height + y : y); i++)
		text = strsep(&rest, "\n");
	text = xstrdup(text);
	free(dump);
	canvas_free(canvas);
	return text;
}

static void
expect_line(struct fake *fake, int width, int height, int y, const char *want)
{
	char *text = line(fake, width, height, y);

	assert_string_equal(text, want);
	free(text);
}

/* The whole screen contains TEXT. */
static bool
shows(struct fake *fake, const char *text)
{
	struct canvas *canvas = canvas_new(100, 96, false);
	struct scene scene = fake_scene(fake);
	char *dump;
	bool found;

	tui_draw(fake->tui, &scene, canvas);
	dump = canvas_dump(canvas, false);
	found = strstr(dump, text) != NULL;
	free(dump);
	canvas_free(canvas);
	return found;
}

static void
press(struct fake *fake, uint32_t key)
{
	struct scene scene = fake_scene(fake);

	tui_key(fake->tui, &scene, key);
}

static void
type(struct fake *fake, const char *text)
{
	for (; *text; text++)
		press(fake, (unsigned char)*text);
}

static void
click(struct fake *fake, int x, int y)
{
	struct mouse mouse = { MOUSE_CLICK, x, y };
	struct scene scene = fake_scene(fake);

	tui_mouse(fake->tui, &scene, &mouse);
}

static int
set_up(void **state)
{
	struct fake *fake = xcalloc(1, sizeof(*fake));

	fake_open(fake);
	fake_fill(fake);
	*state = fake;
	return 0;
}

static int
tear_down(void **state)
{
	fake_close(*state);
	free(*state);
	return 0;
}

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

/* Hints go first, then the header and tabs, then the detail lines. */
static void
small_screens_give_up_lines_in_order(void **state)
{
	struct fake *fake = *state;
	char *text;

	expect_line(fake, 60, 10, 0, "busy 4242  cpu-clock 99 Hz  12 s"
				     "                    14:02:11");
	text = line(fake, 60, 10, -1);
	assert_memory_equal(text, "rate 98", 7);
	free(text);
	text = line(fake, 60, 9, 0);
	assert_memory_equal(text, "[1 flame]", 9);
	free(text);
	text = line(fake, 60, 2, 1);
	assert_memory_equal(text, "rate 98", 7);
	free(text);
}

static void
an_empty_picture_is_a_sentence(void **state)
{
	struct fake *fake = *state;

	fake_close(fake);
	fake_open(fake);
	assert_true(shows(fake, "no samples yet: the target has not run"));
	fake->health.threads_seen = 0;
	assert_true(shows(fake, "no samples: no thread is watched"));
	fake->health.threads_seen = 3;
	fake->health.is_suspended = true;
	assert_true(shows(fake, "no samples: the target is stopped; kill -CONT"));
	fake->health.is_suspended = false;
	strcpy(fake->health.state, "ended");
	assert_true(shows(fake, "no samples: it used next to no CPU time"));
	fake->health.state[0] = '\0';
	fake->health.is_live = false;
	assert_true(shows(fake, "no samples in this profile"));
	for (uint32_t key = 32; key < 127; key++)
		press(fake, key);
}

static void
tabs_switch_views(void **state)
{
	struct fake *fake = *state;
	char *text;

	press(fake, '2');
	text = line(fake, 80, 24, 1);
	assert_memory_equal(text, " 1 flame   [2 functions]", 24);
	free(text);
	press(fake, KEYS_TAB);
	text = line(fake, 80, 24, 1);
	assert_memory_equal(text, " 1 flame    2 functions   [3", 28);
	free(text);
	press(fake, KEYS_BACK_TAB);
	press(fake, KEYS_ENTER);	/* shows the function as a flame */
	text = line(fake, 80, 24, 1);
	assert_memory_equal(text, "[1 flame]", 9);
	free(text);
}

static void
expect_request(struct fake *fake, enum action action, const char *text)
{
	struct tui_request request = tui_request(fake->tui);

	assert_int_equal(request.action, action);
	assert_string_equal(request.text, text);
	free(request.threads);
	request = tui_request(fake->tui);
	assert_int_equal(request.action, ACTION_NONE);
}

static void
what_only_the_session_can_do_is_a_request(void **state)
{
	struct fake *fake = *state;
	static const struct {
		uint32_t key;
		enum action action;
	} asks[] = {
		{ 'q', ACTION_QUIT },		{ 'C' & 0x1f, ACTION_QUIT },
		{ 'Z' & 0x1f, ACTION_SUSPEND },	{ 'L' & 0x1f, ACTION_REDRAW },
		{ ' ', ACTION_FREEZE },		{ 'K', ACTION_KERNEL },
		{ 'T', ACTION_THREAD_ROWS },	{ 'S', ACTION_SAVE },
	};

	for (size_t i = 0; i < ARRAY_LEN(asks); i++) {
		press(fake, asks[i].key);
		expect_request(fake, asks[i].action, "");
	}
}

static void
escape_never_quits(void **state)
{
	struct fake *fake = *state;

	for (int i = 0; i < 20; i++)
		press(fake, KEYS_ESCAPE);
	expect_request(fake, ACTION_NONE, "");
	expect_line(fake, 80, 24, -1, "nothing left to leave; q quits");
}

static void
a_path_is_typed_and_handed_on(void **state)
{
	struct fake *fake = *state;

	tui_ask_save(fake->tui, "/tmp/a.folded");
	expect_line(fake, 80, 24, -1, "save as: /tmp/a.folded");
	type(fake, ".gz");
	press(fake, KEYS_ENTER);
	expect_request(fake, ACTION_SAVE, "/tmp/a.folded.gz");
	press(fake, 'O');
	type(fake, "q/S ?");		/* all of it text */
	press(fake, KEYS_ENTER);
	expect_request(fake, ACTION_OPEN, "q/S ?");
	press(fake, 'O');
	type(fake, "x");
	press(fake, KEYS_ESCAPE);
	expect_request(fake, ACTION_NONE, "");
	press(fake, 'O');
	press(fake, KEYS_ENTER);
	expect_request(fake, ACTION_NONE, "");
	press(fake, 'O');
	press(fake, 'C' & 0x1f);	/* quits from anywhere */
	expect_request(fake, ACTION_QUIT, "");
}

static void
messages_are_clean_and_go_with_a_key(void **state)
{
	struct fake *fake = *state;

	tui_message(fake->tui, true, "cannot save %s", "a\x1b[2J\nb");
	expect_line(fake, 80, 24, -1, "cannot save a\\x1b[2J\\x0ab");
	expect_line(fake, 80, 3, -1, "cannot save a\\x1b[2J\\x0ab");
	press(fake, KEYS_RIGHT);
	assert_false(shows(fake, "cannot save"));
}

static void
search_counts_frames_functions_and_shares(void **state)
{
	struct fake *fake = *state;
	char *text;

	type(fake, "/mark");
	text = line(fake, 80, 24, -1);
	assert_memory_equal(text, "/mark", 5);
	assert_non_null(strstr(text, "3 frames, 1 function, 9.0 % of all"));
	free(text);
	press(fake, KEYS_ENTER);
	text = line(fake, 80, 24, -1);
	assert_non_null(strstr(text, "3 frames, 1 function"));
	free(text);
	type(fake, "/zzz");
	press(fake, KEYS_ESCAPE);	/* as before the prompt */
	assert_true(search_is_on(tui_search(fake->tui)));
	assert_string_equal(search_pattern(tui_search(fake->tui)), "mark");
	press(fake, KEYS_ESCAPE);
	assert_false(search_is_on(tui_search(fake->tui)));
	type(fake, "/[");
	text = line(fake, 80, 24, -1);
	assert_string_not_equal(text, "/[");	/* says what is wrong */
	free(text);
	press(fake, KEYS_ENTER);
	assert_true(shows(fake, "search: "));
}

static void
every_action_appears_in_help(void **state)
{
	struct fake *fake = *state;
	char start[32];

	press(fake, '?');
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		snprintf(start, sizeof(start), "%.30s", action_rows[a].help);
		if (!shows(fake, start))
			fail_msg("%s is not in help", action_rows[a].word);
	}
	assert_true(shows(fake, "Up k"));
	assert_true(shows(fake, "left to right is no order of time"));
	press(fake, KEYS_ESCAPE);
	assert_false(shows(fake, "leave flametop"));
}

static void
help_scrolls_to_its_last_line_and_back(void **state)
{
	struct fake *fake = *state;
	char *text;

	press(fake, '?');
	expect_line(fake, 60, 12, 2, "Move");
	press(fake, 'G');
	text = line(fake, 60, 12, -6);
	assert_non_null(strstr(text, " gone"));
	free(text);
	expect_line(fake, 60, 12, -5, "the end; other keys leave");
	press(fake, 'j');
	expect_line(fake, 60, 12, -5, "the end; other keys leave");
	press(fake, 'k');
	expect_line(fake, 60, 12, -5, "\u25bc 1 more line below: Down "
				      "PageDown; other keys leave");
	press(fake, 'g');
	expect_line(fake, 60, 12, 2, "Move");
}

static void
threads_are_picked_by_name_and_weight(void **state)
{
	struct fake *fake = *state;
	struct tui_request request;

	press(fake, 't');
	assert_true(shows(fake, "all threads"));
	assert_true(shows(fake,
			  "worker                      1          495  49.5 %"));
	press(fake, KEYS_DOWN);
	press(fake, ' ');
	press(fake, ' ');
	press(fake, KEYS_ENTER);
	request = tui_request(fake->tui);
	assert_int_equal(request.action, ACTION_THREADS);
	assert_int_equal(request.nthreads, 2);
	assert_int_equal(profile_get_thread(fake->profile,
					    request.threads[0])->tid, 1);
	assert_int_equal(profile_get_thread(fake->profile,
					    request.threads[1])->tid, 2);
	picture_set_filter(fake->picture, &(struct filter){
		.threads = request.threads, .nthreads = request.nthreads },
		NULL);
	free(request.threads);
	assert_true(shows(fake, "2 threads only"));

	press(fake, 't');		/* marked as they are in force */
	assert_true(shows(fake, "2 marked"));
	press(fake, KEYS_ESCAPE);
	expect_request(fake, ACTION_NONE, "");
	press(fake, KEYS_ESCAPE);	/* the last layer: the filter */
	request = tui_request(fake->tui);
	assert_int_equal(request.action, ACTION_PEEL);
}

static void
threads_of_a_process_that_runs_tell_what_they_do(void **state)
{
	struct fake *fake = *state;
	struct thread_now at[] = {
		{ .pid = 4242, .tid = 1, .state = "running", .cpu = 99.54,
		  .voluntary = 0, .involuntary = 12.3 },
		{ .pid = 4242, .tid = 2, .state = "sleeping", .cpu = -1,
		  .voluntary = -1, .involuntary = -1,
		  .wait = "read on fd 3, pipe 12" },
		{ .pid = 1, .tid = 3, .state = "stopped" },	/* another */
	};
	struct threads_now now = { at, 0, 1 };

	fake->threads_now = &now;
	press(fake, 't');
	assert_true(shows(fake, "share     CPU state     vol/s  inv/s  "
			  "waits for"));
	assert_true(shows(fake, "worker                  1  49.5 %     n/a"));
	now.count = ARRAY_LEN(at);
	assert_false(shows(fake, "running"));	/* read once a second, or */
	now.read_ns = 2;			/* when there is something new */
	assert_true(shows(fake, "worker                  1  49.5 %  99.5 % "
			  "running       0     12"));
	assert_true(shows(fake, "sleeping    n/a    n/a  read on fd 3, "
			  "pipe 12"));
	assert_false(shows(fake, "stopped"));
}

static void
choosing_all_threads_is_no_filter(void **state)
{
	struct fake *fake = *state;
	struct tui_request request;

	press(fake, 't');
	shows(fake, "");
	press(fake, KEYS_ENTER);
	request = tui_request(fake->tui);
	assert_int_equal(request.action, ACTION_THREADS);
	assert_int_equal(request.nthreads, 0);
	assert_null(request.threads);
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
a_double_click_zooms_once(void **state)
{
	struct fake *fake = *state;

	free(line(fake, 80, 24, 0));
	click(fake, 10, 3);		/* main: the cursor goes there ... */
	expect_line(fake, 80, 24, -4, "main");
	click(fake, 10, 3);		/* ... and it is zoomed to */
	free(line(fake, 80, 24, 0));
	press(fake, KEYS_BACKSPACE);
	press(fake, KEYS_BACKSPACE);
	assert_true(shows(fake, "no zoom to undo"));
}

/* With the cursor there already the first half of a double click zooms. */
static void
the_second_half_of_a_double_click_is_nothing_then(void **state)
{
	struct fake *fake = *state;

	fake_add(fake, "a;b;c;d;e;f;g;h;i;j;k;l;m;n", 1, 9000);
	free(line(fake, 80, 30, 0));
	type(fake, "j+jjjjjj");
	expect_line(fake, 80, 30, -4, "g");
	click(fake, 10, 9);		/* its callers are one line now, */
	free(line(fake, 80, 30, 0));
	click(fake, 10, 9);		/* and m has come under the mouse */
	expect_line(fake, 80, 30, -4, "g");
}

static void
the_mouse_is_no_key_and_clicks_outside_are_nothing(void **state)
{
	struct fake *fake = *state;

	free(line(fake, 80, 24, 0));
	press(fake, KEYS_DOWN);
	press(fake, KEYS_MOUSE);
	click(fake, 300, 3);
	click(fake, 3, 300);
	click(fake, 3, 0);
	expect_line(fake, 80, 24, -4, "main");
	press(fake, '/');
	click(fake, 10, 2);
	press(fake, KEYS_ESCAPE);
	expect_line(fake, 80, 24, -4, "main");
}

/* No half of a wide character, nothing that may not be shown. */
static void
check_canvas(const struct canvas *canvas)
{
	for (int y = 0; y < canvas_height(canvas); y++)
		for (int x = 0; x < canvas_width(canvas); x++) {
			const struct cell_char *c = canvas_at(canvas, x, y);

			assert_true(c->style < STYLE_COUNT);
			if (c->base == 0)
				assert_true(x > 0 && char_width(canvas_at(
					canvas, x - 1, y)->base) == 2);
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

static void
any_size_and_any_keys_leave_a_sound_canvas(void **state)
{
	struct fake *fake = *state;
	struct canvas *canvas = canvas_new(1, 1, false);
	static const int sizes[][2] = {
		{ 0, 0 }, { 1, 1 }, { 1, 200 }, { 500, 1 }, { 2, 2 },
		{ 500, 200 }, { 40, 10 }, { 3, 7 },
	};

	srand(11);
	for (int i = 0; i < 400; i++) {
		struct scene scene = fake_scene(fake);
		int small = rand() % 8 ? 60 : 500;

		if (i < (int)ARRAY_LEN(sizes))
			canvas_resize(canvas, sizes[i][0], sizes[i][1]);
		else
			canvas_resize(canvas, rand() % small,
				      rand() % (small / 2));
		tui_draw(fake->tui, &scene, canvas);
		check_canvas(canvas);
		for (int k = rand() % 6; k > 0; k--) {
			uint32_t key = rand() % 3 ? 32 + (uint32_t)rand() % 95 :
				       KEYS_UP + (uint32_t)rand() % 17;

			tui_key(fake->tui, &scene, key);
			free(tui_request(fake->tui).threads);
		}
	}
	canvas_free(canvas);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(header_and_health_say_what_is_known),
		CASE(what_is_not_known_is_not_a_number),
		CASE(time_that_threads_are_stopped_is_shown),
		CASE(losses_are_shown_and_marked_when_they_matter),
		CASE(frozen_tells_how_many_samples_wait),
		CASE(narrow_lines_keep_what_matters),
		CASE(small_screens_give_up_lines_in_order),
		CASE(an_empty_picture_is_a_sentence),
		CASE(tabs_switch_views),
		CASE(what_only_the_session_can_do_is_a_request),
		CASE(escape_never_quits),
		CASE(a_path_is_typed_and_handed_on),
		CASE(messages_are_clean_and_go_with_a_key),
		CASE(search_counts_frames_functions_and_shares),
		CASE(every_action_appears_in_help),
		CASE(a_double_click_zooms_once),
		CASE(the_second_half_of_a_double_click_is_nothing_then),
		CASE(the_mouse_is_no_key_and_clicks_outside_are_nothing),
		CASE(help_scrolls_to_its_last_line_and_back),
		CASE(threads_are_picked_by_name_and_weight),
		CASE(threads_of_a_process_that_runs_tell_what_they_do),
		CASE(choosing_all_threads_is_no_filter),
		CASE(details_tell_name_weights_and_kind),
		CASE(wide_screens_say_it_in_words),
		CASE(narrow_screens_have_the_same_figures),
		CASE(figures_keep_their_columns),
		CASE(the_place_of_a_function_is_its_source_line),
		CASE(any_size_and_any_keys_leave_a_sound_canvas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
