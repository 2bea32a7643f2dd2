/* SPDX-License-Identifier: MIT */
/*
 * term.h - the terminal; its .c is the only file that includes curses.
 *
 * It may keep static state: curses does, and there is one terminal. Bytes
 * are sent only for cells that changed.
 */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base.h"
#include "tui/canvas.h"
#include "tui/mouse.h"
#include "tui/theme.h"

enum term_colours { TERM_AUTO, TERM_256, TERM_16, TERM_MONO };

/*
 * Take over the terminal on standard input and output. Fails, with the
 * terminal untouched, when there is none or TERM cannot do it; the message
 * says what to use instead (--plain, report). TERM_AUTO heeds NO_COLOR.
 * Signals are the caller's: no handler of curses' stays installed.
 */
bool term_open(enum term_colours colours, struct error *err);

/* Give it back as it was found; legal when not open, and twice. */
void term_close(void);

/*
 * Copies. Without colours the built-in theme "mono" is used instead, unless
 * THEME has none either.
 */
void term_set_theme(const struct theme *theme);

bool term_is_ascii(void);	/* the locale has no UTF-8 */
bool term_has_few_colours(void); /* 16, 8 or none: see struct scene */

/*
 * The size now, asked of the terminal each time: call it before drawing, and
 * a resize is never missed. At least 1x1, at most TERM_WIDTH x TERM_HEIGHT.
 */
#define TERM_WIDTH 2048
#define TERM_HEIGHT 1024
void term_size(int *width, int *height);

/*
 * The next key that is waiting, 0 when there is none; never blocks longer
 * than an escape sequence may take (25 ms). KEYS_GONE when the terminal is.
 */
uint32_t term_key(void);

/*
 * Have the mouse reported (xterm's modes 1000 and 1006), or no longer; off at
 * first. term_key() says KEYS_MOUSE then, and this what it did.
 */
void term_set_mouse(bool is_on);
bool term_has_mouse(void);
struct mouse term_mouse(void);

/*
 * Send TEXT to the user's clipboard (tui/clip.h); whether it gets there nobody
 * says. False: this terminal has none, it is too much, or nothing is taken.
 */
bool term_copy(const char *text);

/*
 * Synchronized output: a picture appears as a whole (mode 2026). On from the
 * beginning, but only used when the terminal, asked at the start, has said
 * that it has it; nothing waits for its answer.
 */
void term_set_sync(bool is_on);

/*
 * So long from one picture to the next that nobody has asked for, in ns: more
 * where the terminal takes its bytes slowly (tui/pace.h).
 */
uint64_t term_distance(uint64_t now_ns);

/*
 * Show CANVAS. False when the terminal takes no bytes now or we are in the
 * background: nothing was sent, try again later. NOW_NS: monotonic.
 */
bool term_show(const struct canvas *canvas, uint64_t now_ns);

/* Forget what is on the screen: the next term_show() sends all. */
void term_redraw(void);

#endif
