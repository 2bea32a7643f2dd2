/* SPDX-License-Identifier: MIT */
/*
 * menu.h - everything that can be done, as a list to choose from.
 *
 * Rows are the action table with the keys in force, so whoever looks for
 * something finds it and learns its key.
 */
#ifndef TUI_MENU_H
#define TUI_MENU_H

#include "tui/action.h"
#include "tui/keymap.h"
#include "tui/list.h"

/* All actions but opening the menu; ABOUT is what the cursor is on, or "". */
struct list *menu_new(const struct keymap *keymap, const char *about);

/* The action under the menu's cursor; ACTION_NONE when it is empty. */
enum action menu_action(const struct list *menu);

#endif
