/* SPDX-License-Identifier: MIT */
/*
 * text.h - how wide text is, and how it is shortened to fit.
 *
 * Widths come from a table of our own, so that they do not depend on the
 * locale of the box.
 */
#ifndef TUI_TEXT_H
#define TUI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cells that CODE takes: 0, 1 or 2 (Unicode UAX #11; ambiguous is 1). */
int char_width(uint32_t code);

/* Cells that UTF-8 TEXT takes. */
int text_width(const char *text);

/*
 * A function's NAME in at most WIDTH cells, into OUT of SIZE bytes: whole;
 * else without arguments; else with templates as <…>; else without leading
 * namespaces, one by one; else cut in the middle by "…" ('~' when IS_ASCII);
 * "" below 3 cells. Returns OUT.
 */
char *label_fit(char *out, size_t size, const char *name, int width,
		bool is_ascii);

/* TEXT in at most WIDTH cells, its end replaced by "…" if it is longer. */
char *text_cut(char *out, size_t size, const char *text, int width,
	       bool is_ascii);

/*
 * How many bytes of TEXT go on a line of WIDTH cells: all; else up to a blank;
 * else as many as fit. Never 0 unless TEXT is empty.
 */
size_t text_line(const char *text, int width);

/*
 * PATH in at most WIDTH cells, its beginning replaced by "…" if it is longer:
 * at a slash, or in its last name where that alone is too long.
 */
char *path_fit(char *out, size_t size, const char *path, int width,
	       bool is_ascii);

/* "1234" -> "1,234"; "12.4 %"; both into OUT, which is returned. */
char *count_text(char *out, size_t size, uint64_t count);
char *share_text(char *out, size_t size, uint64_t part, uint64_t whole);

/* The same in at most six cells up to 9,999 M: "99,999", "123k", "12M". */
char *count_brief(char *out, size_t size, uint64_t count);

#endif
