/* SPDX-License-Identifier: MIT */
/*
 * search.c - which functions a pattern finds.
 */
#include "tui/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/pattern.h"

struct search {
	char *text;		/* "": off */
	struct pattern *pattern; /* NULL: look for the name EXACT */
	string_id exact;
	uint64_t *hits;		/* one bit for each function */
	string_id *seen;	/* the name that it was looked at with */
	size_t known;		/* functions that were looked at */
	char problem[160];
};

/* What a search is to become, if it holds. */
struct attempt {
	struct pattern *pattern;
	string_id exact;
};

struct search *
search_new(void)
{
	struct search *search = xcalloc(1, sizeof(*search));

	search->text = xstrdup("");
	return search;
}

void
search_free(struct search *search)
{
	if (!search)
		return;
	pattern_free(search->pattern);
	free(search->hits);
	free(search->seen);
	free(search->text);
	free(search);
}

static bool
matches(const struct attempt *attempt, const struct names *names, func_id func)
{
	if (!attempt->pattern)
		return names_get(names, func)->name == attempt->exact;
	return pattern_match(attempt->pattern, names_text(names, func)) ==
	       PATTERN_YES;
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
look(const struct attempt *attempt, const struct names *names,
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
		if (matches(attempt, names, (func_id)i))
			result->hits[i / 64] |= bit;
	}
	result->known = count;
	return !attempt->pattern || !pattern_is_costly(attempt->pattern);
}

/* ATTEMPT held: it is the search from now on. */
static void
adopt(struct search *search, const struct attempt *attempt,
      const char *text, struct result result)
{
	char *copy = xstrdup(text);	/* may be our own */

	pattern_free(search->pattern);
	free(search->hits);
	free(search->seen);
	free(search->text);
	search->pattern = attempt->pattern;
	search->exact = attempt->exact;
	search->text = copy;
	search->hits = result.hits;
	search->seen = result.seen;
	search->known = result.known;
	search->problem[0] = '\0';
}

bool
search_set(struct search *search, const char *text, const struct names *names)
{
	struct attempt attempt = { 0 };
	struct result result = { 0 };
	struct error err;

	if (!*text) {
		adopt(search, &attempt, "", result);
		return true;
	}
	if (!pattern_open(text, &attempt.pattern, &err)) {
		snprintf(search->problem, sizeof(search->problem), "%.159s",
			 err.text);
		return false;
	}
	if (look(&attempt, names, &result)) {
		adopt(search, &attempt, text, result);
		return true;
	}
	snprintf(search->problem, sizeof(search->problem),
		 "the pattern takes too long");
	pattern_free(attempt.pattern);
	free(result.hits);
	free(result.seen);
	return false;
}

void
search_func(struct search *search, func_id func, const struct names *names)
{
	struct attempt attempt = { .exact = names_get(names, func)->name };
	struct result result = { 0 };

	look(&attempt, names, &result);
	adopt(search, &attempt, names_text(names, func), result);
}

void
search_update(struct search *search, const struct names *names)
{
	struct attempt attempt = { search->pattern, search->exact };
	struct result result = { search->hits, search->seen, search->known };

	if (!search_is_on(search))
		return;
	if (search->pattern)
		pattern_forgive(search->pattern);
	if (!look(&attempt, names, &result))
		snprintf(search->problem, sizeof(search->problem),
			 "the pattern takes too long for some names");
	search->hits = result.hits;
	search->seen = result.seen;
	search->known = result.known;
}

bool
search_is_on(const struct search *search)
{
	return search->text[0] != '\0';
}

const char *
search_pattern(const struct search *search)
{
	return search->text;
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
