/* SPDX-License-Identifier: MIT */
/*
 * sanitise.h - foreign text made harmless at the model's border.
 *
 * Thread names, paths, symbols, lines of a snapshot: none of them may reach a
 * terminal, a log or a file as it came. What passes is strict UTF-8 of
 * visible characters; everything else is spelled out:
 *
 *	a byte that is not UTF-8			\xNN
 *	C0, DEL, C1 controls, TAB and newline		\xNN
 *	line and paragraph separators, format and
 *	bidi controls, zero width, private use,
 *	unassigned planes, invisible letters		\u{NNNN}
 *	more than two combining marks on one base,
 *	or one at the very beginning			\u{NNNN}
 *
 * Digits are lower-case hex; code points below 0x100 are written \xNN too. A
 * backslash is itself.
 * The result is UTF-8 and cleaning it again changes nothing, so a name that
 * is saved and loaded stays the same. tui/text.h is the second line of
 * defence and trusts none of this.
 */
#ifndef CORE_SANITISE_H
#define CORE_SANITISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest name kept, in bytes of output; the rest becomes one "…". */
#define SANITISE_MAX 65536

/*
 * A clean copy of LEN bytes (which may hold NULs) as a NUL-terminated string
 * the caller frees.
 */
char *sanitise(const char *bytes, size_t len);

/*
 * The same into OUT of SIZE bytes, cut at a character if it does not fit.
 * Returns OUT. For messages and other short texts.
 */
char *sanitise_into(char *out, size_t size, const char *bytes, size_t len);

/*
 * Decode the character at BYTES (LEN > 0) into *CODE and return its length;
 * a byte that begins no strict UTF-8 sequence gives 0.
 */
size_t utf8_decode(const char *bytes, size_t len, uint32_t *code);

/* Encode CODE into OUT (at least 4 bytes, no NUL added); returns length. */
size_t utf8_encode(uint32_t code, char *out);

/* May CODE be shown as it is? False for all kinds listed above. */
bool is_visible(uint32_t code);

/* Does CODE combine with the character before it (width zero)? */
bool is_combining(uint32_t code);

#endif
