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
	uint64_t version;
	uint64_t names_version;	/* of these, when they were */
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
	uint64_t version;	/* grows when a known function's bit changes */
};

/* Grows when a function that was there got another name. */
static uint64_t
names_version(const struct names *names)
{
	return names_generation(names) + names_renames(names);
}

/*
 * Look at the functions from FROM on that are new or have another name than
 * they had. False: it costs too much, so some were left out.
 */
static bool
look(const struct attempt *attempt, const struct names *names, size_t from,
     struct result *result)
{
	size_t count = names_count(names);

	result->hits = xreallocarray(result->hits, count / 64 + 1,
				     sizeof(*result->hits));
	result->seen = xreallocarray(result->seen, count,
				     sizeof(*result->seen));
	for (size_t i = from; i < count; i++) {
		string_id name = names_get(names, (func_id)i)->name;
		uint64_t bit = (uint64_t)1 << (i & 63), was;

		if (i < result->known && result->seen[i] == name)
			continue;
		result->seen[i] = name;
		was = result->hits[i / 64] & bit;
		result->hits[i / 64] &= ~bit;
		if (matches(attempt, names, (func_id)i))
			result->hits[i / 64] |= bit;
		if (i < result->known && was != (result->hits[i / 64] & bit))
			result->version++;
	}
	result->known = count;
	return !attempt->pattern || !pattern_is_costly(attempt->pattern);
}

/* ATTEMPT held: it is the search from now on. */
static void
adopt(struct search *search, const struct attempt *attempt,
      const char *text, const struct names *names, struct result result)
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
	search->version++;
	search->names_version = names_version(names);
	search->problem[0] = '\0';
}

bool
search_set(struct search *search, const char *text, const struct names *names)
{
	struct attempt attempt = { 0 };
	struct result result = { 0 };
	struct error err;

	if (!*text) {
		adopt(search, &attempt, "", names, result);
		return true;
	}
	if (!pattern_open(text, &attempt.pattern, &err)) {
		snprintf(search->problem, sizeof(search->problem), "%.159s",
			 err.text);
		return false;
	}
	if (look(&attempt, names, 0, &result)) {
		adopt(search, &attempt, text, names, result);
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

	look(&attempt, names, 0, &result);
	adopt(search, &attempt, names_text(names, func), names, result);
}

void
search_update(struct search *search, const struct names *names)
{
	struct attempt attempt = { search->pattern, search->exact };
	struct result result = { search->hits, search->seen, search->known,
				 search->version };
	bool are_renamed = search->names_version != names_version(names);

	if (!search_is_on(search) ||
	    (!are_renamed && search->known == names_count(names)))
		return;
	if (search->pattern)
		pattern_forgive(search->pattern);
	if (!look(&attempt, names, are_renamed ? 0 : search->known, &result))
		snprintf(search->problem, sizeof(search->problem),
			 "the pattern takes too long for some names");
	search->hits = result.hits;
	search->seen = result.seen;
	search->known = result.known;
	search->version = result.version;
	search->names_version = names_version(names);
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

char *
search_regex(const struct search *search, char *out, size_t size)
{
	bool is_name = !search->pattern;

	snprintf(out, size, "%s%s%s", is_name ? "^\\Q" : "", search->text,
		 is_name ? "\\E$" : "");
	return out;
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

bool
search_knows(const struct search *search, func_id func)
{
	return func == FUNC_NONE || func < search->known;
}

uint64_t
search_version(const struct search *search)
{
	return search->version;
}
