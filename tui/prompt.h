/* SPDX-License-Identifier: MIT */
/*
 * prompt.h - one line that is being typed.
 */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include <stddef.h>
#include <stdint.h>

#include "tui/canvas.h"

#define PROMPT_MAX 4096		/* bytes, with the NUL */

struct prompt {
	char text[PROMPT_MAX];	/* UTF-8 */
	size_t len, at;		/* AT: where the cursor stands, in bytes */
};

/* Begin with TEXT typed in, cut if it is too long. */
void prompt_set(struct prompt *prompt, const char *text);

enum prompt_answer { PROMPT_GOES_ON, PROMPT_DONE, PROMPT_LEFT };

/*
 * One key: characters are typed, arrows, Home, End, Backspace, Delete, ^A ^E
 * ^U ^W ^K edit, Enter is done, Esc leaves. Other keys do nothing.
 */
enum prompt_answer prompt_key(struct prompt *prompt, uint32_t key);

/* Draw LABEL and the text from (X, Y), scrolled so that the cursor shows. */
void prompt_draw(const struct prompt *prompt, const char *label,
		 struct canvas *canvas, int x, int y, int width);

#endif
