/* SPDX-License-Identifier: MIT */
/*
 * keymap_test.c - key files and the list of actions.
 */
#include "tui/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool
read_keys(struct keymap *keymap, const char *text, struct error *err)
{
	return keymap_read(keymap, text, strlen(text), err);
}

static void
every_action_has_a_key(void **state)
{
	struct keymap *keymap = keymap_new();
	char keys[128];

	(void)state;
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++)
		if (!*keymap_keys(keymap, (enum action)a, keys, sizeof(keys)))
			fail_msg("%s has no key", action_rows[a].word);
	keymap_free(keymap);
}

static void
words_and_actions_are_one_to_one(void **state)
{
	(void)state;
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		assert_int_equal(action_by_word(action_rows[a].word), a);
		assert_true(action_rows[a].help[0] != '\0');
		assert_true(action_rows[a].group[0] != '\0');
	}
	assert_int_equal(action_by_word("explode"), ACTION_NONE);
	assert_int_equal(action_by_word(""), ACTION_NONE);
}

static void
built_in_keys_do_what_fingers_know(void **state)
{
	static const struct {
		uint32_t key;
		enum action action;
	} known[] = {
		{ 'k', ACTION_UP },		{ KEYS_DOWN, ACTION_DOWN },
		{ KEYS_ENTER, ACTION_ZOOM },	{ 'u', ACTION_BACK },
		{ KEYS_BACKSPACE, ACTION_BACK }, { KEYS_ESCAPE, ACTION_PEEL },
		{ '0', ACTION_RESET },		{ '=', ACTION_RELAYOUT },
		{ 'B' & 0x1f, ACTION_PAGE_UP },	{ '/', ACTION_SEARCH },
		{ '#', ACTION_SEARCH_WORD },	{ '*', ACTION_SEARCH_WORD },
		{ KEYS_BACK_TAB, ACTION_VIEW_PREVIOUS },
		{ '<', ACTION_SORT_LEFT },	{ ' ', ACTION_FREEZE },
		{ 'S' & 0x1f, ACTION_SAVE },	{ 'L' & 0x1f, ACTION_REDRAW },
		{ KEYS_F1, ACTION_HELP },	{ 'Z' & 0x1f, ACTION_SUSPEND },
		{ 'q', ACTION_QUIT },		{ 'C' & 0x1f, ACTION_QUIT },
		{ 'x', ACTION_EXCLUDE },	{ 'W', ACTION_NONE },
	};
	struct keymap *keymap = keymap_new();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		assert_int_equal(keymap_action(keymap, known[i].key),
				 known[i].action);
	keymap_free(keymap);
}

static void
a_key_file_adds_overrides_and_unbinds(void **state)
{
	struct keymap *keymap = keymap_new();
	struct error err;
	char keys[64];

	(void)state;
	assert_true(read_keys(keymap, "# my keys\r\n\n"
			      "x quit\n"
			      "q none # not by accident\n"
			      "ä  help\n"
			      "^I zoom\n"
			      "^M back\n"
			      "# none\n"
			      "## search\n"
			      "^ top", &err));
	assert_int_equal(keymap_action(keymap, 'x'), ACTION_QUIT);
	assert_int_equal(keymap_action(keymap, 'q'), ACTION_NONE);
	assert_int_equal(keymap_action(keymap, 0xe4), ACTION_HELP);
	assert_int_equal(keymap_action(keymap, KEYS_TAB), ACTION_ZOOM);
	assert_int_equal(keymap_action(keymap, KEYS_ENTER), ACTION_BACK);
	assert_int_equal(keymap_action(keymap, '#'), ACTION_NONE);
	assert_int_equal(keymap_action(keymap, '^'), ACTION_TOP);
	assert_string_equal(keymap_keys(keymap, ACTION_QUIT, keys,
					sizeof(keys)), "^C x");
	assert_string_equal(keymap_keys(keymap, ACTION_HELP, keys,
					sizeof(keys)), "? F1 ä");
	keymap_free(keymap);
}

static void
a_faulty_line_is_named(void **state)
{
	static const struct {
		const char *text, *problem;
	} cases[] = {
		{ "x quit\n\nUpp up\n", "line 3: no key \"Upp\"" },
		{ "x qiut", "line 1: no action \"qiut\"" },
		{ "x", "line 1: want \"key action\"" },
		{ "x quit now", "line 1: want \"key action\"" },
		{ "\x80 quit", "line 1: no key \"\\x80\"" },
		{ "\x1b quit", "line 1: no key \"\\x1b\"" },
		{ "^a quit", "line 1: no key \"^a\"" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct keymap *keymap = keymap_new();
		struct error err = { 0 };

		assert_false(read_keys(keymap, cases[i].text, &err));
		assert_string_equal(err.text, cases[i].problem);
		keymap_free(keymap);
	}
}

static void
keys_that_do_not_fit_are_left_out(void **state)
{
	struct keymap *keymap = keymap_new();
	char keys[6];

	(void)state;
	assert_string_equal(keymap_keys(keymap, ACTION_PAGE_DOWN, keys,
					sizeof(keys)), "");
	assert_string_equal(keymap_keys(keymap, ACTION_UP, keys,
					sizeof(keys)), "Up k");
	keymap_free(keymap);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_action_has_a_key),
		cmocka_unit_test(words_and_actions_are_one_to_one),
		cmocka_unit_test(built_in_keys_do_what_fingers_know),
		cmocka_unit_test(a_key_file_adds_overrides_and_unbinds),
		cmocka_unit_test(a_faulty_line_is_named),
		cmocka_unit_test(keys_that_do_not_fit_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
