/* SPDX-License-Identifier: MIT */
/*
 * tui_prompts.c - the lines that can be typed, and what becomes of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/command.h"
#include "tui/tui_private.h"

void
tui_open_prompt(struct tui *tui, enum mode mode, const char *text)
{
	prompt_set(&tui->prompt, text);
	tui->mode = mode;
}

void
tui_ask_save(struct tui *tui, const char *path)
{
	tui_open_prompt(tui, MODE_SAVE, path);
}

void
tui_search_as_typed(struct tui *tui, const struct scene *scene)
{
	if (!tui->search_is_typed)
		return;
	tui->search_is_typed = false;
	search_set(tui->search, tui->prompt.text, scene->names);
}

void
tui_open_search(struct tui *tui)
{
	free(tui->search_before);
	tui->search_before = xstrdup(search_pattern(tui->search));
	tui_open_prompt(tui, MODE_SEARCH, "");
}

/* A search is on: say so if it cannot be, else go where it leads. */
static void
begin_search(struct tui *tui, const struct scene *scene)
{
	struct focus focus = tui_focus(tui, scene);

	if (search_problem(tui->search)[0])
		tui_message(tui, true, "search: %s",
			    search_problem(tui->search));
	else if (search_is_on(tui->search) && (focus.func == FUNC_NONE ||
		 !search_hits(tui->search, focus.func)))
		tui_views[tui->view]->act(tui->states[tui->view], scene,
					  ACTION_NEXT);
}

static void
close_search(struct tui *tui, const struct scene *scene,
	     enum prompt_answer answer)
{
	tui_search_as_typed(tui, scene);
	if (answer == PROMPT_LEFT) {
		search_set(tui->search, tui->search_before, scene->names);
		return;
	}
	history_add(&tui->searches, tui->prompt.text);
	begin_search(tui, scene);
}

void
tui_open_filter(struct tui *tui)
{
	tui_open_prompt(tui, MODE_FILTER, "");
	if (search_is_on(tui->search))
		tui_message(tui, false, "Enter: /%s",
			    search_pattern(tui->search));
}

static void
close_text(struct tui *tui, enum action action, enum prompt_answer answer)
{
	if (answer != PROMPT_LEFT && action == ACTION_FILTER &&
	    tui->prompt.len == 0 && search_is_on(tui->search)) {
		tui_ask_for(tui, action);
		search_regex(tui->search, tui->request.text,
			     sizeof(tui->request.text));
		return;
	}
	if (answer == PROMPT_LEFT || tui->prompt.len == 0)
		return;
	if (action == ACTION_FILTER)
		history_add(&tui->searches, tui->prompt.text);
	tui_ask_for(tui, action);
	strcpy(tui->request.text, tui->prompt.text);
}

/*
 * A verb that acts on what the session owns is its business; an action's word
 * does what its key does.
 */
static void
run_command(struct tui *tui, const struct scene *scene, const char *text)
{
	struct command command = { 0 };
	struct error err;
	bool ok = command_parse(text, &command, &err);
	bool is_setting = command.action == ACTION_COMMAND;

	if (!ok) {
		tui_message(tui, true, "%s", err.text);
	} else if (!command.verb || !*command.argument) {
		tui_act(tui, scene, command.action);
	} else if (command.action == ACTION_SEARCH) {
		search_set(tui->search, command.argument, scene->names);
		begin_search(tui, scene);
	} else {
		tui_ask_for(tui, command.action);
		snprintf(tui->request.text, sizeof(tui->request.text), "%s%s%s",
			 is_setting ? command.verb->word : "",
			 is_setting ? " " : "", command.argument);
	}
}

static void
close_command(struct tui *tui, const struct scene *scene,
	      enum prompt_answer answer)
{
	char text[PROMPT_MAX];

	if (answer == PROMPT_LEFT || tui->prompt.len == 0)
		return;
	history_add(&tui->commands, tui->prompt.text);
	strcpy(text, tui->prompt.text);
	run_command(tui, scene, text);
}

/* Keys that a single line of text knows nothing of. */
static bool
key_before_prompt(struct tui *tui, uint32_t key)
{
	if (key == KEYS_TAB) {
		tui_complete(tui);
		return true;
	}
	switch (tui->mode) {
	case MODE_SEARCH:
	case MODE_FILTER:
		return history_key(&tui->searches, &tui->prompt, key);
	case MODE_COMMAND:
		return history_key(&tui->commands, &tui->prompt, key);
	default:
		return false;
	}
}

void
tui_key_to_prompt(struct tui *tui, const struct scene *scene, uint32_t key)
{
	enum prompt_answer answer = PROMPT_GOES_ON;
	enum mode mode = tui->mode;

	if (!key_before_prompt(tui, key))
		answer = prompt_key(&tui->prompt, key);
	if (mode == MODE_SEARCH)
		tui->search_is_typed = true;
	if (answer == PROMPT_GOES_ON)
		return;
	tui->mode = MODE_VIEW;
	if (mode == MODE_SEARCH)
		close_search(tui, scene, answer);
	else if (mode == MODE_COMMAND)
		close_command(tui, scene, answer);
	else
		close_text(tui, mode == MODE_SAVE ? ACTION_SAVE :
			   mode == MODE_OPEN ? ACTION_OPEN : ACTION_FILTER,
			   answer);
}
