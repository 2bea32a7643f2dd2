/* SPDX-License-Identifier: MIT */
/*
 * theme_test.c - theme files, and whether people can read what they make.
 */
#include "tui/theme.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define READABLE 4.5		/* WCAG 2.1, level AA */

static struct theme
builtin(const char *name)
{
	struct theme theme;
	struct error err;
	size_t len = 0;
	const char *text = theme_builtin(name, &len);

	assert_non_null(text);
	if (!theme_parse(text, len, name, &theme, &err))
		fail_msg("%s: %s", name, err.text);
	return theme;
}

static bool
parse(const char *text, struct theme *theme, struct error *err)
{
	return theme_parse(text, strlen(text), "test", theme, err);
}

static void
the_shipped_themes_are_there_and_parse(void **state)
{
	static const char *const names[] = {
		"aurora", "console", "default", "deutan", "dusk", "ember",
		"light", "mono", "paper", "protan", "tritan",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		assert_string_equal(theme_builtin_name(i), names[i]);
		builtin(names[i]);
	}
	assert_null(theme_builtin_name(ARRAY_LEN(names)));
	assert_null(theme_builtin("neon", NULL));
}

static void
every_theme_gives_every_style(void **state)
{
	const char *name, *text;
	size_t len;

	(void)state;
	for (size_t i = 0; (name = theme_builtin_name(i)); i++) {
		text = theme_builtin(name, &len);
		for (int s = 0; s < STYLE_COUNT; s++) {
			char word[32];

			snprintf(word, sizeof(word), "\n%s ", style_words[s]);
			if (!strstr(text, word))
				fail_msg("%s lacks %s", name, style_words[s]);
		}
	}
}

static bool
look_alike(const struct look *a, const struct look *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->is_bold == b->is_bold &&
	       a->is_underlined == b->is_underlined &&
	       a->is_reversed == b->is_reversed;
}

static bool
look_alike_16(const struct look *a, const struct look *b)
{
	return a->fg16 == b->fg16 && a->bg16 == b->bg16;
}

static void
the_cursor_is_like_no_frame(void **state)
{
	static const enum style special[] = { STYLE_CURSOR, STYLE_HIT };
	const char *name;

	(void)state;
	for (size_t i = 0; (name = theme_builtin_name(i)); i++) {
		struct theme t = builtin(name);

		assert_false(look_alike(&t.looks[STYLE_CURSOR],
					&t.looks[STYLE_HIT]));
		assert_false(look_alike(&t.looks[STYLE_SELECTED],
					&t.looks[STYLE_TEXT]));
		for (size_t j = 0; j < ARRAY_LEN(special); j++) {
			const struct look *look = &t.looks[special[j]];

			for (int s = STYLE_BIN; s < STYLE_COUNT; s++) {
				assert_false(look_alike(look, &t.looks[s]));
				assert_true(theme_is_mono(&t) ||
					    !look_alike_16(look, &t.looks[s]));
			}
		}
	}
}

static void
only_mono_is_mono(void **state)
{
	struct theme mono = builtin("mono"), dusk = builtin("dusk");

	(void)state;
	assert_true(theme_is_mono(&mono));
	assert_false(theme_is_mono(&dusk));
}

static void
a_theme_file_sets_what_it_names(void **state)
{
	struct theme theme, base = builtin("default");
	struct error err;

	(void)state;
	assert_true(parse("# mine\n\nhit #102030 #FFeedd bold # note\n"
			  "cursor 16 bright-white underline reverse\r\n"
			  "root black/black 231/cyan", &theme, &err));
	assert_int_equal(theme.looks[STYLE_HIT].fg, 0x102030);
	assert_int_equal(theme.looks[STYLE_HIT].bg, 0xffeedd);
	assert_true(theme.looks[STYLE_HIT].is_bold);
	assert_false(theme.looks[STYLE_HIT].is_underlined);
	assert_true(theme.looks[STYLE_CURSOR].is_underlined);
	assert_true(theme.looks[STYLE_CURSOR].is_reversed);
	assert_int_equal(theme.looks[STYLE_CURSOR].bg16, 15);
	assert_int_equal(theme.looks[STYLE_ROOT].bg, 0xffffff);
	assert_int_equal(theme.looks[STYLE_ROOT].bg16, 6);
	assert_memory_equal(&theme.looks[STYLE_BIN], &base.looks[STYLE_BIN],
			    sizeof(struct look));
	assert_string_equal(theme.name, "test");
}

static void
a_faulty_line_is_named(void **state)
{
	static const struct {
		const char *text, *problem;
	} cases[] = {
		{ "text default default\nhut 1 2\n",
		  "line 2: no style \"hut\"" },
		{ "hit 1", "line 1: want \"style foreground "
			   "background\"" },
		{ "hit 256 1", "line 1: no colour \"256\"" },
		{ "hit #12345 1", "line 1: no colour \"#12345\"" },
		{ "hit #1234567 1", "line 1: no colour \"#1234567\"" },
		{ "hit -1 1", "line 1: no colour \"-1\"" },
		{ "hit 1/puce 1", "line 1: no colour \"1\"" },
		{ "hit default/red default",
		  "line 1: no colour \"default\"" },
		{ "hit default 3", "line 1: set both colours, or leave "
				   "both default" },
		{ "hit 1 3 blink", "line 1: no attribute \"blink\"" },
		{ "\n\n\x1b[2J 1 1", "line 3: no style \"\\x1b[2J\"" },
	};
	struct theme theme;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = { 0 };

		assert_false(parse(cases[i].text, &theme, &err));
		assert_string_equal(err.text, cases[i].problem);
	}
}

static void
lines_that_are_no_text_are_refused(void **state)
{
	struct theme theme;
	struct error err;
	char line[400];

	(void)state;
	assert_false(theme_parse("hit\0 1 2", 8, "x", &theme, &err));
	memset(line, 'x', sizeof(line));
	assert_false(theme_parse(line, sizeof(line), "x", &theme, &err));
	assert_true(theme_parse("", 0, "x", &theme, &err));
}

static void
nearest_colours_are_near(void **state)
{
	(void)state;
	assert_int_equal(colour_256(0x000000), 16);
	assert_int_equal(colour_256(0xffffff), 231);
	assert_int_equal(colour_256(0xffd7af), 223);
	assert_int_equal(colour_256(0x303030), 236);
	assert_int_equal(colour_16(0xf00000), 9);
	assert_int_equal(colour_16(0x000010), 0);
	for (int i = 16; i < 256; i++)
		assert_int_equal(colour_rgb(colour_256(colour_rgb(i))),
				 colour_rgb(i));
	assert_true(colour_contrast(0, 0xffffff) > 20.99);
	assert_true(colour_contrast(0x777777, 0xffffff) < READABLE);
	assert_true(colour_contrast(0x767676, 0xffffff) > READABLE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_shipped_themes_are_there_and_parse),
		cmocka_unit_test(every_theme_gives_every_style),
		cmocka_unit_test(the_cursor_is_like_no_frame),
		cmocka_unit_test(only_mono_is_mono),
		cmocka_unit_test(a_theme_file_sets_what_it_names),
		cmocka_unit_test(a_faulty_line_is_named),
		cmocka_unit_test(lines_that_are_no_text_are_refused),
		cmocka_unit_test(nearest_colours_are_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
