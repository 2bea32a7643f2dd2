/* SPDX-License-Identifier: MIT */
/*
 * tui.c - views, prompts, pickers, header and health line as one screen.
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
#include "tui/prompt.h"
#include "tui/status.h"
#include "tui/text.h"
#include "tui/threads.h"
#include "tui/view_help.h"

enum mode {
	MODE_VIEW,
	MODE_HELP,
	MODE_THREADS,
	MODE_SEARCH,		/* from here on something is typed */
	MODE_SAVE,
	MODE_OPEN
};

enum { FLAME, TABLE, VIEWS };

static const struct view_ops *const views[VIEWS] = {
	[FLAME] = &view_flame,
	[TABLE] = &view_table,
};

struct tui {
	const struct keymap *keymap;
	bool is_ascii;
	void *states[VIEWS];
	size_t view;
	enum mode mode;
	struct prompt prompt;
	struct threads *threads;	/* while MODE_THREADS */
	long help_top;
	long help_page;			/* lines it showed last */
	struct search *search;
	char *search_before;		/* what Esc in the prompt restores */
	bool search_is_typed;		/* the prompt has news for it */
	struct tui_request request;
	char message[512];
	bool is_warning;
};

struct tui *
tui_new(const struct keymap *keymap, bool is_ascii)
{
	struct tui *tui = xcalloc(1, sizeof(*tui));

	tui->keymap = keymap;
	tui->is_ascii = is_ascii;
	tui->search = search_new();
	for (size_t i = 0; i < VIEWS; i++)
		tui->states[i] = xcalloc(1, views[i]->state_size);
	return tui;
}

