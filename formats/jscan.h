/* SPDX-License-Identifier: MIT */
/*
 * jscan.h - a cursor over JSON (RFC 8259) that is in memory.
 *
 *	jscan_begin(&j, '{');
 *	for (first = true; jscan_member(&j, &first, &key);)
 *		if (slice_is(key, "frames"))
 *			...		take the value, or
 *		else
 *			jscan_skip(&j);
 *
 * Nothing is built: a library's tree of a profile takes twelve times the
 * file's size (measured: 32 MB became 386 MB), which at 256 MB is more than
 * the process that parses may have. So a part that is needed twice is read
 * twice, from a copy of the cursor. Numbers stay text, because a profile's
 * are exact and a double is not.
 *
 * What is not as it must be sets FAILED, which stays, and AT tells where.
 */
#ifndef FORMATS_JSCAN_H
#define FORMATS_JSCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/lines.h"

/* Values within values; more are refused, not followed. */
#define JSCAN_DEPTH 512

struct jscan {
	const char *at, *end;
	bool failed;
};

struct jscan jscan_of(const char *bytes, size_t len);

/* The first byte of the next value ('{', '"', '-' ...), or NUL at the end. */
char jscan_peek(struct jscan *j);

/* Enter an object or a list, whose first byte is OPEN. */
bool jscan_begin(struct jscan *j, char open);

/*
 * Is there one more in what was entered? *FIRST is true at first. KEY is as
 * written, without its quotes. False at the end, which is left then, and when
 * FAILED.
 */
bool jscan_member(struct jscan *j, bool *first, struct slice *key);
bool jscan_item(struct jscan *j, bool *first);

/* Pass over the next value. */
void jscan_skip(struct jscan *j);

/* The next value as text; empty and FAILED if it is none. */
struct slice jscan_number(struct jscan *j);
struct slice jscan_string(struct jscan *j);	/* as written, no quotes */

/* S with its escapes undone, *LEN bytes that the caller frees. */
char *jscan_unescape(struct slice s, size_t *len);

#endif
