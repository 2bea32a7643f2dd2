/* SPDX-License-Identifier: MIT */
/*
 * state.h - what is kept from one session to the next, or when one ends badly:
 * files of our own in $XDG_STATE_HOME/flametop, else
 * ~/.local/state/flametop. The folder is made when something is put there,
 * 0700, the files are 0600.
 */
#ifndef APP_STATE_H
#define APP_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/opener.h"
#include "core/base.h"
#include "tui/history.h"

/* That folder, made if need be. */
bool state_folder(char *out, size_t size, struct error *err);

/*
 * A short TEXT as a line of a file of its own: PATH is
 * "copied-YYYYMMDD-HHMMSS.txt" there.
 */
bool state_text(const char *text, char *path, size_t size, struct error *err);

/* Has this user never been here? True once: an empty file remembers it. */
bool state_is_first_time(void);

/*
 * "history": what was typed after ":" and "/" in earlier sessions, one a line
 * behind that character. Nothing is read or written where file or folder are
 * another's: under sudo the environment may point to anybody's.
 */
void state_recall(struct opener *opener, struct history *commands,
		  struct history *searches);

/*
 * Add what is fresh in them to what is there now, since other sessions may
 * have done so, too. Without a place for it that is lost.
 */
void state_keep(struct opener *opener, const struct history *commands,
		const struct history *searches);

#endif
