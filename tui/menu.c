/* SPDX-License-Identifier: MIT */
/*
 * menu.c - everything that can be done, as a list to choose from.
 */
#include "tui/menu.h"

#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "tui/text.h"

#define GROUP_WIDTH 8
#define KEYS_WIDTH 12
#define WORD_WIDTH 16

static void
fill_row(struct list_row *row, const struct keymap *keymap, enum action action)
{
	const struct action_row *about = &action_rows[action];
	char keys[128], shown[64];
	int pad;

	keymap_keys(keymap, action, keys, sizeof(keys));
	text_cut(shown, sizeof(shown), keys, KEYS_WIDTH, true);
	pad = KEYS_WIDTH - text_width(shown);
	row->id = (uint64_t)action;
	row->is_marked = false;
	snprintf(row->text, sizeof(row->text), "%-*s %s%*s %-*s %s",
		 GROUP_WIDTH, about->group, shown, pad, "", WORD_WIDTH,
		 about->word, about->help);
}

struct list *
menu_new(const struct keymap *keymap, const char *about)
{
	struct list_row rows[ACTION_COUNT];
	char title[80], name[64], heading[80];
	struct list *menu;
	size_t n = 0;

	label_fit(name, sizeof(name), about, 40, true);
	snprintf(title, sizeof(title), "do%s%s", name[0] ? " with " : "",
		 name);
	snprintf(heading, sizeof(heading), "%-*s %-*s %-*s what it does",
		 GROUP_WIDTH, "", KEYS_WIDTH, "keys", WORD_WIDTH, "action");
	menu = list_new(title, heading, false);
	for (int i = ACTION_NONE + 1; i < ACTION_COUNT; i++)
		if (i != ACTION_MENU)
			fill_row(&rows[n++], keymap, (enum action)i);
	list_set_rows(menu, rows, n);
	return menu;
}

enum action
menu_action(const struct list *menu)
{
	uint64_t id;

	return list_current(menu, &id) ? (enum action)id : ACTION_NONE;
}
