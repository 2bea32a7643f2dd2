/* SPDX-License-Identifier: MIT */
/*
 * fake_screen.h - a screen on a fake scene: keys go in, lines come out.
 */
#ifndef TESTS_UNIT_FAKE_SCREEN_H
#define TESTS_UNIT_FAKE_SCREEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/fake_scene.h"

#include <cmocka.h>

static inline int
set_up(void **state)
{
	struct fake *fake = xcalloc(1, sizeof(*fake));

	fake_open(fake);
	fake_fill(fake);
	*state = fake;
	return 0;
}

static inline int
tear_down(void **state)
{
	fake_close(*state);
	free(*state);
	return 0;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static inline void
press(struct fake *fake, uint32_t key)
{
	struct scene scene = fake_scene(fake);

	tui_key(fake->tui, &scene, key);
}

/* A tab is the key; all else is as it is typed. */
static inline void
type(struct fake *fake, const char *text)
{
	for (; *text; text++)
		press(fake, *text == '\t' ? KEYS_TAB : (unsigned char)*text);
}

/* Line Y of what is drawn now at WIDTH x HEIGHT, from the end if negative. */
static inline char *
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

static inline void
expect_line(struct fake *fake, int width, int height, int y, const char *want)
{
	char *text = line(fake, width, height, y);

	assert_string_equal(text, want);
	free(text);
}

/* The whole screen contains TEXT. */
static inline bool
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

static inline void
expect_request(struct fake *fake, enum action action, const char *text)
{
	struct tui_request request = tui_request(fake->tui);

	assert_int_equal(request.action, action);
	assert_string_equal(request.text, text);
	free(request.threads);
	request = tui_request(fake->tui);
	assert_int_equal(request.action, ACTION_NONE);
}

#endif
