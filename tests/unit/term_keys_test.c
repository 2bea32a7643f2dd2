/* SPDX-License-Identifier: MIT */
/*
 * term_keys_test.c - bytes of a terminal to keys and mouse events.
 */
#include "tui/term_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct typed {
	const char *bytes;
	size_t len, at;
	struct term_keys keys;
};

static int32_t
next_byte(void *ctx)
{
	struct typed *typed = ctx;

	return typed->at < typed->len ? (uint8_t)typed->bytes[typed->at++]
				      : CODE_NONE;
}

static uint32_t
next_key(struct typed *typed)
{
	return term_keys_next(&typed->keys, next_byte, typed);
}

#define TYPED(text)							\
	{ .bytes = (text), .len = sizeof(text) - 1,			\
	  .keys = { .pending = CODE_NONE } }

static void
letters_and_controls_are_keys(void **state)
{
	struct typed t = TYPED("q\r\t\x7f\x01");

	(void)state;
	assert_int_equal(next_key(&t), 'q');
	assert_int_equal(next_key(&t), KEYS_ENTER);
	assert_int_equal(next_key(&t), KEYS_TAB);
	assert_int_equal(next_key(&t), KEYS_BACKSPACE);
	assert_int_equal(next_key(&t), 1);
	assert_int_equal(next_key(&t), KEY_NONE_PRESSED);
}

static void
a_character_of_several_bytes_is_one_key(void **state)
{
	struct typed t = TYPED("\xc3\xa4\xff\xe4\xb8q");

	(void)state;
	assert_int_equal(next_key(&t), 0xe4);
	assert_int_equal(next_key(&t), 'q');	/* halves are nothing */
}

static void
escape_is_a_key_and_what_follows_too(void **state)
{
	struct typed t = TYPED("\x1bq\x1b");

	(void)state;
	assert_int_equal(next_key(&t), KEYS_ESCAPE);
	assert_int_equal(next_key(&t), 'q');
	assert_int_equal(next_key(&t), KEYS_ESCAPE);
	assert_int_equal(next_key(&t), KEY_NONE_PRESSED);
}

static void
clicks_and_the_wheel_are_told_with_their_place(void **state)
{
	struct typed t = TYPED("\x1b[<0;5;3M\x1b[<32;7;3M\x1b[<0;8;3m"
			       "\x1b[<64;80;24M\x1b[<65;300;1Mq");

	(void)state;
	assert_int_equal(next_key(&t), KEYS_MOUSE);
	assert_int_equal(t.keys.mouse.kind, MOUSE_CLICK);
	assert_int_equal(t.keys.mouse.x, 4);
	assert_int_equal(t.keys.mouse.y, 2);
	assert_int_equal(next_key(&t), KEYS_MOUSE);
	assert_int_equal(t.keys.mouse.kind, MOUSE_DRAG);
	assert_int_equal(t.keys.mouse.x, 6);
	assert_int_equal(next_key(&t), KEYS_MOUSE);
	assert_int_equal(t.keys.mouse.kind, MOUSE_RELEASE);
	assert_int_equal(t.keys.mouse.x, 7);
	assert_int_equal(next_key(&t), KEYS_MOUSE);
	assert_int_equal(t.keys.mouse.kind, MOUSE_WHEEL_UP);
	assert_int_equal(t.keys.mouse.x, 79);
	assert_int_equal(t.keys.mouse.y, 23);
	assert_int_equal(next_key(&t), KEYS_MOUSE);
	assert_int_equal(t.keys.mouse.kind, MOUSE_WHEEL_DOWN);
	assert_int_equal(t.keys.mouse.x, 299);
	assert_int_equal(next_key(&t), 'q');
}

static void
shift_and_an_arrow_are_a_key_whatever_terminfo_says(void **state)
{
	struct typed t = TYPED("\x1b[1;2C\x1b[1;2D\x1b[1;2A\x1b[1;5Cq");

	(void)state;
	assert_int_equal(next_key(&t), KEYS_S_RIGHT);
	assert_int_equal(next_key(&t), KEYS_S_LEFT);
	assert_int_equal(next_key(&t), 'q');
}

static void
what_was_not_asked_for_is_no_key(void **state)
{
	static const char *const noise[] = {
		"\x1b[<2;5;3M",		/* other buttons, dragging them, shift */
		"\x1b[<34;5;3M", "\x1b[<35;5;3M", "\x1b[<4;5;3M",
		"\x1b[<0;0;3M", "\x1b[<0;5M", "\x1b[<0;1;2;3M",
		"\x1b[<99999999999999;99999999999;1M",
		"\x1b[M qq", "\x1b[200~", "\x1b[1;5Z", "\x1b[?2026;9$y",
		"\x1b[?1;2;3;4;5;6;7;8;9c",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(noise) / sizeof(noise[0]); i++) {
		struct typed t = { .bytes = noise[i], .len = strlen(noise[i]),
				   .keys = { .pending = CODE_NONE } };

		assert_int_equal(next_key(&t), KEY_NONE_PRESSED);
		assert_int_equal(t.at, t.len);
		assert_int_equal(t.keys.answer, 0);
	}
}

static void
a_sequence_has_an_end(void **state)
{
	static char endless[300] = "\x1b[";
	struct typed t = { .bytes = endless, .len = sizeof(endless),
			   .keys = { .pending = CODE_NONE } };

	(void)state;
	memset(endless + 2, '1', sizeof(endless) - 2);
	assert_int_equal(next_key(&t), '1');	/* the rest is typed */
}

static void
the_answer_about_synchronized_output_is_kept(void **state)
{
	struct typed yes = TYPED("a\x1b[?2026;2$yb");
	struct typed no = TYPED("\x1b[?2026;0$y");

	(void)state;
	assert_int_equal(next_key(&yes), 'a');
	assert_int_equal(next_key(&yes), 'b');
	assert_int_equal(yes.keys.answer, 3);
	assert_int_equal(next_key(&no), KEY_NONE_PRESSED);
	assert_int_equal(no.keys.answer, 1);
}

static void
noise_without_end_is_taken_a_part_at_a_time(void **state)
{
	static char noise[20000];
	struct typed t = { .bytes = noise, .len = sizeof(noise),
			   .keys = { .pending = CODE_NONE } };

	(void)state;
	memset(noise, 0x80, sizeof(noise));
	assert_int_equal(next_key(&t), KEY_NONE_PRESSED);
	assert_true(t.at < t.len);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_and_controls_are_keys),
		cmocka_unit_test(a_character_of_several_bytes_is_one_key),
		cmocka_unit_test(escape_is_a_key_and_what_follows_too),
		cmocka_unit_test(
			clicks_and_the_wheel_are_told_with_their_place),
		cmocka_unit_test(shift_and_an_arrow_are_a_key_whatever_terminfo_says),
		cmocka_unit_test(what_was_not_asked_for_is_no_key),
		cmocka_unit_test(a_sequence_has_an_end),
		cmocka_unit_test(the_answer_about_synchronized_output_is_kept),
		cmocka_unit_test(noise_without_end_is_taken_a_part_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
