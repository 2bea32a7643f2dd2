/* SPDX-License-Identifier: MIT */
/*
 * command_test.c - what is typed after ":", and what was typed before.
 */
#include "tui/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tui/history.h"
#include "tui/keymap.h"

static void
assert_command(const char *text, enum action action, const char *argument)
{
	struct command command;
	struct error err;

	assert_true(command_parse(text, &command, &err));
	assert_int_equal(command.action, action);
	assert_string_equal(command.argument, argument);
}

static void
a_verb_has_its_argument_after_a_blank_or_equals(void **state)
{
	(void)state;
	assert_command("save now.folded", ACTION_SAVE, "now.folded");
	assert_command("save=now.folded", ACTION_SAVE, "now.folded");
	assert_command(" :search  a b", ACTION_SEARCH, "a b");
}

static void
the_word_of_an_action_does_what_its_key_does(void **state)
{
	(void)state;
	assert_command("freeze", ACTION_FREEZE, "");
	assert_command("view-functions", ACTION_VIEW_TABLE, "");
	assert_command("focus", ACTION_FOCUS, "");
}

static void
a_start_is_enough_where_one_word_begins_so(void **state)
{
	(void)state;
	assert_command("q", ACTION_QUIT, "");
	assert_command("the light", ACTION_COMMAND, "light");
}

static void
what_is_wrong_is_said(void **state)
{
	static const struct {
		const char *text, *why;
	} wrong[] = {
		{ "", "Tab lists" },
		{ "se", "search" },
		{ "nonsense", "no command" },
		{ "set", "needs OPTION" },
		{ "quit now", "takes nothing" },
		{ "bad\033[2J", "no command" },
	};
	struct command command;
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_false(command_parse(wrong[i].text, &command, &err));
		if (*wrong[i].text)
			assert_non_null(strstr(err.text, wrong[i].why));
		assert_null(strchr(err.text, '\033'));
	}
}

static void
words_that_may_follow_are_known(void **state)
{
	const char *words[COMMAND_WORDS], *argument;

	(void)state;
	assert_int_equal(command_words("sea", words), 2);
	assert_string_equal(words[0], "search");
	assert_string_equal(words[1], "search-word");
	assert_int_equal(command_words("sav", words), 1);
	assert_true(command_takes_more(words[0]));
	assert_false(command_takes_more("quit"));
	assert_false(command_takes_more("no-such"));
	assert_true(command_words("", words) > 40);
	assert_int_equal(command_words("save x", words), 0);
	assert_int_equal(command_words("nosuch", words), 0);
	assert_string_equal(command_verb("open  a b", &argument)->word,
			    "open");
	assert_string_equal(argument, "a b");
	assert_null(command_verb("open", &argument));
	assert_null(command_verb("nosuch x", &argument));
}

static void
up_and_down_go_through_what_was_typed(void **state)
{
	struct history history = { 0 };
	struct prompt prompt;

	(void)state;
	history_add(&history, "one");
	history_add(&history, "two");
	history_add(&history, "one");
	prompt_set(&prompt, "");
	assert_true(history_key(&history, &prompt, KEYS_UP));
	assert_string_equal(prompt.text, "one");
	assert_true(history_key(&history, &prompt, KEYS_UP));
	assert_string_equal(prompt.text, "two");
	assert_false(history_key(&history, &prompt, KEYS_UP));
	assert_true(history_key(&history, &prompt, KEYS_DOWN));
	assert_true(history_key(&history, &prompt, KEYS_DOWN));
	assert_string_equal(prompt.text, "");
	assert_false(history_key(&history, &prompt, KEYS_DOWN));
	history_fini(&history);
}

/* What is typed is the start of what is looked for, also typed over a line. */
static void
up_looks_for_what_begins_so(void **state)
{
	struct history history = { 0 };
	struct prompt prompt;

	(void)state;
	history_add(&history, "focus=a");
	history_add(&history, "hide=b");
	history_add(&history, "focus=c");
	history_add(&history, "save x");
	prompt_set(&prompt, "fo");
	assert_true(history_key(&history, &prompt, KEYS_UP));
	assert_string_equal(prompt.text, "focus=c");
	assert_true(history_key(&history, &prompt, KEYS_UP));
	assert_string_equal(prompt.text, "focus=a");
	assert_false(history_key(&history, &prompt, KEYS_UP));
	assert_true(history_key(&history, &prompt, KEYS_DOWN));
	assert_string_equal(prompt.text, "focus=c");
	assert_true(history_key(&history, &prompt, KEYS_DOWN));
	assert_string_equal(prompt.text, "fo");
	assert_true(history_key(&history, &prompt, KEYS_UP));
	prompt_set(&prompt, "hi");
	assert_true(history_key(&history, &prompt, KEYS_UP));
	assert_string_equal(prompt.text, "hide=b");
	history_fini(&history);
}

static void
what_is_fresh_is_counted(void **state)
{
	struct history history = { 0 };

	(void)state;
	history_recall(&history, "old");
	history_recall(&history, "older");
	assert_int_equal(history.fresh, 0);
	history_add(&history, "new");
	assert_int_equal(history.fresh, 1);
	history_add(&history, "old");
	assert_int_equal(history.fresh, 2);
	history_add(&history, "new");
	assert_int_equal(history.fresh, 2);
	assert_int_equal(history.count, 3);
	history_fini(&history);
}

static void
history_forgets_the_oldest(void **state)
{
	struct history history = { 0 };
	struct prompt prompt;
	char line[16];

	(void)state;
	for (int i = 0; i <= HISTORY_MAX; i++) {
		snprintf(line, sizeof(line), "%d", i);
		history_add(&history, line);
	}
	prompt_set(&prompt, "");
	while (history_key(&history, &prompt, KEYS_UP))
		;
	assert_string_equal(prompt.text, "1");
	history_fini(&history);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_verb_has_its_argument_after_a_blank_or_equals),
		cmocka_unit_test(the_word_of_an_action_does_what_its_key_does),
		cmocka_unit_test(a_start_is_enough_where_one_word_begins_so),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(words_that_may_follow_are_known),
		cmocka_unit_test(up_and_down_go_through_what_was_typed),
		cmocka_unit_test(up_looks_for_what_begins_so),
		cmocka_unit_test(what_is_fresh_is_counted),
		cmocka_unit_test(history_forgets_the_oldest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
