/* SPDX-License-Identifier: MIT */
/*
 * prompt.c - one line that is being typed.
 */
#include "tui/prompt.h"

#include <stdio.h>
#include <string.h>

#include "core/sanitise.h"
#include "tui/keymap.h"
#include "tui/text.h"

enum { CTRL_A = 1, CTRL_E = 5, CTRL_K = 11, CTRL_U = 21, CTRL_W = 23 };

void
prompt_set(struct prompt *prompt, const char *text)
{
	sanitise_into(prompt->text, sizeof(prompt->text), text, strlen(text));
	prompt->len = prompt->at = strlen(prompt->text);
}

static bool
is_inside_character(const struct prompt *prompt, size_t at)
{
	return at < prompt->len && (prompt->text[at] & 0xc0) == 0x80;
}

static size_t
before(const struct prompt *prompt, size_t at)
{
	if (at > 0)
		at--;
	while (at > 0 && is_inside_character(prompt, at))
		at--;
	return at;
}

static size_t
after(const struct prompt *prompt, size_t at)
{
	if (at < prompt->len)
		at++;
	while (is_inside_character(prompt, at))
		at++;
	return at;
}

/* Take out [FROM, TO); the cursor is left at FROM. */
static void
cut(struct prompt *prompt, size_t from, size_t to)
{
	memmove(prompt->text + from, prompt->text + to, prompt->len - to + 1);
	prompt->len -= to - from;
	prompt->at = from;
}

static size_t
word_before(const struct prompt *prompt)
{
	size_t at = prompt->at;

	while (at > 0 && prompt->text[at - 1] == ' ')
		at--;
	while (at > 0 && prompt->text[at - 1] != ' ' &&
	       (at == prompt->at || prompt->text[at - 1] != '/'))
		at--;
	return at;
}

static void
type(struct prompt *prompt, uint32_t key)
{
	char bytes[4];
	size_t n;

	if (key < 0x20 || key >= KEYS_SPECIAL || !is_visible(key))
		return;
	n = utf8_encode(key, bytes);
	if (prompt->len + n >= sizeof(prompt->text))
		return;
	memmove(prompt->text + prompt->at + n, prompt->text + prompt->at,
		prompt->len - prompt->at + 1);
	memcpy(prompt->text + prompt->at, bytes, n);
	prompt->len += n;
	prompt->at += n;
}

enum prompt_answer
prompt_key(struct prompt *prompt, uint32_t key)
{
	switch (key) {
	case KEYS_ENTER:
		return PROMPT_DONE;
	case KEYS_ESCAPE:
		return PROMPT_LEFT;
	case KEYS_LEFT:
		prompt->at = before(prompt, prompt->at);
		break;
	case KEYS_RIGHT:
		prompt->at = after(prompt, prompt->at);
		break;
	case KEYS_HOME:
	case CTRL_A:
		prompt->at = 0;
		break;
	case KEYS_END:
	case CTRL_E:
		prompt->at = prompt->len;
		break;
	case KEYS_BACKSPACE:
		cut(prompt, before(prompt, prompt->at), prompt->at);
		break;
	case KEYS_DELETE:
		cut(prompt, prompt->at, after(prompt, prompt->at));
		break;
	case CTRL_K:
		cut(prompt, prompt->at, prompt->len);
		break;
	case CTRL_U:
		cut(prompt, 0, prompt->at);
		break;
	case CTRL_W:
		cut(prompt, word_before(prompt), prompt->at);
		break;
	default:
		type(prompt, key);
	}
	return PROMPT_GOES_ON;
}

/* Cells of the text between two places. */
static int
cells(const struct prompt *prompt, size_t from, size_t to)
{
	char part[PROMPT_MAX];

	snprintf(part, sizeof(part), "%.*s", (int)(to - from),
		 prompt->text + from);
	return text_width(part);
}

void
prompt_draw(const struct prompt *prompt, const char *label,
	    struct canvas *canvas, int x, int y, int width)
{
	struct rect line = { x, y, width, 1 };
	size_t at = prompt->at, next = after(prompt, at), start = at;
	int used, room, under = at < next ? cells(prompt, at, next) : 1;
	char text[8] = " ";

	canvas_fill(canvas, line, STYLE_PROMPT, 0);
	used = canvas_text(canvas, x, y, width / 2, label, STYLE_PROMPT,
			   CELL_BOLD);
	room = width - used;
	while (start > 0 &&
	       cells(prompt, before(prompt, start), at) + under <= room)
		start = before(prompt, start);
	x += used;
	canvas_text(canvas, x, y, room, prompt->text + start, STYLE_PROMPT, 0);
	used = cells(prompt, start, at);
	if (at < next)
		snprintf(text, sizeof(text), "%.*s", (int)(next - at),
			 prompt->text + at);
	canvas_text(canvas, x + used, y, room - used, text, STYLE_CURSOR, 0);
}
