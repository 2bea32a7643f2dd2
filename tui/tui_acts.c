/* SPDX-License-Identifier: MIT */
/*
 * tui_acts.c - what an action does: in the view, in the screen, or as a
 * request to the session.
 */
#include <string.h>

#include "tui/chips.h"
#include "tui/menu.h"
#include "tui/tui_private.h"

static void
put_in_the_middle(struct tui *tui, func_id func)
{
	tui_ask_for(tui, ACTION_VIEW_SANDWICH);
	tui->request.func = func;
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

/* What the view did not do. */
static void
act_in_app(struct tui *tui, const struct scene *scene, enum action action)
{
	switch (action) {
	case ACTION_SEARCH:
		tui_open_search(tui);
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
	case ACTION_VIEW_SANDWICH:
		switch_to(tui, scene, SANDWICH);
		break;
	case ACTION_ZOOM:
		if (tui->view == SANDWICH)
			put_in_the_middle(tui, tui_focus(tui, scene).func);
		break;
	case ACTION_BACK:
		if (tui->view == SANDWICH)
			tui_ask_for(tui, action);
		break;
	case ACTION_VIEW_TREE:
		switch_to(tui, scene, TREE);
		break;
	case ACTION_FLIP:
		tui_message(tui, false, "only the flame graph can be flipped");
		break;
	case ACTION_EXPAND:
	case ACTION_COLLAPSE:
		tui_message(tui, false, "nothing is folded in this view");
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
		tui_open_prompt(tui, MODE_OPEN, "");
		break;
	case ACTION_HELP:
		tui->mode = MODE_HELP;
		break;
	case ACTION_FILTER:
		tui_open_prompt(tui, MODE_FILTER, "");
		break;
	case ACTION_MENU:
		open_menu(tui, scene);
		break;
	case ACTION_COMMAND:
		tui_open_prompt(tui, MODE_COMMAND, "");
		break;
	case ACTION_SAVE:
	case ACTION_FREEZE:
	case ACTION_BASELINE:
	case ACTION_DIFF:
	case ACTION_FOCUS:
	case ACTION_EXCLUDE:
	case ACTION_MERGE:
	case ACTION_LIBRARY:
	case ACTION_RECURSION:
	case ACTION_SHOW_FROM:
	case ACTION_NOISE:
	case ACTION_UNDO:
	case ACTION_REDO:
	case ACTION_WINDOW:
	case ACTION_INVERT:
	case ACTION_KERNEL:
	case ACTION_JVM_NAMES:
	case ACTION_INLINED:
	case ACTION_THREAD_ROWS:
	case ACTION_EDIT:
	case ACTION_COPY_NAME:
	case ACTION_COPY_STACK:
	case ACTION_MOUSE:
	case ACTION_REDRAW:
	case ACTION_SUSPEND:
	case ACTION_QUIT:
		tui_ask_for(tui, action);
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
