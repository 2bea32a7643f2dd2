/* SPDX-License-Identifier: MIT */
/*
 * tui_acts.c - what an action does: in the view, in the screen, or as a
 * request to the session.
 */
#include <string.h>

#include "tui/chips.h"
#include "tui/menu.h"
#include "tui/shares.h"
#include "tui/tui_private.h"

static void
put_in_the_middle(struct tui *tui, func_id func)
{
	tui_ask_for(tui, ACTION_VIEW_SANDWICH);
	tui->request.func = func;
	tui->view_before = tui->view;
}

/* What the cursor is on stays the same, where both views have it. */
static void
switch_to(struct tui *tui, const struct scene *scene, size_t view)
{
	struct focus focus = tui_focus(tui, scene);
	bool has_func = focus.func != FUNC_NONE && focus.hidden == 0;
	void *state = tui->states[view];

	if (view == tui->view)
		return;
	if (view == SANDWICH)
		put_in_the_middle(tui, focus.hidden ? FUNC_NONE : focus.func);
	else if (tui_views[view]->go && has_func && focus.node != NODE_NONE)
		tui_views[view]->go(state, scene, focus.node);
	else if (view != FLAME && has_func)
		tui_views[view]->show(state, scene, focus.func);
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

static void
open_menu(struct tui *tui, const struct scene *scene)
{
	struct focus focus = tui_focus(tui, scene);
	bool has_func = focus.func != FUNC_NONE && focus.hidden == 0;

	list_free(tui->menu);
	tui->menu = menu_new(tui->keymap, has_func ?
			     names_text(scene->names, focus.func) : "");
	tui->mode = MODE_MENU;
}

static void
open_hits(struct tui *tui, const struct scene *scene)
{
	if (!search_is_on(tui->search)) {
		tui_message(tui, false, "nothing is searched for");
		return;
	}
	tui->hits = hit_list_new(scene, tui_search_top(tui, scene));
	tui->mode = MODE_HITS;
}

/* One layer less: the search, then the view's zoom, then what is filtered. */
static void
peel(struct tui *tui, const struct scene *scene)
{
	if (search_is_on(tui->search)) {
		search_set(tui->search, "", scene->names);
	} else if (tui_views[tui->view]->act(tui->states[tui->view], scene,
					 ACTION_PEEL)) {
		return;
	} else if (chips_are_any(scene)) {
		tui_ask_for(tui, ACTION_PEEL);
	} else {
		char keys[64];

		keymap_keys(tui->keymap, ACTION_QUIT, keys, sizeof(keys));
		keys[strcspn(keys, " ")] = '\0';
		tui_message(tui, false, "nothing left to leave; %s quits",
			    keys[0] ? keys : "a signal");
	}
}

/* The view that ACTION leads to; VIEWS: it is about something else. */
static size_t
view_of(const struct tui *tui, enum action action)
{
	switch (action) {
	case ACTION_VIEW_FLAME:
		return FLAME;
	case ACTION_VIEW_TABLE:
		return TABLE;
	case ACTION_VIEW_SANDWICH:
		return SANDWICH;
	case ACTION_VIEW_TREE:
		return TREE;
	case ACTION_VIEW_NEXT:
		return (tui->view + 1) % VIEWS;
	case ACTION_VIEW_PREVIOUS:
		return (tui->view + VIEWS - 1) % VIEWS;
	default:
		return VIEWS;
	}
}

/* Why a view has not carried out what only views can; NULL: it is no such. */
static const char *
not_here(const struct tui *tui, enum action action)
{
	switch (action) {
	case ACTION_NEXT:
	case ACTION_PREVIOUS:
		return search_is_on(tui->search) ? "no hit in this view" :
						   "no search is on";
	case ACTION_FLIP:
		return "only the flame graph can be flipped";
	case ACTION_MARK_LEFT:
	case ACTION_MARK_RIGHT:
		return "frames are marked in the flame graph";
	case ACTION_EXPAND:
	case ACTION_COLLAPSE:
		return "nothing is folded in this view";
	case ACTION_SORT_LEFT:
	case ACTION_SORT_RIGHT:
		return "the table of functions can be sorted, not this view";
	default:
		return NULL;
	}
}

/* What is about something of the screen's own. */
static bool
act_on_own(struct tui *tui, const struct scene *scene, enum action action)
{
	switch (action) {
	case ACTION_SEARCH:
		tui_open_search(tui);
		return true;
	case ACTION_OPEN:
		tui_open_prompt(tui, MODE_OPEN, "");
		return true;
	case ACTION_FILTER:
		tui_open_filter(tui);
		return true;
	case ACTION_COMMAND:
		tui_open_prompt(tui, MODE_COMMAND, "");
		return true;
	case ACTION_THREADS:
		tui->threads = threads_new(scene);
		tui->mode = MODE_THREADS;
		return true;
	case ACTION_MENU:
		open_menu(tui, scene);
		return true;
	case ACTION_HITS:
		open_hits(tui, scene);
		return true;
	case ACTION_HELP:
		tui->mode = MODE_HELP;
		return true;
	case ACTION_PERCENT:
		tui->shares = (tui->shares + 1) % SHARES_COUNT;
		tui_message(tui, false, "%s", shares_story(tui->shares));
		return true;
	default:
		return false;
	}
}

/* What the view did not do: the screen does, or the session is asked. */
static void
act_in_app(struct tui *tui, const struct scene *scene, enum action action)
{
	const char *why = not_here(tui, action);
	size_t view = view_of(tui, action);

	if (view < VIEWS)
		switch_to(tui, scene, view);
	else if (why)
		tui_message(tui, false, "%s", why);
	else if (action == ACTION_SEARCH_WORD)
		search_word(tui, scene);
	else if (action == ACTION_ZOOM && tui->view == SANDWICH)
		put_in_the_middle(tui, tui_focus(tui, scene).func);
	else if (action == ACTION_BACK && tui->view != SANDWICH)
		return;		/* the session's only there */
	else if (!act_on_own(tui, scene, action))
		tui_ask_for(tui, action);
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
