/* SPDX-License-Identifier: MIT */
/*
 * offers.h - how what is typed could go on, for Tab in a prompt.
 *
 *	baseline        focus           hide            ignore
 *	open            quit            and 53 more
 */
#ifndef TUI_OFFERS_H
#define TUI_OFFERS_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/canvas.h"

/* All zeroes: none. */
struct offers {
	char **names;
	size_t count;
	size_t total;		/* those that are not listed, too */
};

/* NAMES are copied. */
void offers_set(struct offers *offers, const char *const *names, size_t count,
		size_t total);
void offers_clear(struct offers *offers);

/* Into OUT as far as all NAMES agree; COUNT is not 0. Returns OUT. */
char *offers_common(const char *const *names, size_t count, char *out,
		    size_t size);

/* In columns, in as many of the last rows of AREA as they need. */
void offers_draw(const struct offers *offers, struct canvas *canvas,
		 struct rect area);

#endif
