/* SPDX-License-Identifier: MIT */
/*
 * pattern.h - a regular expression that names are held against.
 *
 * PCRE2, smart-case (a capital outside an escape makes case matter), with
 * match, depth and heap limits, so that no pattern hangs the screen: a name
 * that reaches one is counted, and after some such names the pattern is given
 * up and matches nothing more.
 */
#ifndef CORE_PATTERN_H
#define CORE_PATTERN_H

#include <stdbool.h>

struct error;
struct pattern;

enum pattern_answer {
	PATTERN_NO,
	PATTERN_YES,
	PATTERN_COSTLY,		/* a limit was reached, now or before */
};

/*
 * Compile TEXT. On success *OUT is a new pattern, freed with pattern_free();
 * on failure *OUT is untouched and ERR says what is wrong with TEXT.
 */
bool pattern_open(const char *text, struct pattern **out, struct error *err);

/* One more owner of the same pattern (may be NULL), who frees it too. */
struct pattern *pattern_share(struct pattern *pattern);
void pattern_free(struct pattern *pattern);

enum pattern_answer pattern_match(struct pattern *pattern, const char *name);

/* Was it given up? pattern_forgive() lets it try again. */
bool pattern_is_costly(const struct pattern *pattern);
void pattern_forgive(struct pattern *pattern);

/* As it was given; borrowed. */
const char *pattern_text(const struct pattern *pattern);

#endif
