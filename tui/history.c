/* SPDX-License-Identifier: MIT */
/*
 * history.c - lines that were typed before.
 */
#include "tui/history.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/keymap.h"

static void
forget(struct history *history, size_t i)
{
	free(history->lines[i]);
	history->count--;
	memmove(&history->lines[i], &history->lines[i + 1],
		(history->count - i) * sizeof(*history->lines));
}

void
history_add(struct history *history, const char *line)
{
	for (size_t i = 0; i < history->count; i++)
		if (strcmp(history->lines[i], line) == 0)
			forget(history, i--);
	if (history->count == HISTORY_MAX)
		forget(history, 0);
	if (*line)
		history->lines[history->count++] = xstrdup(line);
	history->at = history->count;
}

static void
keep_unfinished(struct history *history, const struct prompt *prompt)
{
	if (history->at < history->count)
		return;
	free(history->unfinished);
	history->unfinished = xstrdup(prompt->text);
}

bool
history_key(struct history *history, struct prompt *prompt, uint32_t key)
{
	if (key == KEYS_UP && history->at > 0) {
		keep_unfinished(history, prompt);
		history->at--;
	} else if (key == KEYS_DOWN && history->at < history->count) {
		history->at++;
	} else {
		return false;
	}
	prompt_set(prompt, history->at < history->count ?
		   history->lines[history->at] : history->unfinished);
	return true;
}

void
history_fini(struct history *history)
{
	while (history->count)
		forget(history, history->count - 1);
	free(history->unfinished);
	*history = (struct history){ 0 };
}
