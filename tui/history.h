/* SPDX-License-Identifier: MIT */
/*
 * history.h - lines that were typed before, for Up and Down in a prompt.
 */
#ifndef TUI_HISTORY_H
#define TUI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/prompt.h"

#define HISTORY_MAX 50

/* All zeroes: nothing was typed yet. */
struct history {
	char *lines[HISTORY_MAX];	/* the oldest first */
	size_t count;
	size_t fresh;			/* so many at the end are new */
	size_t at;			/* the one shown; COUNT: the new one */
	char *unfinished;		/* what was typed before Up */
};

/* LINE was typed; the same again moves to the end. Ends looking back. */
void history_add(struct history *history, const char *line);

/* LINE was typed in another session: as above, but it is not fresh. */
void history_recall(struct history *history, const char *line);

/*
 * Up and Down change PROMPT to the line before and after that begins with
 * what was typed; false when KEY is another or leads nowhere.
 */
bool history_key(struct history *history, struct prompt *prompt, uint32_t key);

void history_fini(struct history *history);

#endif
