/* SPDX-License-Identifier: MIT */
/*
 * match.c - functions of ours by their names.
 *
 * Ours that share a name are a chain; the lookup has its first.
 */
#include "core/match.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/lookup.h"

/* What names_*() said when it was last looked at. */
struct state {
	uint64_t generation, moves, renames;
	size_t count;
};

struct match {
	struct names *ours, *theirs;
	struct state our_state, their_state;
	struct lookup lookup;
	func_id *next;		/* by function of ours */
	size_t nours, ours_capacity;
	func_id *of;		/* by function of theirs; FUNC_NONE: not yet */
	size_t ntheirs;
};

static struct state
state_of(const struct names *names)
{
	return (struct state){ names_generation(names), names_moves(names),
			       names_renames(names), names_count(names) };
}

static bool
is_same_state(const struct state *a, const struct state *b)
{
	return a->generation == b->generation && a->moves == b->moves &&
	       a->renames == b->renames && a->count == b->count;
}

static uint32_t
hash_name(const char *name)
{
	return hash_bytes(name, strlen(name));
}

static bool
is_called(const void *owner, uint32_t id, const void *key)
{
	const struct match *match = owner;

	return strcmp(names_text(match->ours, id), key) == 0;
}

static func_id
first_called(const struct match *match, const char *name)
{
	uint32_t id = lookup_find(&match->lookup, hash_name(name), is_called,
				  match, name);

	return id == LOOKUP_NONE ? FUNC_NONE : id;
}

static void
index_ours(struct match *match, func_id func)
{
	const char *name = names_text(match->ours, func);
	func_id first = first_called(match, name);

	match->next[func] = FUNC_NONE;
	if (first == FUNC_NONE) {
		lookup_add(&match->lookup, hash_name(name), func);
	} else {
		match->next[func] = match->next[first];
		match->next[first] = func;
	}
}

/* Put what OURS has got since into the index. */
static void
reach(struct match *match)
{
	while (match->nours < names_count(match->ours)) {
		match->next = grow(match->next, match->nours,
				   &match->ours_capacity,
				   sizeof(*match->next));
		match->next[match->nours] = FUNC_NONE;
		if (names_final(match->ours, (func_id)match->nours) ==
		    match->nours)
			index_ours(match, (func_id)match->nours);
		match->nours++;
	}
}

struct match *
match_new(struct names *ours, struct names *theirs)
{
	struct match *match = xcalloc(1, sizeof(*match));

	match->ours = ours;
	match->theirs = theirs;
	reach(match);
	match->our_state = state_of(ours);
	match->their_state = state_of(theirs);
	return match;
}

void
match_free(struct match *match)
{
	if (!match)
		return;
	lookup_fini(&match->lookup);
	free(match->next);
	free(match->of);
	free(match);
}

/* How well OURS does for THEIRS of the same name; 0: not at all. */
static int
rate(const struct match *match, func_id ours, func_id theirs)
{
	const char *our_module = names_module(match->ours, ours);
	const char *their_module = names_module(match->theirs, theirs);
	bool is_row = names_get(match->ours, ours)->kind == FRAME_THREAD;

	if (is_row != (names_get(match->theirs, theirs)->kind ==
		       FRAME_THREAD))
		return 0;
	if (!*our_module)
		return 1;
	if (!*their_module)
		return 2;
	return strcmp(our_module, their_module) == 0 ? 3 : 0;
}

static func_id
best_for(const struct match *match, func_id theirs)
{
	func_id best = FUNC_NONE, func;
	int best_rate = 0;

	for (func = first_called(match, names_text(match->theirs, theirs));
	     func != FUNC_NONE; func = match->next[func]) {
		int rated = rate(match, func, theirs);

		if (rated > best_rate || (rated == best_rate && rated &&
					  func < best)) {
			best = func;
			best_rate = rated;
		}
	}
	return best;
}

func_id
match_func(struct match *match, func_id func)
{
	size_t count = names_count(match->theirs);

	func = names_final(match->theirs, func);
	if (match->ntheirs < count)
		match->of = xreallocarray(match->of, count,
					  sizeof(*match->of));
	while (match->ntheirs < count)
		match->of[match->ntheirs++] = FUNC_NONE;
	if (match->of[func] != FUNC_NONE)
		return names_final(match->ours, match->of[func]);
	match->of[func] = best_for(match, func);
	if (match->of[func] == FUNC_NONE) {
		match->of[func] = names_plain(
			match->ours, names_get(match->theirs, func)->kind,
			names_text(match->theirs, func));
		reach(match);
		match->our_state.count = names_count(match->ours);
	}
	return match->of[func];
}

func_id
match_first(const struct match *match, func_id func)
{
	return first_called(match, names_text(match->ours, func));
}

func_id
match_next(const struct match *match, func_id func)
{
	return match->next[func];
}

/* Which of ours each of theirs is, and among how many. */
static uint64_t
digest(const struct match *match)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < match->ntheirs; i++) {
		uint64_t all = 0;

		if (match->of[i] == FUNC_NONE)
			continue;
		for (func_id f = match_first(match, match->of[i]);
		     f != FUNC_NONE; f = match->next[f])
			all++;
		sum = sum * 0x9e3779b97f4a7c15 + (all << 32 | match->of[i]);
	}
	return sum;
}

bool
match_update(struct match *match)
{
	struct state ours = state_of(match->ours);
	struct state theirs = state_of(match->theirs);
	bool is_theirs = !is_same_state(&theirs, &match->their_state);
	uint64_t before;

	if (!is_theirs && is_same_state(&ours, &match->our_state))
		return false;
	before = digest(match);
	lookup_fini(&match->lookup);
	match->nours = 0;
	reach(match);
	for (size_t i = 0; i < match->ntheirs; i++)
		if (match->of[i] != FUNC_NONE)
			match->of[i] = best_for(match, (func_id)i);
	match->our_state = state_of(match->ours);
	match->their_state = theirs;
	return is_theirs || digest(match) != before;
}
