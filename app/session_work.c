/* SPDX-License-Identifier: MIT */
/*
 * session_work.c - what takes long, with its line and the way out of it.
 *
 * Samples are taken meanwhile by another thread and wait. Keys that are typed
 * wait too, but for those that stop it.
 */
#include <poll.h>
#include <unistd.h>

#include "app/session_private.h"
#include "sampler/clock.h"
#include "tui/term.h"

#define SHOWN_NS 300000000ull	/* what is done sooner needs no line */
#define AGAIN_NS 100000000ull
#define EVERY 512		/* steps, some of a tenth of a millisecond */

#define INTERRUPT 3		/* Ctrl-C */

/* The word for what ACTION does to the picture. */
static const char *
word_of(enum action action)
{
	switch (action) {
	case ACTION_FOCUS:
	case ACTION_FILTER:
		return "focusing";
	case ACTION_EXCLUDE:
		return "leaving out";
	case ACTION_MERGE:
	case ACTION_NOISE:
		return "merging";
	case ACTION_LIBRARY:
	case ACTION_RECURSION:
		return "folding";
	case ACTION_INVERT:
		return "turning round";
	case ACTION_VIEW_SANDWICH:
	case ACTION_BACK:
		return "gathering callers and callees";
	case ACTION_BASELINE:
	case ACTION_DIFF:
		return "comparing";
	case ACTION_UNDO:
		return "undoing";
	default:
		return "summing";
	}
}

/* A letter behind others may belong to a line that they open. */
static bool
does_stop(const struct session *s, uint32_t key)
{
	enum action action = keymap_action(s->screen.keymap, key);

	return key == KEYS_ESCAPE || key == INTERRUPT || key == KEYS_GONE ||
	       (!s->work.ntyped &&
		(action == ACTION_PEEL || action == ACTION_QUIT));
}

/* That the terminal has gone is for the loop to find. */
static bool
is_stopped_by_key(struct session *s)
{
	struct long_work *work = &s->work;

	for (uint32_t key; s->has_terminal &&
			   (key = term_key()) != KEY_NONE_PRESSED;) {
		if (does_stop(s, key)) {
			work->ntyped = 0;
			if (key == KEYS_GONE)
				work->typed[work->ntyped++] = key;
			return true;
		}
		if (key != KEYS_MOUSE && work->ntyped < KEYS_TYPED)
			work->typed[work->ntyped++] = key;
	}
	return false;
}

static bool
is_signal_waiting(const struct session *s)
{
	struct pollfd signals = { s->recording->link->signals, POLLIN, 0 };

	return poll(&signals, 1, 0) > 0;
}

static void
show(struct session *s, unsigned percent)
{
	struct canvas *canvas = s->screen.canvas;
	int width = canvas_width(canvas), y = canvas_height(canvas) - 1;

	canvas_fill(canvas, (struct rect){ 0, y, width, 1 }, STYLE_PROMPT, 0);
	canvas_printf(canvas, 0, y, width, STYLE_PROMPT,
		      "%s %u %%, Esc stops", s->work.word, percent);
	term_show(canvas, clock_now());
}

/* Fits work_fn. */
static bool
tell(void *ctx, unsigned percent)
{
	struct session *s = ctx;
	struct long_work *work = &s->work;
	uint64_t now = clock_now();

	if (now < work->began_ns + SHOWN_NS)
		return true;
	if (is_signal_waiting(s) || is_stopped_by_key(s))
		return false;
	if (!s->has_terminal || now < work->shown_ns + AGAIN_NS)
		return true;
	show(s, percent);
	work->shown_ns = now;
	s->is_changed = s->wants_now = true;
	return true;
}

struct work *
session_work(struct session *s, unsigned parts)
{
	s->work.asked = (struct work){ .tell = tell, .ctx = s, .every = EVERY,
				       .parts = parts };
	s->work.began_ns = clock_now();
	return &s->work.asked;
}

void
session_begin_work(struct session *s, enum action action)
{
	s->work.asked.is_stopped = false;
	s->work.word = word_of(action);
}

bool
session_is_stopped(const struct session *s)
{
	return s->work.asked.is_stopped;
}

uint32_t
session_key(struct session *s)
{
	struct long_work *work = &s->work;
	uint32_t key;

	if (!work->ntyped)
		return term_key();
	key = work->typed[0];
	work->ntyped--;
	for (size_t i = 0; i < work->ntyped; i++)
		work->typed[i] = work->typed[i + 1];
	return key;
}
