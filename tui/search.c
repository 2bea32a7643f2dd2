/* SPDX-License-Identifier: MIT */
/*
 * search.c - which functions a pattern finds.
 */
#include "tui/search.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* For one name; and so many names may go beyond it before we give up. */
#define MATCH_LIMIT 20000
#define DEPTH_LIMIT 2000
#define HEAP_LIMIT_KIB 4096
#define COSTLY_NAMES 32

struct search {
	char *pattern;		/* "": off */
	pcre2_code *code;	/* NULL: look for the name EXACT */
	pcre2_match_data *match;
	pcre2_match_context *limits;
	string_id exact;
	uint64_t *hits;		/* one bit for each function */
	string_id *seen;	/* the name that it was looked at with */
	size_t known;		/* functions that were looked at */
	char problem[160];
};

/* What a search is to become, if it holds. */
struct attempt {
	pcre2_code *code;
	string_id exact;
	unsigned costly;	/* names that reached a limit */
};

struct search *
search_new(void)
{
	struct search *search = xcalloc(1, sizeof(*search));

	search->pattern = xstrdup("");
	search->match = pcre2_match_data_create(1, NULL);
	search->limits = pcre2_match_context_create(NULL);
	if (!search->match || !search->limits)
		return search;	/* nothing will be found, and that is said */
	pcre2_set_match_limit(search->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(search->limits, DEPTH_LIMIT);
	pcre2_set_heap_limit(search->limits, HEAP_LIMIT_KIB);
	return search;
}

void
search_free(struct search *search)
{
	if (!search)
		return;
	pcre2_code_free(search->code);
	pcre2_match_data_free(search->match);
	pcre2_match_context_free(search->limits);
	free(search->hits);
	free(search->seen);
	free(search->pattern);
	free(search);
}

/* A capital outside an escape such as \W makes case matter. */
static bool
has_capital(const char *pattern)
{
	for (; *pattern; pattern++) {
		if (*pattern == '\\' && pattern[1])
			pattern++;
		else if (*pattern >= 'A' && *pattern <= 'Z')
			return true;
	}
	return false;
}

static pcre2_code *
compile(struct search *search, const char *pattern)
{
	uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF |
			   PCRE2_NEVER_BACKSLASH_C;
	PCRE2_UCHAR text[120];
	PCRE2_SIZE at;
	pcre2_code *code;
	int err;

	if (!has_capital(pattern))
		options |= PCRE2_CASELESS;
	code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
			     options, &err, &at, NULL);
	if (!code && pcre2_get_error_message(err, text, sizeof(text)) > 0)
		snprintf(search->problem, sizeof(search->problem), "%s",
			 (const char *)text);
	else if (!code)
		snprintf(search->problem, sizeof(search->problem),
			 "not a regular expression");
	return code;
}

static bool
matches(struct search *search, struct attempt *attempt,
	const struct names *names, func_id func)
{
	const char *name = names_text(names, func);
	int answer;

	if (!attempt->code)
		return names_get(names, func)->name == attempt->exact;
	if (attempt->costly > COSTLY_NAMES)
		return false;
	answer = pcre2_match(attempt->code, (PCRE2_SPTR)name, strlen(name), 0,
			     0, search->match, search->limits);
	if (answer < 0 && answer != PCRE2_ERROR_NOMATCH)
		attempt->costly++;
	return answer >= 0;
}

/* What a search has found. */
struct result {
	uint64_t *hits;
	string_id *seen;
	size_t known;
};

/*
 * Look at the functions that are new or have another name than they had.
 * False: it costs too much, so some were left out.
 */
static bool
look(struct search *search, struct attempt *attempt, const struct names *names,
     struct result *result)
{
	size_t count = names_count(names);

	result->hits = xreallocarray(result->hits, count / 64 + 1,
				     sizeof(*result->hits));
	result->seen = xreallocarray(result->seen, count,
				     sizeof(*result->seen));
	for (size_t i = 0; i < count; i++) {
		string_id name = names_get(names, (func_id)i)->name;
		uint64_t bit = (uint64_t)1 << (i & 63);

		if (i < result->known && result->seen[i] == name)
			continue;
		result->seen[i] = name;
		result->hits[i / 64] &= ~bit;
		if (matches(search, attempt, names, (func_id)i))
			result->hits[i / 64] |= bit;
	}
	result->known = count;
	return attempt->costly <= COSTLY_NAMES;
}

