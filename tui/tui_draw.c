/* SPDX-License-Identifier: MIT */
/*
 * tui_draw.c - the screen: which lines there are, and what is on them.
 */
#include "tui/tui_private.h"

#include <stdio.h>
#include <string.h>

#include "tui/chips.h"
#include "tui/status.h"
#include "tui/text.h"
#include "tui/view_help.h"

#define COUNT_NS 1000000000ull

/* Rows of each part at some height; 0: not shown. */
struct layout {
	int header, tabs, chips, names, weights, health, hints;
	int view;		/* first row of the view */
	int view_height;
};

/*
 * The view wants five rows. To give it those, hints go first, then header
 * and tabs, then the detail lines, the chips, at last the health line.
 */
static struct layout
lay_out(int height, bool has_chips)
{
	struct layout rows = { 1, 1, has_chips, 1, 1, 1, 1, 0, 0 };
	int *order[] = { &rows.hints, &rows.header, &rows.tabs, &rows.weights,
			 &rows.names, &rows.chips };
	int used = 6 + has_chips;

	for (size_t i = 0; i < ARRAY_LEN(order) && height - used < 5; i++) {
		used -= *order[i];
		*order[i] = 0;
	}
	if (height - used < 1) {
		rows.health = 0;
		used--;
	}
	rows.view = rows.header + rows.tabs + rows.chips;
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
	const struct view_ops *view = tui_views[tui->view];
	void *state = tui->states[tui->view];
	const char *nothing = status_nothing(scene);

	tui->area = area;
	view->layout(state, scene, area.width, area.height);
	if (tui->mode == MODE_HELP) {
		tui->help_page = area.height - 1;
		view_help_draw(tui->keymap, &tui->help_top, canvas, area);
	} else if (tui->mode == MODE_THREADS) {
		threads_draw(tui->threads, scene, canvas, area);
	} else if (tui->mode == MODE_MENU) {
		list_draw(tui->menu, canvas, area);
	} else if (tui->mode == MODE_HITS) {
		hit_list_draw(tui->hits, scene, tui_search_top(tui, scene), canvas,
			      area);
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
		[MODE_COMMAND] = ":",
		[MODE_FILTER] = "only stacks with: ",
		[MODE_SAVE] = "save as: ",
		[MODE_OPEN] = "open: ",
	};
	int width = canvas_width(canvas), room;
	const char *problem = search_problem(tui->search);
	const char *label = labels[tui->mode];
	char hits[256];

	/* what is saved goes by the name */
	if (tui->mode == MODE_SAVE && scene->health->baseline[0])
		label = "save as (.svg: what differs): ";
	prompt_draw(&tui->prompt, label, canvas, 0, y, width);
	room = width - text_width(label) -
	       text_width(tui->prompt.text) - 4;
	if (room < 16)
		return;
	if (tui->message[0])		/* what could be typed */
		canvas_printf(canvas, width - room, y, room, STYLE_PROMPT,
			      "%s", tui->message);
	if (tui->mode != MODE_SEARCH)
		return;
	if (problem[0])
		canvas_printf(canvas, width - room, y, room, STYLE_WARNING,
			      " %s ", problem);
	else if (search_is_on(tui->search))
		canvas_text(canvas, width - room, y, room,
			    status_hits(scene, focus, &tui->tally, hits,
					sizeof(hits), canvas_is_ascii(canvas)),
			    STYLE_PROMPT, 0);
}

/*
 * The message, in as many of the last lines as it needs: until a key comes it
 * is worth more than what is there.
 */
static void
draw_message(const struct tui *tui, struct canvas *canvas)
{
	int width = canvas_width(canvas), height = canvas_height(canvas);
	enum style style = tui->is_warning ? STYLE_WARNING : STYLE_PROMPT;
	const char *rest = tui->message;
	int lines = 0;

	for (; *rest && lines < height; lines++) {
		rest += text_line(rest, width);
		rest += strspn(rest, " ");
	}
	rest = tui->message;
	for (int y = height - lines; y < height; y++) {
		char line[sizeof(tui->message)];

		snprintf(line, sizeof(line), "%.*s",
			 (int)text_line(rest, width), rest);
		canvas_fill(canvas, (struct rect){ 0, y, width, 1 }, style, 0);
		canvas_text(canvas, 0, y, width, line, style, 0);
		rest += strlen(line);
		rest += strspn(rest, " ");
	}
}

