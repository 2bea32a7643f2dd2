/* SPDX-License-Identifier: MIT */
/*
 * prompt_test.c - typing a line.
 */
#include "tui/prompt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tui/keymap.h"

#include <cmocka.h>

static void
type(struct prompt *prompt, const char *text)
{
	for (; *text; text++)
		prompt_key(prompt, (unsigned char)*text);
}

static void
keys_edit_at_the_cursor(void **state)
{
	struct prompt p = { 0 };

	(void)state;
	type(&p, "abd");
	prompt_key(&p, KEYS_LEFT);
	type(&p, "c");
	assert_string_equal(p.text, "abcd");
	prompt_key(&p, KEYS_BACKSPACE);
	prompt_key(&p, KEYS_DELETE);
	prompt_key(&p, KEYS_DELETE);
	assert_string_equal(p.text, "ab");
	prompt_key(&p, KEYS_HOME);
	prompt_key(&p, KEYS_BACKSPACE);
	prompt_key(&p, KEYS_LEFT);
	type(&p, "x");
	prompt_key(&p, KEYS_END);
	prompt_key(&p, KEYS_RIGHT);
	type(&p, "y");
	assert_string_equal(p.text, "xaby");
	assert_int_equal(prompt_key(&p, KEYS_ENTER), PROMPT_DONE);
	assert_int_equal(prompt_key(&p, KEYS_ESCAPE), PROMPT_LEFT);
}

static void
characters_are_edited_whole(void **state)
{
	struct prompt p = { 0 };

	(void)state;
	prompt_key(&p, 0xe4);
	prompt_key(&p, 0x4e16);
	prompt_key(&p, 0x1f600);
	assert_string_equal(p.text, "ä世\U0001f600");
	prompt_key(&p, KEYS_LEFT);
	prompt_key(&p, KEYS_LEFT);
	prompt_key(&p, KEYS_BACKSPACE);
	assert_string_equal(p.text, "世\U0001f600");
	prompt_key(&p, KEYS_DELETE);
	assert_string_equal(p.text, "\U0001f600");
}

static void
control_keys_cut(void **state)
{
	struct prompt p;

	(void)state;
	prompt_set(&p, "/tmp/one two.folded");
	prompt_key(&p, 'W' & 0x1f);
	assert_string_equal(p.text, "/tmp/one ");
	prompt_key(&p, 'W' & 0x1f);
	assert_string_equal(p.text, "/tmp/");
	prompt_key(&p, 'W' & 0x1f);
	assert_string_equal(p.text, "/");
	prompt_set(&p, "abc");
	prompt_key(&p, KEYS_LEFT);
	prompt_key(&p, 'U' & 0x1f);
	assert_string_equal(p.text, "c");
	prompt_key(&p, 'K' & 0x1f);
	assert_string_equal(p.text, "");
}

static void
what_is_no_character_is_not_typed(void **state)
{
	struct prompt p = { 0 };

	(void)state;
	prompt_key(&p, 0);
	prompt_key(&p, 7);
	prompt_key(&p, 0x202e);
	prompt_key(&p, KEYS_PAGE_UP);
	prompt_key(&p, 0xfffffff0);
	prompt_key(&p, 0xd800);
	assert_string_equal(p.text, "");
}

static void
a_huge_paste_stops_at_the_end(void **state)
{
	struct prompt p = { 0 };

	(void)state;
	for (int i = 0; i < 100000; i++)
		prompt_key(&p, i % 2 ? 0x4e16 : 'x');
	assert_true(p.len < PROMPT_MAX && p.len > PROMPT_MAX - 4);
	assert_int_equal(strlen(p.text), p.len);
}

static void
the_cursor_is_always_in_sight(void **state)
{
	struct canvas *canvas = canvas_new(10, 1, false);
	struct prompt p;
	char *dump;

	(void)state;
	prompt_set(&p, "abcdefghij世");
	prompt_draw(&p, "to: ", canvas, 0, 0, 10);
	dump = canvas_dump(canvas, true);
	assert_string_equal(dump, "to: hij世 | 0-3 prompt+bold, 4-8 prompt, "
				  "9-9 cursor\n");
	free(dump);
	prompt_key(&p, KEYS_LEFT);
	prompt_draw(&p, "to: ", canvas, 0, 0, 10);
	dump = canvas_dump(canvas, true);
	assert_string_equal(dump, "to: ghij世 | 0-3 prompt+bold, 4-7 prompt, "
				  "8-9 cursor\n");
	free(dump);
	prompt_key(&p, KEYS_HOME);
	prompt_draw(&p, "to: ", canvas, 0, 0, 10);
	dump = canvas_dump(canvas, true);
	assert_string_equal(dump, "to: abcdef | 0-3 prompt+bold, 4-4 cursor, "
				  "5-9 prompt\n");
	free(dump);
	for (int width = 0; width < 10; width++)
		prompt_draw(&p, "to: ", canvas, 0, 0, width);
	canvas_free(canvas);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_edit_at_the_cursor),
		cmocka_unit_test(characters_are_edited_whole),
		cmocka_unit_test(control_keys_cut),
		cmocka_unit_test(what_is_no_character_is_not_typed),
		cmocka_unit_test(a_huge_paste_stops_at_the_end),
		cmocka_unit_test(the_cursor_is_always_in_sight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
