/* SPDX-License-Identifier: MIT */
/*
 * editor.h - the user's editor at a line of a file.
 *
 * Started by the supervisor (supervisor.h, CONTROL_EDIT), which parses nothing
 * and has the terminal to give. Without a shell: $VISUAL, else $EDITOR, else
 * vi, split at blanks, and "+LINE FILE" behind it.
 */
#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/base.h"

/*
 * Would an editor run as the person at the terminal? One that is started by a
 * flametop under sudo, or with capabilities, would be a root shell.
 */
bool editor_is_permitted(struct error *err);

/*
 * Start it on PATH (absolute) in a foreground process group of its own.
 * Returns its pid, 0 on failure. It ends with 127 when it cannot be run.
 */
pid_t editor_start(const char *path, int line);

/* Give it the terminal (again). */
void editor_to_front(pid_t editor);

#endif