/*
 * What is typed, said or sought is worth more than hints. Those are keys of the
 * view; a list and the help tell their own.
 */
static void
draw_bottom(struct tui *tui, const struct scene *scene,
	    const struct focus *focus, struct canvas *canvas, bool has_row)
{
	int y = canvas_height(canvas) - 1;

	if (tui->mode >= MODE_SEARCH) {
		draw_prompt(tui, scene, focus, canvas, y);
	} else if (tui->message[0]) {
		draw_message(tui, canvas);
	} else if (!has_row) {
		return;
	} else if (search_is_on(tui->search) && tui->mode == MODE_VIEW) {
		status_search(scene, focus, &tui->tally, tui->keymap, canvas,
			      y);
	} else if (tui->mode == MODE_VIEW) {
		status_hints(scene, tui->keymap, tui_views[tui->view]->hints,
			     canvas, y);
	}
}

/* Of what the view shows. */
static void
tally_hits(struct tui *tui, const struct scene *scene)
{
	if (search_is_on(tui->search))
		tally_update(&tui->tally, tui->search, scene->picture,
			     tui_search_top(tui, scene));
}

/*
 * In how many places the function is. All nodes are looked at, so no more than
 * once a second while only samples are added.
 */
static unsigned
places_of(struct tui *tui, const struct scene *scene, func_id func)
{
	struct weights weights = picture_weights(scene->picture);
	size_t nodes = calltree_count(weights.tree);
	uint64_t total = weights_total(&weights, 0);

	if (func == FUNC_NONE)
		return 0;
	if (tui->places.func == func && tui->places.at_ns &&
	    ((tui->places.nodes == nodes && tui->places.total == total) ||
	     scene->now_ns - tui->places.at_ns < COUNT_NS))
		return tui->places.count;
	tui->places.func = func;
	tui->places.nodes = nodes;
	tui->places.total = total;
	tui->places.at_ns = scene->now_ns;
	tui->places.count = weights_places(&weights, func);
	return tui->places.count;
}

void
tui_draw(struct tui *tui, const struct scene *scene, struct canvas *canvas)
{
	struct layout rows = lay_out(canvas_height(canvas),
				      chips_are_shown(scene));
	struct rect area = { 0, rows.view, canvas_width(canvas),
			     rows.view_height };
	int y = rows.view + rows.view_height;
	struct focus focus;

	canvas_clear(canvas);
	if (canvas_width(canvas) < 1 || canvas_height(canvas) < 1)
		return;
	tui_search_as_typed(tui, scene);
	search_update(tui->search, scene->names);
	draw_view(tui, scene, canvas, area);
	focus = tui_focus(tui, scene);
	tally_hits(tui, scene);
	focus.places = places_of(tui, scene, focus.func);
	if (rows.header)
		status_header(scene, canvas, 0);
	if (rows.tabs)
		status_tabs(scene, tui_views, VIEWS, tui->view, canvas,
			    rows.header);
	if (rows.chips)
		chips_draw(scene, canvas, rows.header + rows.tabs);
	if (rows.names)
		status_names(scene, &focus, canvas, y++);
	/* Without a line for it, what a search found takes another's. */
	if (rows.weights && !rows.hints && search_is_on(tui->search))
		status_search(scene, &focus, &tui->tally, tui->keymap, canvas,
			      y++);
	else if (rows.weights)
		status_weights(scene, &focus, canvas, y++);
	if (rows.health)
		status_health(scene, canvas, y);
	draw_bottom(tui, scene, &focus, canvas, rows.hints);
	if (tui->mode >= MODE_SEARCH)
		offers_draw(&tui->offers, canvas, (struct rect){ 0, area.y,
			    area.width, canvas_height(canvas) - 1 - area.y });
}
