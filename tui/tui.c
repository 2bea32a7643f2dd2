/* SPDX-License-Identifier: MIT */
/*
 * tui.c - views, prompts and pickers: what a key does.
 *
 * A key goes to whoever is on top: a prompt or picker if one is open, else
 * the keymap makes it an action, which the view may carry out; what it leaves
 * is the application's, and what that cannot do itself becomes a request.
 */
#include "tui/tui.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"
#include "tui/tui_private.h"

const struct view_ops *const tui_views[VIEWS] = {
	[FLAME] = &view_flame,
	[TABLE] = &view_table,
};

struct tui *
tui_new(const struct keymap *keymap)
{
	struct tui *tui = xcalloc(1, sizeof(*tui));

	tui->keymap = keymap;
	tui->search = search_new();
	for (size_t i = 0; i < VIEWS; i++)
		tui->states[i] = xcalloc(1, tui_views[i]->state_size);
	return tui;
}

void
tui_free(struct tui *tui)
{
	if (!tui)
		return;
	for (size_t i = 0; i < VIEWS; i++) {
		tui_views[i]->remap(tui->states[i], NULL, 0);
		free(tui->states[i]);
	}
	threads_free(tui->threads);
	search_free(tui->search);
	free(tui->search_before);
	free(tui->request.threads);
	free(tui);
}

struct tui_request
tui_request(struct tui *tui)
{
	struct tui_request request = tui->request;

	tui->request = (struct tui_request){ .action = ACTION_NONE };
	return request;
}

static void
ask_for(struct tui *tui, enum action action)
{
	free(tui->request.threads);
	tui->request = (struct tui_request){ .action = action };
}

void
tui_message(struct tui *tui, bool is_warning, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	sanitise_into(tui->message, sizeof(tui->message), text, strlen(text));
	tui->is_warning = is_warning;
}

void
tui_remap(struct tui *tui, const node_id *map, size_t count)
{
	for (size_t i = 0; i < VIEWS; i++)
		tui_views[i]->remap(tui->states[i], map, count);
}

const struct search *
tui_search(const struct tui *tui)
{
	return tui->search;
}

struct focus
tui_focus(const struct tui *tui, const struct scene *scene)
{
	return tui_views[tui->view]->focus(tui->states[tui->view], scene);
}

/* --- prompts */

static void
open_prompt(struct tui *tui, enum mode mode, const char *text)
{
	prompt_set(&tui->prompt, text);
	tui->mode = mode;
}

void
tui_ask_save(struct tui *tui, const char *path)
{
	open_prompt(tui, MODE_SAVE, path);
}

void
tui_search_as_typed(struct tui *tui, const struct scene *scene)
{
	if (!tui->search_is_typed)
		return;
	tui->search_is_typed = false;
	search_set(tui->search, tui->prompt.text, scene->names);
}

static void
open_search(struct tui *tui)
{
	free(tui->search_before);
	tui->search_before = xstrdup(search_pattern(tui->search));
	open_prompt(tui, MODE_SEARCH, "");
}

static void
close_search(struct tui *tui, const struct scene *scene,
	     enum prompt_answer answer)
{
	struct focus focus = tui_focus(tui, scene);
	void *state = tui->states[tui->view];

	tui_search_as_typed(tui, scene);
	tui->mode = MODE_VIEW;
	if (answer == PROMPT_LEFT) {
		search_set(tui->search, tui->search_before, scene->names);
		return;
	}
	if (search_problem(tui->search)[0])
		tui_message(tui, true, "search: %s",
			    search_problem(tui->search));
	else if (search_is_on(tui->search) && (focus.func == FUNC_NONE ||
		 !search_hits(tui->search, focus.func)))
		tui_views[tui->view]->act(state, scene, ACTION_NEXT);
}

static void
close_path(struct tui *tui, enum prompt_answer answer)
{
	enum action action = tui->mode == MODE_SAVE ? ACTION_SAVE :
						      ACTION_OPEN;

	tui->mode = MODE_VIEW;
	if (answer == PROMPT_LEFT || tui->prompt.len == 0)
		return;
	ask_for(tui, action);
	strcpy(tui->request.text, tui->prompt.text);
}

static void
key_to_prompt(struct tui *tui, const struct scene *scene, uint32_t key)
{
	enum prompt_answer answer = prompt_key(&tui->prompt, key);

	if (tui->mode == MODE_SEARCH)
		tui->search_is_typed = true;
	if (answer == PROMPT_GOES_ON)
		return;
	if (tui->mode == MODE_SEARCH)
		close_search(tui, scene, answer);
	else
		close_path(tui, answer);
}

/* --- picker and help */

static void
close_threads(struct tui *tui)
{
	threads_free(tui->threads);
	tui->threads = NULL;
	tui->mode = MODE_VIEW;
}

static void
key_to_threads(struct tui *tui, uint32_t key)
{
	switch (threads_key(tui->threads, key)) {
	case LIST_GOES_ON:
		return;
	case LIST_CHOSEN:
		ask_for(tui, ACTION_THREADS);
		tui->request.nthreads = threads_chosen(tui->threads,
						       &tui->request.threads);
		break;
	case LIST_LEFT:
		break;
	}
	close_threads(tui);
}

/* Scrolling scrolls; anything else leaves the help. */
static void
act_in_help(struct tui *tui, enum action action)
{
	long page = tui->help_page > 1 ? tui->help_page - 1 : 1;

	switch (action) {
	case ACTION_UP:
		tui->help_top--;
		break;
	case ACTION_DOWN:
		tui->help_top++;
		break;
	case ACTION_PAGE_UP:
		tui->help_top -= page;
		break;
	case ACTION_PAGE_DOWN:
	case ACTION_FREEZE:	/* Space pages in every pager */
		tui->help_top += page;
		break;
	case ACTION_TOP:
		tui->help_top = 0;
		break;
	case ACTION_BOTTOM:
		tui->help_top = 1000000;
		break;
	default:
		tui->mode = MODE_VIEW;
	}
}

