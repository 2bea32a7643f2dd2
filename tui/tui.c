/* SPDX-License-Identifier: MIT */
/*
 * tui.c - views, prompts and pickers: who gets a key.
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
#include "tui/menu.h"
#include "tui/tui_private.h"

const struct view_ops *const tui_views[VIEWS] = {
	[FLAME] = &view_flame,
	[TABLE] = &view_table,
	[SANDWICH] = &view_sandwich,
	[TREE] = &view_tree,
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
	list_free(tui->menu);
	hit_list_free(tui->hits);
	history_fini(&tui->searches);
	history_fini(&tui->commands);
	offers_clear(&tui->offers);
	tally_fini(&tui->tally);
	search_free(tui->search);
	free(tui->search_before);
	free(tui->request.threads);
	free(tui);
}

struct history *
tui_commands(struct tui *tui)
{
	return &tui->commands;
}

struct history *
tui_searches(struct tui *tui)
{
	return &tui->searches;
}

struct tui_request
tui_request(struct tui *tui)
{
	struct tui_request request = tui->request;

	tui->request = (struct tui_request){ .action = ACTION_NONE };
	return request;
}

void
tui_ask_for(struct tui *tui, enum action action)
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
tui_show(struct tui *tui, const struct scene *scene, func_id func)
{
	if (func != FUNC_NONE)
		tui_views[tui->view]->show(tui->states[tui->view], scene, func);
}

void
tui_remap(struct tui *tui, const node_id *map, size_t count)
{
	tui->places.at_ns = 0;
	for (size_t i = 0; i < VIEWS; i++)
		tui_views[i]->remap(tui->states[i], map, count);
	if (!map)
		tally_fini(&tui->tally);
}

void
tui_before_turn(struct tui *tui, const struct scene *scene)
{
	tui->turned = tui_focus(tui, scene).func;
	for (size_t i = 0; i < VIEWS; i++)
		if (tui_views[i]->before_turn)
			tui_views[i]->before_turn(tui->states[i], scene);
}

void
tui_after_turn(struct tui *tui, const struct scene *scene)
{
	const struct view_ops *view = tui_views[tui->view];

	if (scene)
		tui_remap(tui, NULL, 0);
	for (size_t i = 0; i < VIEWS; i++)
		if (tui_views[i]->after_turn)
			tui_views[i]->after_turn(tui->states[i], scene);
	if (scene && !view->after_turn)
		tui_show(tui, scene, tui->turned);
}

void
tui_remap_sandwich(struct tui *tui, bool is_above, const node_id *map,
		   size_t count)
{
	view_sandwich_remap(tui->states[SANDWICH], is_above, map, count);
}

void
tui_take_view_back(struct tui *tui)
{
	tui->view = tui->view_before;
}

bool
tui_shows_sandwich(const struct tui *tui)
{
	return tui->view == SANDWICH;
}

bool
tui_shows_threads(const struct tui *tui)
{
	return tui->mode == MODE_THREADS;
}

const struct search *
tui_search(const struct tui *tui)
{
	return tui->search;
}

enum shares
tui_shares(const struct tui *tui)
{
	return tui->shares;
}

struct focus
tui_focus(const struct tui *tui, const struct scene *scene)
{
	return tui_views[tui->view]->focus(tui->states[tui->view], scene);
}

node_id
tui_search_top(const struct tui *tui, const struct scene *scene)
{
	node_id top = tui_focus(tui, scene).top;

	return top < calltree_count(picture_tree(scene->picture)) ? top : 0;
}

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
		tui_ask_for(tui, ACTION_THREADS);
		tui->request.nthreads = threads_chosen(tui->threads,
						       &tui->request.threads);
		break;
	case LIST_LEFT:
		break;
	}
	close_threads(tui);
}

static void
key_to_menu(struct tui *tui, const struct scene *scene, uint32_t key)
{
	enum list_answer answer = list_key(tui->menu, key);
	enum action action = menu_action(tui->menu);

	if (answer == LIST_GOES_ON)
		return;
	list_free(tui->menu);
	tui->menu = NULL;
	tui->mode = MODE_VIEW;
	if (answer == LIST_CHOSEN)
		tui_act(tui, scene, action);
}

/* The biggest place of a function; of those in the zoom, if there is one. */
static void
go_to_hit(struct tui *tui, const struct scene *scene, struct hit hit)
{
	const struct view_ops *view = tui_views[tui->view];
	void *state = tui->states[tui->view];

	if (hit.func == FUNC_NONE)
		return;
	if (view->go && view->focus(state, scene).top)
		view->go(state, scene, hit.node);
	else
		view->show(state, scene, hit.func);
}

static void
key_to_hits(struct tui *tui, const struct scene *scene, uint32_t key)
{
	enum list_answer answer = hit_list_key(tui->hits, key);

	if (answer == LIST_GOES_ON)
		return;
	tui->mode = MODE_VIEW;
	if (answer == LIST_CHOSEN)
		go_to_hit(tui, scene, hit_list_current(tui->hits));
	hit_list_free(tui->hits);
	tui->hits = NULL;
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
	offers_clear(&tui->offers);
	if (is_for_all_modes(action, key))
		tui_ask_for(tui, action);
	else if (tui->mode >= MODE_SEARCH)
		tui_key_to_prompt(tui, scene, key);
	else if (tui->mode == MODE_THREADS)
		key_to_threads(tui, key);
	else if (tui->mode == MODE_MENU)
		key_to_menu(tui, scene, key);
	else if (tui->mode == MODE_HITS)
		key_to_hits(tui, scene, key);
	else if (tui->mode == MODE_HELP)
		act_in_help(tui, action);
	else
		tui_act(tui, scene, action);
}
