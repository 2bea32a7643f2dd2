/* SPDX-License-Identifier: MIT */
/*
 * term_keys.h - bytes of a terminal to keys and mouse events.
 *
 * Curses knows the sequences of the terminal's own description. What it does
 * not know comes here byte by byte: UTF-8, mouse reports, and sequences that
 * nobody asked for, which are passed over whole. Mouse reports are those of
 * xterm's mode 1006, "ESC [ < button ; column ; row M" (m: let go), which is
 * decoded here because many descriptions lack it.
 */
#ifndef TUI_TERM_KEYS_H
#define TUI_TERM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/keymap.h"
#include "tui/mouse.h"

#define CODE_NONE (-1)		/* nothing is waiting */

/* The next byte (0-255), a key of keymap.h, or CODE_NONE. */
typedef int32_t term_code_fn(void *ctx);

/* All zeroes but PENDING is the beginning. */
struct term_keys {
	int32_t pending;	/* read too early; CODE_NONE */
	char utf8[4];		/* beginning of a character */
	size_t utf8_len;
	struct mouse mouse;	/* of the last KEYS_MOUSE */
	int answer;		/* to the question whether the terminal has
				   mode 2026 (DECRQM): 0 not yet, else 1 + what
				   it said, 0 … 4 */
};

/*
 * The next key that NEXT's bytes make, KEYS_MOUSE, or KEY_NONE_PRESSED when
 * nothing is waiting. Passes over a bounded number of bytes in one call.
 */
uint32_t term_keys_next(struct term_keys *keys, term_code_fn *next, void *ctx);

#endif
