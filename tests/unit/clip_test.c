/* SPDX-License-Identifier: MIT */
/*
 * clip_test.c - the bytes that put a text into the user's clipboard.
 */
#include "tui/clip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
expect(const char *text, enum clip_way way, const char *want)
{
	size_t size = 0;
	char *got = clip_sequence(text, strlen(text), way, &size);

	assert_non_null(got);
	assert_int_equal(size, strlen(want));
	assert_memory_equal(got, want, size);
	free(got);
}

static void
a_text_is_base64_in_osc_52(void **state)
{
	(void)state;
	expect("M", CLIP_PLAIN, "\033]52;c;TQ==\a");
	expect("Ma", CLIP_PLAIN, "\033]52;c;TWE=\a");
	expect("Man", CLIP_PLAIN, "\033]52;c;TWFu\a");
	expect("main;\xe4\xb8\x96 12", CLIP_PLAIN,
	       "\033]52;c;bWFpbjvkuJYgMTI=\a");
}

/* Whatever the text: it cannot end the sequence that it is in. */
static void
no_byte_of_the_text_is_sent_as_it_is(void **state)
{
	size_t size = 0;
	char *got = clip_sequence("\a\033\\\x9c", 4, CLIP_PLAIN, &size);

	(void)state;
	assert_int_equal(size, 7 + 8 + 1);
	for (size_t i = 7; i < size - 1; i++)
		assert_true(strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
				   "qrstuvwxyz0123456789+/=", got[i]));
	free(got);
}

static void
tmux_gets_it_both_ways(void **state)
{
	(void)state;
	expect("Man", CLIP_TMUX, "\033]52;c;TWFu\a"
				 "\033Ptmux;\033\033]52;c;TWFu\a\033\\");
}

static void
screen_gets_it_in_parts(void **state)
{
	static char text[1000];
	size_t size = 0, parts = 0;
	char *got;

	(void)state;
	expect("Man", CLIP_SCREEN, "\033P\033]52;c;TWFu\a\033\\");
	memset(text, 'x', sizeof(text));
	got = clip_sequence(text, sizeof(text), CLIP_SCREEN, &size);
	for (size_t i = 0, since = 0; i < size; i++, since++)
		if (got[i] == '\033' && got[i + 1] == 'P') {
			assert_true(parts == 0 || since <= 516);
			since = 0;
			parts++;
		}
	assert_int_equal(parts, 3);
	free(got);
}

static void
a_length_has_bounds(void **state)
{
	static char text[CLIP_MAX + 1];
	size_t size;
	char *got;

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_null(clip_sequence(text, 0, CLIP_PLAIN, &size));
	assert_null(clip_sequence(text, CLIP_MAX + 1, CLIP_PLAIN, &size));
	assert_null(clip_sequence(text, 3, CLIP_NONE, &size));
	got = clip_sequence(text, CLIP_MAX, CLIP_PLAIN, &size);
	assert_int_equal(size, (CLIP_MAX + 2) / 3 * 4 + 8);
	free(got);
}

static void
what_stands_between_is_recognised(void **state)
{
	(void)state;
	assert_int_equal(clip_way("xterm-256color", NULL, NULL), CLIP_PLAIN);
	assert_int_equal(clip_way("screen-256color", "/tmp/t,1,0", NULL),
			 CLIP_TMUX);
	assert_int_equal(clip_way("tmux-256color", NULL, NULL), CLIP_TMUX);
	assert_int_equal(clip_way("tmux-256color", NULL, "1.pts"), CLIP_TMUX);
	assert_int_equal(clip_way("screen", NULL, "1.pts"), CLIP_SCREEN);
	assert_int_equal(clip_way("screen", NULL, ""), CLIP_PLAIN);
	assert_int_equal(clip_way("linux", NULL, NULL), CLIP_NONE);
	assert_int_equal(clip_way(NULL, NULL, NULL), CLIP_NONE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_base64_in_osc_52),
		cmocka_unit_test(no_byte_of_the_text_is_sent_as_it_is),
		cmocka_unit_test(tmux_gets_it_both_ways),
		cmocka_unit_test(screen_gets_it_in_parts),
		cmocka_unit_test(a_length_has_bounds),
		cmocka_unit_test(what_stands_between_is_recognised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
