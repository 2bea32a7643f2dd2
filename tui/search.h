/* SPDX-License-Identifier: MIT */
/*
 * search.h - which functions a pattern finds.
 *
 * Incremental, smart-case (a capital makes it matter), PCRE2 with match and
 * depth limits, so no pattern hangs the screen. A pattern that does not
 * compile keeps the last result and says what is wrong.
 */
#ifndef TUI_SEARCH_H
#define TUI_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/picture.h"

struct search;

struct search *search_new(void);
void search_free(struct search *search);

/*
 * Search for PATTERN among NAMES ("" ends the search). False when it does not
 * compile: search_problem() says why and the hits stay as they were.
 */
bool search_set(struct search *search, const char *pattern,
		const struct names *names);

/* Search exactly for FUNC's name. */
void search_func(struct search *search, func_id func,
		 const struct names *names);

/* Take in functions that came since; call before drawing. */
void search_update(struct search *search, const struct names *names);

bool search_is_on(const struct search *search);
const char *search_pattern(const struct search *search);

/* The pattern as a regular expression, that of one name too; into OUT. */
char *search_regex(const struct search *search, char *out, size_t size);

const char *search_problem(const struct search *search);	/* or "" */
bool search_hits(const struct search *search, func_id func);

/* Was FUNC looked at? One that is new was not before search_update(). */
bool search_knows(const struct search *search, func_id func);

/* Grows when a function that was looked at has become a hit, or is none now. */
uint64_t search_version(const struct search *search);

#endif