void
tui_free(struct tui *tui)
{
	if (!tui)
		return;
	for (size_t i = 0; i < VIEWS; i++) {
		views[i]->remap(tui->states[i], NULL, 0);
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
		views[i]->remap(tui->states[i], map, count);
}

const struct search *
tui_search(const struct tui *tui)
{
	return tui->search;
}

struct focus
tui_focus(const struct tui *tui, const struct scene *scene)
{
	return views[tui->view]->focus(tui->states[tui->view], scene);
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

/* Once for all keys of a paste: a search looks at every function. */
static void
search_as_typed(struct tui *tui, const struct scene *scene)
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

	search_as_typed(tui, scene);
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
		views[tui->view]->act(state, scene, ACTION_NEXT);
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
		views[TABLE]->show(tui->states[TABLE], scene, focus.func);
	tui->view = view;
}

static void
show_in_flame(struct tui *tui, const struct scene *scene)
{
	struct focus focus = tui_focus(tui, scene);

	tui->view = FLAME;
	if (focus.func != FUNC_NONE)
		views[FLAME]->show(tui->states[FLAME], scene, focus.func);
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
	} else if (views[tui->view]->act(tui->states[tui->view], scene,
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
	case ACTION_THREAD_ROWS:
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

static void
carry_out(struct tui *tui, const struct scene *scene, enum action action)
{
	void *state = tui->states[tui->view];
	struct focus focus;

	if (action == ACTION_PEEL) {
		peel(tui, scene);
	} else if (action == ACTION_ZOOM && tui->view == TABLE) {
		show_in_flame(tui, scene);
	} else if (views[tui->view]->act(state, scene, action)) {
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

	if (key == KEY_NONE_PRESSED || key == KEYS_RESIZE || key == KEYS_GONE)
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
		carry_out(tui, scene, action);
}

/* --- drawing */

/* Rows of each part at some height; 0: not shown. */
struct layout {
	int header, tabs, names, weights, health, hints;
	int view;		/* first row of the view */
	int view_height;
};

/*
 * The view wants five rows. To give it those, hints go first, then header
 * and tabs, then the detail lines, at last the health line.
 */
static struct layout
lay_out(int height)
{
	struct layout rows = { 1, 1, 1, 1, 1, 1, 0, 0 };
	int *order[] = { &rows.hints, &rows.header, &rows.tabs, &rows.weights,
			 &rows.names };
	int used = 6;

	for (size_t i = 0; i < ARRAY_LEN(order) && height - used < 5; i++) {
		*order[i] = 0;
		used--;
	}
	if (height - used < 1) {
		rows.health = 0;
		used--;
	}
	rows.view = rows.header + rows.tabs;
	rows.view_height = height - used > 0 ? height - used : 0;
	return rows;
}

static void
draw_nothing(const char *why, struct canvas *canvas, struct rect area)
{
	int width = text_width(why);
	int x = area.x + (area.width > width ? (area.width - width) / 2 : 0);

	canvas_text(canvas, x, area.y + area.height / 2, area.width, why,
		    STYLE_TEXT, 0);
}

static void
draw_view(struct tui *tui, const struct scene *scene, struct canvas *canvas,
	  struct rect area)
{
	const struct view_ops *view = views[tui->view];
	void *state = tui->states[tui->view];
	const char *nothing = status_nothing(scene);

	view->layout(state, scene, area.width, area.height);
	if (tui->mode == MODE_HELP) {
		tui->help_page = area.height;
		view_help_draw(tui->keymap, &tui->help_top, canvas, area);
	} else if (tui->mode == MODE_THREADS) {
		threads_draw(tui->threads, scene, canvas, area);
	} else if (nothing) {
		draw_nothing(nothing, canvas, area);
	} else {
		view->draw(state, scene, canvas, area);
	}
}

/* The prompt; beside it, if there is room, what the search finds so far. */
static void
draw_prompt(const struct tui *tui, const struct scene *scene,
	    const struct focus *focus, struct canvas *canvas, int y)
{
	static const char *const labels[] = {
		[MODE_SEARCH] = "/",
		[MODE_SAVE] = "save as: ",
		[MODE_OPEN] = "open: ",
	};
	int width = canvas_width(canvas), room;
	const char *problem = search_problem(tui->search);
	char hits[256];

	prompt_draw(&tui->prompt, labels[tui->mode], canvas, 0, y, width);
	room = width - text_width(labels[tui->mode]) -
	       text_width(tui->prompt.text) - 4;
	if (tui->mode != MODE_SEARCH || room < 16)
		return;
	if (problem[0])
		canvas_printf(canvas, width - room, y, room, STYLE_WARNING,
			      " %s ", problem);
	else if (search_is_on(tui->search))
		canvas_text(canvas, width - room, y, room,
			    status_hits(scene, focus, hits, sizeof(hits)),
			    STYLE_PROMPT, 0);
}

/* What is typed, said or sought is worth more than hints. */
static void
draw_bottom(struct tui *tui, const struct scene *scene,
	    const struct focus *focus, struct canvas *canvas, bool has_row)
{
	int y = canvas_height(canvas) - 1, width = canvas_width(canvas);

	if (tui->mode >= MODE_SEARCH) {
		draw_prompt(tui, scene, focus, canvas, y);
	} else if (tui->message[0]) {
		enum style style = tui->is_warning ? STYLE_WARNING :
						     STYLE_PROMPT;

		canvas_fill(canvas, (struct rect){ 0, y, width, 1 }, style, 0);
		canvas_text(canvas, 0, y, width, tui->message, style, 0);
	} else if (!has_row) {
		return;
	} else if (search_is_on(tui->search) && tui->mode == MODE_VIEW) {
		status_search(scene, focus, canvas, y);
	} else {
		status_hints(tui->keymap, canvas, y);
	}
}

void
tui_draw(struct tui *tui, const struct scene *scene, struct canvas *canvas)
{
	struct layout rows = lay_out(canvas_height(canvas));
	struct rect area = { 0, rows.view, canvas_width(canvas),
			     rows.view_height };
	int y = rows.view + rows.view_height;
	struct focus focus;

	canvas_clear(canvas);
	if (canvas_width(canvas) < 1 || canvas_height(canvas) < 1)
		return;
	search_as_typed(tui, scene);
	search_update(tui->search, scene->names);
	draw_view(tui, scene, canvas, area);
	focus = tui_focus(tui, scene);
	if (rows.header)
		status_header(scene, canvas, 0);
	if (rows.tabs)
		status_tabs(scene, views, VIEWS, tui->view, canvas,
			    rows.header);
	if (rows.names)
		status_names(scene, &focus, canvas, y++);
	/* Without a line for it, what a search found takes another's. */
	if (rows.weights && !rows.hints && search_is_on(tui->search))
		status_search(scene, &focus, canvas, y++);
	else if (rows.weights)
		status_weights(scene, &focus, canvas, y++);
	if (rows.health)
		status_health(scene, canvas, y);
	draw_bottom(tui, scene, &focus, canvas, rows.hints);
}