/* ATTEMPT held: it is the search from now on. */
static void
adopt(struct search *search, const struct attempt *attempt,
      const char *pattern, struct result result)
{
	char *copy = xstrdup(pattern);	/* may be our own */

	pcre2_code_free(search->code);
	free(search->hits);
	free(search->seen);
	free(search->pattern);
	search->code = attempt->code;
	search->exact = attempt->exact;
	search->pattern = copy;
	search->hits = result.hits;
	search->seen = result.seen;
	search->known = result.known;
	search->problem[0] = '\0';
}

bool
search_set(struct search *search, const char *pattern,
	   const struct names *names)
{
	struct attempt attempt = { 0 };
	struct result result = { 0 };

	if (!*pattern) {
		adopt(search, &attempt, "", result);
		return true;
	}
	if (!search->match || !search->limits) {
		snprintf(search->problem, sizeof(search->problem),
			 "no memory to search with");
		return false;
	}
	attempt.code = compile(search, pattern);
	if (!attempt.code)
		return false;
	if (look(search, &attempt, names, &result)) {
		adopt(search, &attempt, pattern, result);
		return true;
	}
	snprintf(search->problem, sizeof(search->problem),
		 "the pattern takes too long");
	pcre2_code_free(attempt.code);
	free(result.hits);
	free(result.seen);
	return false;
}

void
search_func(struct search *search, func_id func, const struct names *names)
{
	struct attempt attempt = { .exact = names_get(names, func)->name };
	struct result result = { 0 };

	look(search, &attempt, names, &result);
	adopt(search, &attempt, names_text(names, func), result);
}

void
search_update(struct search *search, const struct names *names)
{
	struct attempt attempt = { .code = search->code,
				   .exact = search->exact };
	struct result result = { search->hits, search->seen, search->known };

	if (!search_is_on(search))
		return;
	if (!look(search, &attempt, names, &result))
		snprintf(search->problem, sizeof(search->problem),
			 "the pattern takes too long for some names");
	search->hits = result.hits;
	search->seen = result.seen;
	search->known = result.known;
}

bool
search_is_on(const struct search *search)
{
	return search->pattern[0] != '\0';
}

const char *
search_pattern(const struct search *search)
{
	return search->pattern;
}

const char *
search_problem(const struct search *search)
{
	return search->problem;
}

bool
search_hits(const struct search *search, func_id func)
{
	return func < search->known &&
	       (search->hits[func / 64] >> (func & 63) & 1);
}

/* The node after NODE below TOP, parents first; children only if INTO. */
static node_id
walk_on(const struct calltree *tree, node_id node, node_id top, bool into)
{
	node_id next = into ? calltree_first(tree, node) : NODE_NONE;

	while (next == NODE_NONE && node != top) {
		next = calltree_next(tree, node);
		node = calltree_parent(tree, node);
	}
	return next;
}

struct search_count
search_count_below(const struct search *search, const struct calltree *tree,
		   node_id top)
{
	struct search_count sum = { 0 };
	uint64_t *seen = xcalloc(search->known / 64 + 1, sizeof(*seen));
	uint32_t outer = UINT32_MAX;	/* depth of the hit we are below */

	for (node_id node = top; node != NODE_NONE;) {
		uint64_t weight = calltree_total(tree, node);
		uint32_t depth = calltree_depth(tree, node);
		func_id func = calltree_func(tree, node);

		if (depth <= outer)
			outer = UINT32_MAX;
		if (weight > 0 && search_hits(search, func)) {
			uint64_t bit = (uint64_t)1 << (func & 63);

			sum.frames++;
			sum.functions += !(seen[func / 64] & bit);
			seen[func / 64] |= bit;
			if (outer == UINT32_MAX) {
				sum.weight += weight;
				outer = depth;
			}
		}
		node = walk_on(tree, node, top, weight > 0);
	}
	free(seen);
	return sum;
}
