/* SPDX-License-Identifier: MIT */
/*
 * config.h - the user's own files: $XDG_CONFIG_HOME/flametop/NAME, else
 * ~/.config/flametop/NAME.
 *
 *	config	options of the live screen as on the command line, without
 *		the dashes: "theme dusk", "freq 49", "no-kernel". What is on
 *		the command line counts more.
 *	keys	see tui/keymap.h
 *	themes/	see tui/theme.h
 */
#ifndef APP_CONFIG_H
#define APP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "app/opener.h"
#include "app/options.h"

/* Where file or folder NAME would be; false when there is no such place. */
bool config_path(const char *name, char *out, size_t size);

/* Say in ERR, which is about a line of NAME, where that file is. */
void config_blame(const char *name, struct error *err);

/*
 * A file of the user's, whole, with a NUL behind it; the caller frees. NULL
 * when there is none, or when it is neither the user's nor root's: under sudo
 * the environment may point to anybody's.
 */
char *config_file(struct opener *opener, const char *name, size_t *len);

/*
 * Lines of "config" into OPTIONS; those that the command line has given stay.
 * TEXT is changed, and OPTIONS borrows from it. ERR names the line that is
 * wrong; the others count.
 */
bool config_take(struct options *options, char *text, struct error *err);

#endif
