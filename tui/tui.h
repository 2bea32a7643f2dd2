/* SPDX-License-Identifier: MIT */
/*
 * tui.h - views, prompts, pickers, header and health line as one screen.
 *
 * The session feeds it keys and scenes and asks what the user wants of it;
 * the tui never calls a sampler, opens no file and knows no process.
 *
 *	redis-server 4242   cpu-clock 99 Hz   12 s              14:02:11
 *	[1 flame]  2 functions  3 sandwich      width = share of samples
 *	... the view ...
 *	full name under the cursor   in 2 places  library libc.so.6  file:line
 *	self, total, share of all, how sure, samples, time, share of parent
 *	health: got/wanted rate, lost, cut, unresolved, threads, own CPU
 *
 * On small screens hints go first, then header, then detail lines.
 */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "tui/canvas.h"
#include "tui/history.h"
#include "tui/keymap.h"
#include "tui/mouse.h"
#include "tui/view.h"

struct tui;

/* KEYMAP is borrowed. */
struct tui *tui_new(const struct keymap *keymap);
void tui_free(struct tui *tui);

/* What was typed after ":", and after "/" and "\\"; owned by the tui. */
struct history *tui_commands(struct tui *tui);
struct history *tui_searches(struct tui *tui);

/* One key. May leave a request behind. */
void tui_key(struct tui *tui, const struct scene *scene, uint32_t key);

/* The mouse, likewise. */
void tui_mouse(struct tui *tui, const struct scene *scene,
	       const struct mouse *mouse);

/* What Tab wants to know of the session. */
enum offer_kind { OFFER_NOTHING, OFFER_PATHS, OFFER_THEMES, OFFER_SETTINGS };

/* What the session has to do now; ACTION_NONE: nothing. */
struct tui_request {
	enum action action;	/* QUIT SUSPEND SAVE OPEN FREEZE KERNEL
				   THREADS THREAD_ROWS REDRAW MOUSE COPY_NAME
				   COPY_STACK EDIT VIEW_SANDWICH; BACK: to the
				   function that was in the middle before */
	char text[4096];	/* SAVE, OPEN: the path that was typed */
	enum offer_kind offer;	/* with ACTION_NONE: how could TEXT go on? The
				   answer is tui_offer() */
	thread_id *threads;	/* THREADS: chosen; the caller frees */
	size_t nthreads;	/* 0: all */
	func_id func;		/* VIEW_SANDWICH: to be in the middle;
				   FUNC_NONE: the last one again */
};
struct tui_request tui_request(struct tui *tui);

/*
 * How what was typed could go on; of no effect when it is not what is there
 * any more.
 */
struct tui_offer {
	enum offer_kind kind;	/* as it was asked, */
	const char *typed;	/* and its text */
	size_t keep;		/* bytes of that before what NAMES replace */
	const char *common;	/* as far as all of them agree */
	const char *const *names;	/* in order, for people to read */
	size_t count, total;	/* listed, and all */
	const char *why;	/* there is none; if COUNT is 0 */
};
void tui_offer(struct tui *tui, const struct tui_offer *offer);

/* Offer PATH for saving: opens the prompt with it typed in. */
void tui_ask_save(struct tui *tui, const char *path);

/* One line shown until a key is pressed. Cleaned here. */
void tui_message(struct tui *tui, bool is_warning, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Put the cursor of the view that is shown on FUNC, unless FUNC_NONE. */
void tui_show(struct tui *tui, const struct scene *scene, func_id func);

/* What was asked for with VIEW_SANDWICH is not there: the view of before. */
void tui_take_view_back(struct tui *tui);

/* As view_ops.remap, for all views. */
void tui_remap(struct tui *tui, const node_id *map, size_t count);

/*
 * The picture is about to be inverted, or no longer; and it has been. Views
 * begin anew, with the cursor where it was and zooms that still mean something.
 * Or, without a SCENE, it has not been.
 */
void tui_before_turn(struct tui *tui, const struct scene *scene);
void tui_after_turn(struct tui *tui, const struct scene *scene);

/* The same for one half of the sandwich, whose pictures are its own. */
void tui_remap_sandwich(struct tui *tui, bool is_above, const node_id *map,
			size_t count);

/* Are those pictures looked at? */
bool tui_shows_sandwich(const struct tui *tui);

/* Is the list of threads open? Then their states are looked at. */
bool tui_shows_threads(const struct tui *tui);

/* The search the scenes have to carry; owned by the tui. */
const struct search *tui_search(const struct tui *tui);

/* What percentages are of, which scenes carry too. */
enum shares tui_shares(const struct tui *tui);

/* The function under the cursor: the session asks for its line. */
struct focus tui_focus(const struct tui *tui, const struct scene *scene);

/* Lay out and draw everything into CANVAS. */
void tui_draw(struct tui *tui, const struct scene *scene,
	      struct canvas *canvas);

#endif
