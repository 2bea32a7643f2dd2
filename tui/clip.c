/* SPDX-License-Identifier: MIT */
/*
 * clip.c - text for the clipboard of the terminal that the user sits at.
 */
#include "tui/clip.h"

#include <string.h>

#include "core/base.h"
#include "core/reader.h"

#define SCREEN_PART 512		/* GNU screen drops a DCS of more than 768 */

/* Descriptions of terminals that show OSC as text, or have no clipboard. */
static const char *const without[] = {
	"linux", "vt52", "vt100", "vt102", "vt220", "ansi", "cons25", "dumb",
	"sun", "hurd",
};

enum clip_way
clip_way(const char *term, const char *tmux, const char *sty)
{
	if (!term)
		return CLIP_NONE;
	for (size_t i = 0; i < ARRAY_LEN(without); i++)
		if (strcmp(term, without[i]) == 0)
			return CLIP_NONE;
	/* inside both, the inner one is what TERM says */
	if (sty && *sty && strncmp(term, "tmux", 4) != 0 && !(tmux && *tmux))
		return CLIP_SCREEN;
	if ((tmux && *tmux) || strncmp(term, "tmux", 4) == 0)
		return CLIP_TMUX;
	return CLIP_PLAIN;
}

static void
put(struct writer *out, const char *text)
{
	writer_bytes(out, text, strlen(text));
}

static void
put_base64(struct writer *out, const uint8_t *bytes, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		size_t n = len - i < 3 ? len - i : 3;
		uint32_t bits = (uint32_t)bytes[i] << 16 |
				(uint32_t)(n > 1 ? bytes[i + 1] : 0) << 8 |
				(uint32_t)(n > 2 ? bytes[i + 2] : 0);

		for (size_t d = 0; d < 4; d++)
			writer_u8(out, d > n ? '=' :
				  (uint8_t)digits[bits >> (18 - 6 * d) & 63]);
	}
}

static void
put_osc(struct writer *out, const char *text, size_t len)
{
	put(out, "\033]52;c;");
	put_base64(out, (const uint8_t *)text, len);
	put(out, "\a");
}

/* Every ESC inside is doubled. */
static void
wrap_for_tmux(struct writer *out, const struct writer *osc)
{
	put(out, "\033Ptmux;");
	for (size_t i = 0; i < osc->len; i++) {
		if (osc->bytes[i] == '\033')
			writer_u8(out, '\033');
		writer_u8(out, osc->bytes[i]);
	}
	put(out, "\033\\");
}

static void
wrap_for_screen(struct writer *out, const struct writer *osc)
{
	for (size_t i = 0; i < osc->len; i += SCREEN_PART) {
		size_t left = osc->len - i;

		put(out, "\033P");
		writer_bytes(out, osc->bytes + i,
			     left < SCREEN_PART ? left : SCREEN_PART);
		put(out, "\033\\");
	}
}

char *
clip_sequence(const char *text, size_t len, enum clip_way way, size_t *size)
{
	struct writer osc = { 0 }, out = { 0 };

	if (len == 0 || len > CLIP_MAX || way == CLIP_NONE)
		return NULL;
	put_osc(&osc, text, len);
	if (way == CLIP_SCREEN)
		wrap_for_screen(&out, &osc);
	else
		writer_bytes(&out, osc.bytes, osc.len);
	if (way == CLIP_TMUX)
		wrap_for_tmux(&out, &osc);
	writer_free(&osc);
	*size = out.len;
	return (char *)out.bytes;
}
