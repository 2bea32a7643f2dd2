/* SPDX-License-Identifier: MIT */
/*
 * tui_test.c - the screen as a whole, on a fake scene.
 */
#include "tui/tui.h"

#include "tests/unit/fake_screen.h"
#include "tui/text.h"

static void
click(struct fake *fake, int x, int y)
{
	struct mouse mouse = { MOUSE_CLICK, x, y };
	struct scene scene = fake_scene(fake);

	tui_mouse(fake->tui, &scene, &mouse);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
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
		CASE(any_size_and_any_keys_leave_a_sound_canvas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
