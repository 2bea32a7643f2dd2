/* SPDX-License-Identifier: MIT */
/*
 * plain.h - the picture as text that is only ever appended, for its own files.
 *
 *	plain.c			what is printed by itself
 *	plain_commands.c	what is typed
 */
#ifndef APP_PLAIN_H
#define APP_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "app/recording.h"
#include "core/picture.h"

struct plain {
	struct recording *recording;
	struct picture *picture;
	time_t printed;
	size_t rows;
	bool is_frozen;
	bool has_quit, must_save;
	int status;
	bool input_ended;	/* standard input */
	char line[4096];	/* what came of a line */
	size_t len;
	bool is_too_long;
};

/* The health line and the hottest functions. */
void plain_print(struct plain *plain);

/* Standard input for poll(), or -1: at its end, or a terminal's that is not
   ours now. */
int plain_input(const struct plain *plain);

/* Read what is there and carry out the commands of its whole lines. */
void plain_take_input(struct plain *plain);

#endif
