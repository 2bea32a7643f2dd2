/* SPDX-License-Identifier: MIT */
/*
 * pattern.c - PCRE2 with limits.
 */
#include "core/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* For one name; and so many names may go beyond it before we give up. */
#define MATCH_LIMIT 20000
#define DEPTH_LIMIT 2000
#define HEAP_LIMIT_KIB 4096
#define COSTLY_NAMES 32

struct pattern {
	char *text;
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *limits;
	unsigned owners;
	unsigned costly;	/* names that reached a limit */
};

/* A capital outside an escape such as \W makes case matter. */
static bool
has_capital(const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' && text[1])
			text++;
		else if (*text >= 'A' && *text <= 'Z')
			return true;
	}
	return false;
}

static pcre2_code *
compile(const char *text, struct error *err)
{
	uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF |
			   PCRE2_NEVER_BACKSLASH_C;
	PCRE2_UCHAR reason[120];
	PCRE2_SIZE at;
	pcre2_code *code;
	int number;

	if (!has_capital(text))
		options |= PCRE2_CASELESS;
	code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, options,
			     &number, &at, NULL);
	if (!code && pcre2_get_error_message(number, reason,
					     sizeof(reason)) > 0)
		fail(err, 0, "%s", (const char *)reason);
	else if (!code)
		fail(err, 0, "not a regular expression");
	return code;
}

bool
pattern_open(const char *text, struct pattern **out, struct error *err)
{
	struct pattern *pattern;
	pcre2_code *code = compile(text, err);

	if (!code)
		return false;
	pattern = xcalloc(1, sizeof(*pattern));
	pattern->text = xstrdup(text);
	pattern->code = code;
	pattern->owners = 1;
	pattern->match = pcre2_match_data_create(1, NULL);
	pattern->limits = pcre2_match_context_create(NULL);
	if (!pattern->match || !pattern->limits) {
		pattern_free(pattern);
		return fail(err, 0, "no memory to search with");
	}
	pcre2_set_match_limit(pattern->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(pattern->limits, DEPTH_LIMIT);
	pcre2_set_heap_limit(pattern->limits, HEAP_LIMIT_KIB);
	*out = pattern;
	return true;
}

struct pattern *
pattern_share(struct pattern *pattern)
{
	if (pattern)
		pattern->owners++;
	return pattern;
}

void
pattern_free(struct pattern *pattern)
{
	if (!pattern || --pattern->owners)
		return;
	pcre2_code_free(pattern->code);
	pcre2_match_data_free(pattern->match);
	pcre2_match_context_free(pattern->limits);
	free(pattern->text);
	free(pattern);
}

enum pattern_answer
pattern_match(struct pattern *pattern, const char *name)
{
	int answer;

	if (pattern_is_costly(pattern))
		return PATTERN_COSTLY;
	answer = pcre2_match(pattern->code, (PCRE2_SPTR)name, strlen(name), 0,
			     0, pattern->match, pattern->limits);
	if (answer >= 0)
		return PATTERN_YES;
	if (answer == PCRE2_ERROR_NOMATCH)
		return PATTERN_NO;
	pattern->costly++;
	return PATTERN_COSTLY;
}

bool
pattern_is_costly(const struct pattern *pattern)
{
	return pattern->costly > COSTLY_NAMES;
}

void
pattern_forgive(struct pattern *pattern)
{
	pattern->costly = 0;
}

const char *
pattern_text(const struct pattern *pattern)
{
	return pattern->text;
}
