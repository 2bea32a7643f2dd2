/* SPDX-License-Identifier: MIT */
/*
 * lines.h - the lines of a text, of which only a part need be in memory.
 *
 * A profile in text may be larger than memory, though what is said in it is
 * not. So readers of text take a line at a time, from bytes that are all
 * there or from a source that is asked for more.
 */
#ifndef FORMATS_LINES_H
#define FORMATS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base.h"

/* Bytes that somebody else owns. */
struct slice {
	const char *at;
	size_t len;
};

/* Where bytes come from. */
struct source {
	/* Up to ROOM bytes to INTO: how many, 0 at the end, -1 with ERR. */
	ssize_t (*read)(void *ctx, void *into, size_t room, struct error *err);
	void *ctx;
};

/* A line longer than this is no line. */
#define LINE_MAX_BYTES ((size_t)256 << 20)

/* A cursor over lines; begins zeroed but for AT and END, or SOURCE. */
struct lines {
	const char *at, *end;	/* what is in memory and not taken yet */
	uint64_t number;	/* of the line taken last, from 1 */
	const struct source *source;	/* of what comes behind END; or NULL */
	char *buffer;		/* owned; only with a source */
	size_t capacity;
	bool has_failed;	/* the source did, or a line is too long */
	struct error err;	/* why */
};

/* LEN bytes that are all there is. */
struct lines lines_of(const char *bytes, size_t len);
void lines_fini(struct lines *lines);

/*
 * Have LEN bytes in memory, or all that is left if that is less; returns how
 * many. For a look at what comes.
 */
size_t lines_fill(struct lines *lines, size_t len);

/*
 * Take the next line without what ends it (newline, carriage return). False
 * at the end, which HAS_FAILED tells from a failure. LINE is valid until the
 * next call.
 */
bool lines_next(struct lines *lines, struct slice *line);

/*
 * The same of lines that are neither blank nor begin with '#', without blanks
 * at their ends.
 */
bool lines_next_said(struct lines *lines, struct slice *line);

/*
 * Take as many whole lines as are in memory, at least one, with what ends
 * them; NUMBER does not count them. For who goes through lines by itself.
 */
bool lines_next_block(struct lines *lines, struct slice *block);

/* --- parts of a line */

static inline bool
is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

/* Is BYTE one of SET's, which ends before its NUL? */
bool is_among(char byte, const char *set);

/* The value of a hexadecimal digit; 16 for any other byte. */
unsigned hex_digit(char byte);

struct slice slice_of(const char *at, const char *end);
struct slice slice_whole(const char *text);	/* to its NUL */
struct slice without_trailing_blanks(struct slice s);
struct slice without_blanks(struct slice s);

/* "read+0x11" as "read"; a name that begins with the plus stays. */
struct slice without_offset(struct slice name);

/* Does S begin, or end, with WORD? */
bool slice_starts(struct slice s, const char *word);
bool slice_ends(struct slice s, const char *word);
bool slice_is(struct slice s, const char *word);

/* Are they the same but for the case of letters? */
bool slice_is_like(struct slice a, struct slice b);

/* Where WORD is in S, or NULL. */
const char *slice_find(struct slice s, const char *word);

/* What is behind the last slash of PATH. */
struct slice slice_file(struct slice path);

/* All of S as a decimal number, or false. */
bool slice_number(struct slice s, uint64_t *number);

/*
 * Cut the first word off REST, or the last; blanks between go with neither.
 * Empty when there is none.
 */
struct slice take_first_word(struct slice *rest);
struct slice take_last_word(struct slice *rest);

/*
 * Cut a number off the start of REST: false, and nothing cut, when it begins
 * with no digit or the number needs more than 64 bits. Hexadecimal ones may
 * begin with 0x.
 */
bool take_decimal(struct slice *rest, uint64_t *number);
bool take_hex(struct slice *rest, uint64_t *number);

/* Cut WORD off the start of REST, or return false. */
bool take_word(struct slice *rest, const char *word);

#endif
