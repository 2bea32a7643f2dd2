/* SPDX-License-Identifier: MIT */
/*
 * keymap.h - key files to actions.
 *
 * A line is "key action", e.g. "Enter zoom", "^L redraw", "g top"; '#' begins
 * a comment unless it is the key. tui/default.keys is built in; the user's
 * $XDG_CONFIG_HOME/flametop/keys (read by app/) adds to it and overrides it;
 * action "none" unbinds.
 */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "tui/action.h"

/* A key: a Unicode character, a control (^A is 1), or one of these. */
enum {
	KEY_NONE_PRESSED = 0,
	KEYS_SPECIAL = 0x110000,
	KEYS_UP, KEYS_DOWN, KEYS_LEFT, KEYS_RIGHT, KEYS_PAGE_UP,
	KEYS_PAGE_DOWN, KEYS_HOME, KEYS_END, KEYS_ENTER, KEYS_BACKSPACE,
	KEYS_DELETE, KEYS_ESCAPE, KEYS_TAB, KEYS_BACK_TAB, KEYS_F1,
	KEYS_S_LEFT, KEYS_S_RIGHT,
	KEYS_RESIZE, KEYS_GONE,		/* the terminal has gone */
	KEYS_MOUSE,			/* term_mouse() says what it did */
	KEYS_END_OF_LIST
};

struct keymap;

/* The built-in keys. */
struct keymap *keymap_new(void);
void keymap_free(struct keymap *keymap);

/* Add LEN bytes of a key file; ERR names the line. */
bool keymap_read(struct keymap *keymap, const char *text, size_t len,
		 struct error *err);

enum action keymap_action(const struct keymap *keymap, uint32_t key);

/* The keys of ACTION as "Up k", for help and hints; into OUT. */
char *keymap_keys(const struct keymap *keymap, enum action action, char *out,
		  size_t size);

#endif
