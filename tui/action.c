/* SPDX-License-Identifier: MIT */
/*
 * action.c - the words, groups and help of the actions.
 */
#include "tui/action.h"

#include <string.h>

const struct action_row action_rows[ACTION_COUNT] = {
	[ACTION_NONE] = { "", "", "" },
#define ACTION_ROW(id, word, group, help) \
	[ACTION_##id] = { word, group, help },
	ACTIONS(ACTION_ROW)
#undef ACTION_ROW
};

enum action
action_by_word(const char *word)
{
	for (int i = ACTION_NONE + 1; i < ACTION_COUNT; i++)
		if (strcmp(action_rows[i].word, word) == 0)
			return (enum action)i;
	return ACTION_NONE;
}
