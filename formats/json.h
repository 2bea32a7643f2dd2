/* SPDX-License-Identifier: MIT */
/*
 * json.h - a cursor over JSON (RFC 8259) that is in memory.
 *
 *	json_begin(&j, '{');
 *	for (first = true; json_member(&j, &first, &key);)
 *		if (slice_is(key, "frames"))
 *			...		take the value, or
 *		else
 *			json_skip(&j);
 *
 * Nothing is built: a library's tree of a profile takes twelve times the
 * file's size (measured: 32 MB became 386 MB), which at 256 MB is more than
 * the process that parses may have. So a part that is needed twice is read
 * twice, from a copy of the cursor. Numbers stay text, because a profile's
 * are exact and a double is not.
 *
 * What is not as it must be sets FAILED, which stays, and AT tells where.
 */
#ifndef FORMATS_JSON_H
#define FORMATS_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/lines.h"

/* Values within values; more are refused, not followed. */
#define JSON_DEPTH 512

struct json {
	const char *at, *end;
	bool failed;
};

struct json json_of(const char *bytes, size_t len);

/* The first byte of the next value ('{', '"', '-' ...), or NUL at the end. */
char json_peek(struct json *j);

/* Enter an object or a list, whose first byte is OPEN. */
bool json_begin(struct json *j, char open);

/*
 * Is there one more in what was entered? *FIRST is true at first. KEY is as
 * written, without its quotes. False at the end, which is left then, and when
 * FAILED.
 */
bool json_member(struct json *j, bool *first, struct slice *key);
bool json_item(struct json *j, bool *first);

/* Pass over the next value. */
void json_skip(struct json *j);

/* The next value as text; empty and FAILED if it is none. */
struct slice json_number(struct json *j);
struct slice json_string(struct json *j);	/* as written, no quotes */

/* S with its escapes undone, *LEN bytes that the caller frees. */
char *json_unescape(struct slice s, size_t *len);

#endif
