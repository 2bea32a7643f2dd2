/* SPDX-License-Identifier: MIT */
/*
 * pprof_prune.c - drop_frames and keep_frames: what a writer wants hidden.
 *
 * A pprof file may carry a regular expression for the functions of the
 * profiler itself (a signal handler, an allocator's hook). On the way from
 * the root, behind the first function that is none of them, the first one
 * that is goes, with all it called. Where it was inlined into another, what
 * it was inlined into stays.
 */
#include "formats/pprof.h"

#include <stdlib.h>
#include <string.h>

#include "core/pattern.h"

struct prune {
	struct pattern *drop, *keep;
};

/*
 * PATTERN for whole names. Case counts, as it does not for what people type.
 * NULL if there is none or it is not understood, which REPORT tells then.
 */
static struct pattern *
open_pattern(struct slice pattern, struct read_report *report)
{
	struct pattern *out = NULL;
	struct error err;
	char *text;

	if (!pattern.len)
		return NULL;
	if (asprintf(&text, "(?-i)^(?:%.*s)$", (int)pattern.len,
		     pattern.at) < 0)
		return NULL;
	if (!pattern_open(text, &out, &err))
		read_note(report, "its drop_frames are not understood: %.80s",
			  err.text);
	free(text);
	return out;
}

/* Where NAME's arguments begin, or its end. */
static size_t
without_arguments(const char *name)
{
	static const char *const others[] = { "(anonymous namespace)", "()" };
	static const char word[] = "operator";
	const char *at = name;

	while ((at = strchr(at, '('))) {
		bool is_call = at - name >= (ptrdiff_t)sizeof(word) - 1 &&
			       memcmp(at - sizeof(word) + 1, word,
				      sizeof(word) - 1) == 0 &&
			       strncmp(at, others[1], strlen(others[1])) == 0;

		if (!is_call && strncmp(at, others[0], strlen(others[0])) != 0)
			return (size_t)(at - name);
		at++;
	}
	return strlen(name);
}

/* ".f(int)" is held against the pattern as "f". */
static bool
is_dropped(const struct prune *prune, const char *name)
{
	char *plain;
	bool is;

	name += name[0] == '.';
	plain = xstrndup(name, without_arguments(name));
	is = pattern_match(prune->drop, plain) == PATTERN_YES &&
	     !(prune->keep &&
	       pattern_match(prune->keep, plain) == PATTERN_YES);
	free(plain);
	return is;
}

/* What is inlined is the inner end of a location's frames. */
static void
cut_location(const struct prune *prune, const struct pprof *pprof,
	     struct profile *profile, struct pprof_location *location)
{
	for (size_t i = location->count; i-- > 0;) {
		const struct frame *frame = profile_get_frame(
			profile, pprof->frames[location->first + i]);

		if (!is_dropped(prune, profile_text(profile, frame->name)))
			continue;
		location->cut = i ? CUT_BELOW : CUT_HERE;
		if (i)
			location->count = i;
	}
}

void
pprof_prune(struct pprof *pprof, struct profile *profile,
	    struct read_report *report)
{
	struct prune prune = {
		.drop = open_pattern(pprof_string(pprof, pprof->drop), report),
	};
	size_t i;

	if (!prune.drop)
		return;
	prune.keep = open_pattern(pprof_string(pprof, pprof->keep), report);
	for (i = 1; i < pprof->locations.count; i++) {
		struct pprof_location *location =
			table_at(&pprof->locations, (uint32_t)i);

		pprof_find_frames(pprof, profile, location);
		cut_location(&prune, pprof, profile, location);
	}
	pattern_free(prune.drop);
	pattern_free(prune.keep);
}
