/* SPDX-License-Identifier: MIT */
/*
 * strings.h - every text once: equal strings have equal ids.
 *
 * Texts are stored as given, so clean them first (core/sanitise.h). Ids count
 * up from 0, which is always "".
 */
#ifndef CORE_STRINGS_H
#define CORE_STRINGS_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t string_id;

struct strings;

struct strings *strings_new(void);
void strings_free(struct strings *strings);

/* The id of TEXT (LEN bytes, copied at first sight; ends at a NUL). */
string_id strings_add(struct strings *strings, const char *text, size_t len);

/*
 * Copy the texts that SRC has and DST has not, under the same ids. DST must
 * have got all it has in this way; it may be searched, not added to.
 */
void strings_take(struct strings *dst, const struct strings *src);

/*
 * Beyond BYTES every new text becomes "[too many names]". No bound at first.
 */
void strings_set_bound(struct strings *strings, size_t bytes);

/* The text of ID; borrowed, valid until strings_free(). */
const char *strings_get(const struct strings *strings, string_id id);

size_t strings_count(const struct strings *strings);
size_t strings_bytes(const struct strings *strings);	/* memory in use */

#endif
