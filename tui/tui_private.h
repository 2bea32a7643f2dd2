/* SPDX-License-Identifier: MIT */
/*
 * tui_private.h - the state of the screen, for its own files only.
 *
 *	tui.c		who gets a key
 *	tui_acts.c	what an action does
 *	tui_prompts.c	what is typed
 *	tui_complete.c	and how it could go on
 *	tui_draw.c	which lines there are, and what is on them
 */
#ifndef TUI_TUI_PRIVATE_H
#define TUI_TUI_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/history.h"
#include "tui/hit_list.h"
#include "tui/list.h"
#include "tui/offers.h"
#include "tui/prompt.h"
#include "tui/tally.h"
#include "tui/threads.h"
#include "tui/tui.h"

enum mode {
	MODE_VIEW,
	MODE_HELP,
	MODE_THREADS,
	MODE_MENU,
	MODE_HITS,
	MODE_SEARCH,		/* from here on something is typed */
	MODE_COMMAND,
	MODE_FILTER,
	MODE_SAVE,
	MODE_OPEN
};

/* Places in tui_views[]. */
enum { FLAME, TABLE, SANDWICH, TREE, VIEWS };

extern const struct view_ops *const tui_views[VIEWS];

struct tui {
	const struct keymap *keymap;
	void *states[VIEWS];
	size_t view, view_before;	/* a request for the sandwich */
	enum mode mode;
	struct prompt prompt;
	struct history searches, commands;
	struct offers offers;		/* until the next key */
	struct threads *threads;	/* while MODE_THREADS */
	struct list *menu;		/* while MODE_MENU */
	struct hit_list *hits;		/* while MODE_HITS */
	long help_top;
	long help_page;			/* lines it showed last */
	struct search *search;
	enum shares shares;
	struct {
		func_id func;		/* what was counted, and in what */
		size_t nodes;
		uint64_t total, at_ns;
		unsigned count;
	} places;
	struct tally tally;		/* what the search has found */
	char *search_before;		/* what Esc in the prompt restores */
	bool search_is_typed;		/* the prompt has news for it */
	struct tui_request request;
	char message[512];
	bool is_warning;
	func_id turned;			/* what the cursor was on before */
	struct rect area;		/* of the view, as last drawn */
	uint64_t click_ns;		/* of the last click; 0: none */
	int click_x, click_y;
	bool click_is_enter, has_dragged;
};

/* Make it a request to the session, without anything that goes with it. */
void tui_ask_for(struct tui *tui, enum action action);

/* As if its key had been pressed. */
void tui_act(struct tui *tui, const struct scene *scene,
		   enum action action);

void tui_open_prompt(struct tui *tui, enum mode mode, const char *text);
void tui_open_search(struct tui *tui);

/* What is searched for is what an empty line means. */
void tui_open_filter(struct tui *tui);
void tui_key_to_prompt(struct tui *tui, const struct scene *scene,
		       uint32_t key);

/* What a search is about: all below this node of the picture. */
node_id tui_search_top(const struct tui *tui, const struct scene *scene);

/* Tab. */
void tui_complete(struct tui *tui);

/* Once for all keys of a paste: a search looks at every function. */
void tui_search_as_typed(struct tui *tui, const struct scene *scene);

#endif
