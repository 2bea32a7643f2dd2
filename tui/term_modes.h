/* SPDX-License-Identifier: MIT */
/*
 * term_modes.h - what is said to the terminal beside the picture.
 *
 * Curses knows nothing of it, and has sent all of its own bytes whenever these
 * are called. Standard output is the terminal.
 */
#ifndef TUI_TERM_MODES_H
#define TUI_TERM_MODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/pace.h"
#include "tui/term_keys.h"

/* All zeroes is the beginning. */
struct term_modes {
	bool wants_mouse, has_mouse;
	bool no_sync;		/* not to be used, even if it is there */
	bool is_asked;		/* whether it is there (mode 2026) */
	unsigned shown;		/* pictures since it was */
	struct pace pace;
};

bool tty_is_ready(int fd, short events);

/* False: the terminal takes no bytes now. */
bool tty_send(const char *bytes, size_t len);

/* After the terminal called NAME was taken; and before it is given back. */
void term_modes_open(struct term_modes *modes, const char *name);
void term_modes_close(struct term_modes *modes, struct term_keys *keys,
		      term_code_fn *next, void *ctx);

/*
 * Around a picture. begin() says whether the terminal was told to hold it
 * until end().
 */
bool term_modes_begin(const struct term_modes *modes,
		      const struct term_keys *keys);
void term_modes_end(struct term_modes *modes, bool is_held, uint64_t now_ns);

/* As term_distance() and term_copy(). */
uint64_t term_modes_distance(struct term_modes *modes, uint64_t now_ns);
bool term_modes_copy(const char *text);

#endif