/* --- actions */

static void
switch_to(struct tui *tui, const struct scene *scene, size_t view)
{
	struct focus focus = tui_focus(tui, scene);
	bool has_func = focus.func != FUNC_NONE && focus.hidden == 0;

	if (view == TABLE && tui->view == FLAME && has_func)
		tui_views[TABLE]->show(tui->states[TABLE], scene, focus.func);
	tui->view = view;
}

static void
show_in_flame(struct tui *tui, const struct scene *scene)
{
	struct focus focus = tui_focus(tui, scene);

	tui->view = FLAME;
	if (focus.func != FUNC_NONE)
		tui_views[FLAME]->show(tui->states[FLAME], scene, focus.func);
}

static void
search_word(struct tui *tui, const struct scene *scene)
{
	struct focus focus = tui_focus(tui, scene);

	if (focus.func != FUNC_NONE && focus.hidden == 0)
		search_func(tui->search, focus.func, scene->names);
	else
		tui_message(tui, false, "no function under the cursor");
}

/* One layer less: the search, then the view's zoom, then the threads. */
static void
peel(struct tui *tui, const struct scene *scene)
{
	if (search_is_on(tui->search)) {
		search_set(tui->search, "", scene->names);
	} else if (tui_views[tui->view]->act(tui->states[tui->view], scene,
					 ACTION_PEEL)) {
		return;
	} else if (picture_filter(scene->picture)->nthreads) {
		ask_for(tui, ACTION_THREADS);
	} else {
		char keys[64];

		keymap_keys(tui->keymap, ACTION_QUIT, keys, sizeof(keys));
		keys[strcspn(keys, " ")] = '\0';
		tui_message(tui, false, "nothing left to leave; %s quits",
			    keys[0] ? keys : "a signal");
	}
}

/* What the view did not do. */
static void
act_in_app(struct tui *tui, const struct scene *scene, enum action action)
{
	switch (action) {
	case ACTION_SEARCH:
		open_search(tui);
		break;
	case ACTION_SEARCH_WORD:
		search_word(tui, scene);
		break;
	case ACTION_NEXT:
	case ACTION_PREVIOUS:
		tui_message(tui, false, search_is_on(tui->search) ?
			    "no hit in this view" : "no search is on");
		break;
	case ACTION_VIEW_FLAME:
		switch_to(tui, scene, FLAME);
		break;
	case ACTION_VIEW_TABLE:
		switch_to(tui, scene, TABLE);
		break;
	case ACTION_VIEW_NEXT:
		switch_to(tui, scene, (tui->view + 1) % VIEWS);
		break;
	case ACTION_VIEW_PREVIOUS:
		switch_to(tui, scene, (tui->view + VIEWS - 1) % VIEWS);
		break;
	case ACTION_THREADS:
		tui->threads = threads_new(scene);
		tui->mode = MODE_THREADS;
		break;
	case ACTION_OPEN:
		open_prompt(tui, MODE_OPEN, "");
		break;
	case ACTION_HELP:
		tui->mode = MODE_HELP;
		break;
	case ACTION_SAVE:
	case ACTION_FREEZE:
	case ACTION_KERNEL:
	case ACTION_JVM_NAMES:
	case ACTION_INLINED:
	case ACTION_THREAD_ROWS:
	case ACTION_MOUSE:
	case ACTION_REDRAW:
	case ACTION_SUSPEND:
	case ACTION_QUIT:
		ask_for(tui, action);
		break;
	case ACTION_SORT_LEFT:
	case ACTION_SORT_RIGHT:
		tui_message(tui, false, "the table of functions can be "
					"sorted, not this view");
		break;
	default:
		break;
	}
}

void
tui_act(struct tui *tui, const struct scene *scene, enum action action)
{
	void *state = tui->states[tui->view];
	struct focus focus;

	if (action == ACTION_PEEL) {
		peel(tui, scene);
	} else if (action == ACTION_ZOOM && tui->view == TABLE) {
		show_in_flame(tui, scene);
	} else if (tui_views[tui->view]->act(state, scene, action)) {
		focus = tui_focus(tui, scene);
		if (focus.notice)
			tui_message(tui, false, "%s", focus.notice);
	} else {
		act_in_app(tui, scene, action);
	}
}

/* These act even while something is typed; all characters are text then. */
static bool
is_for_all_modes(enum action action, uint32_t key)
{
	return key < 0x20 &&
	       (action == ACTION_QUIT || action == ACTION_SUSPEND ||
		action == ACTION_REDRAW);
}

void
tui_key(struct tui *tui, const struct scene *scene, uint32_t key)
{
	enum action action = keymap_action(tui->keymap, key);

	if (key == KEY_NONE_PRESSED || key == KEYS_RESIZE ||
	    key == KEYS_GONE || key == KEYS_MOUSE)
		return;
	tui->message[0] = '\0';
	if (is_for_all_modes(action, key))
		ask_for(tui, action);
	else if (tui->mode >= MODE_SEARCH)
		key_to_prompt(tui, scene, key);
	else if (tui->mode == MODE_THREADS)
		key_to_threads(tui, key);
	else if (tui->mode == MODE_HELP)
		act_in_help(tui, action);
	else
		tui_act(tui, scene, action);
}
