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
	bool is_fresh = i >= history->count - history->fresh;

	free(history->lines[i]);
	history->count--;
	history->fresh -= is_fresh;
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
	if (*line) {
		history->lines[history->count++] = xstrdup(line);
		history->fresh++;
	}
	history->at = history->count;
}

void
history_recall(struct history *history, const char *line)
{
	history_add(history, line);
	history->fresh = 0;
}

/* What PROMPT has was typed, also where it is a line of before, changed. */
static void
keep_unfinished(struct history *history, const struct prompt *prompt)
{
	if (history->at < history->count &&
	    strcmp(prompt->text, history->lines[history->at]) == 0)
		return;
	history->at = history->count;
	free(history->unfinished);
	history->unfinished = xstrdup(prompt->text);
}

static bool
begins_so(const struct history *history, size_t i)
{
	return strncmp(history->lines[i], history->unfinished,
		       strlen(history->unfinished)) == 0;
}

static bool
look_back(struct history *history)
{
	for (size_t i = history->at; i-- > 0;)
		if (begins_so(history, i)) {
			history->at = i;
			return true;
		}
	return false;
}

/* The last step leads to what was typed. */
static bool
look_ahead(struct history *history)
{
	if (history->at == history->count)
		return false;
	do
		history->at++;
	while (history->at < history->count &&
	       !begins_so(history, history->at));
	return true;
}

bool
history_key(struct history *history, struct prompt *prompt, uint32_t key)
{
	if (key != KEYS_UP && key != KEYS_DOWN)
		return false;
	keep_unfinished(history, prompt);
	if (!(key == KEYS_UP ? look_back : look_ahead)(history))
		return false;
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
