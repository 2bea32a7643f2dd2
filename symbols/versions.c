/* SPDX-License-Identifier: MIT */
/*
 * versions.c - two layers, and what they have covered.
 */
#include "symbols/versions.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "symbols/ranges.h"

#define ADDR_MASK (((uint64_t)1 << VERSION_SHIFT) - 1)
#define FRESH_MIN 4096		/* entries of the new layer in any case */
#define ASKED_MAX ((size_t)1 << 20)
#define FORMERS_MAX 4096	/* the oldest are forgotten */
#define OPEN_SIZE 4096		/* of an open entry, at most */

struct entry {
	uint64_t start, end;
	uint32_t name;
};

/* Up to version UNTIL this part of a function had another name. */
struct former {
	uint64_t low, high, start;
	uint32_t name, until;
};

struct layers {
	struct ranges *old;	/* has the text for both */
	struct ranges *fresh;	/* wins */
};

struct versions {
	struct layers known;
	struct layers past;	/* before a restart; NULL: there was none */
	struct entry *recent;	/* what FRESH is made of, and then the batch */
	size_t nrecent, recent_capacity;
	size_t settled;		/* of RECENT, so many are in FRESH */
	bool is_begun;		/* the first batch has been settled */
	uint64_t *asked;	/* addresses that were found */
	size_t nasked, asked_capacity, nsorted;
	struct former *formers;	/* UNTIL ascends */
	size_t nformers, formers_capacity;
	uint32_t now;
};

static void
layers_init(struct layers *layers)
{
	layers->old = ranges_new();
	layers->fresh = ranges_new();
}

static void
layers_fini(struct layers *layers)
{
	ranges_free(layers->old);
	ranges_free(layers->fresh);
	layers->old = layers->fresh = NULL;
}

struct versions *
versions_new(void)
{
	struct versions *v = xcalloc(1, sizeof(*v));

	layers_init(&v->known);
	return v;
}

void
versions_free(struct versions *v)
{
	if (!v)
		return;
	layers_fini(&v->known);
	layers_fini(&v->past);
	free(v->recent);
	free(v->asked);
	free(v->formers);
	free(v);
}

char *
versions_room(struct versions *v, size_t len, uint32_t *at)
{
	return ranges_room(v->known.old, len, at);
}

/* Where an open entry at START has to end: it may not cover what is there. */
static uint64_t
end_of_open(const struct versions *v, uint64_t start)
{
	uint64_t end = start > UINT64_MAX - OPEN_SIZE ? UINT64_MAX
						      : start + OPEN_SIZE;
	uint64_t old = ranges_next(v->known.old, start);
	uint64_t fresh = ranges_next(v->known.fresh, start);

	end = old < end ? old : end;
	return fresh < end ? fresh : end;
}

void
versions_add(struct versions *v, uint64_t start, uint64_t end, uint32_t name)
{
	if (!v->is_begun) {
		ranges_add(v->known.old, start, end, name);
		return;
	}
	if (end == start)
		end = end_of_open(v, start);
	v->recent = grow(v->recent, v->nrecent, &v->recent_capacity,
			 sizeof(*v->recent));
	v->recent[v->nrecent++] = (struct entry){ start, end, name };
}

/* --- what was asked for and has been covered */

static int
by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void
sort_asked(struct versions *v)
{
	size_t n = 0;

	if (v->nsorted == v->nasked)
		return;
	qsort(v->asked, v->nasked, sizeof(*v->asked), by_address);
	for (size_t i = 0; i < v->nasked; i++)
		if (!n || v->asked[i] != v->asked[n - 1])
			v->asked[n++] = v->asked[i];
	v->nasked = v->nsorted = n;
}

static size_t
first_asked(const struct versions *v, uint64_t addr)
{
	size_t low = 0, high = v->nasked;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (v->asked[middle] < addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
look(const struct layers *layers, uint64_t addr, struct former *out)
{
	const struct ranges *layer = layers->fresh;

	if (!ranges_lookup(layer, addr, &out->start, &out->name)) {
		layer = layers->old;
		if (!ranges_lookup(layer, addr, &out->start, &out->name))
			return false;
	}
	out->high = ranges_end(layer, addr);
	return true;
}

/* An address that the batch covers, and what is there so far. */
struct covered {
	uint64_t addr;
	struct former was;
};

struct coverage {
	struct covered *list;
	size_t count, capacity;
};

/* The first address at or behind K that is not noted; NEXT is shortened. */
static size_t
next_free(size_t *next, size_t k)
{
	size_t end = k;

	while (next[end] != end)
		end = next[end];
	while (next[k] != end) {
		size_t after = next[k];

		next[k] = end;
		k = after;
	}
	return end;
}

static void
note(const struct layers *layers, uint64_t addr, struct coverage *all)
{
	struct covered new = { .addr = addr };

	if (!look(layers, addr, &new.was))
		return;
	all->list = grow(all->list, all->count, &all->capacity, sizeof(new));
	all->list[all->count++] = new;
}

/* Each address once, although many entries may cover it. */
static void
note_covered(const struct versions *v, struct coverage *all)
{
	size_t *next = xreallocarray(NULL, v->nasked + 1, sizeof(*next));

	for (size_t k = 0; k <= v->nasked; k++)
		next[k] = k;
	for (size_t i = v->settled; i < v->nrecent; i++) {
		const struct entry *e = &v->recent[i];
		size_t k = next_free(next, first_asked(v, e->start));

		while (k < v->nasked && v->asked[k] < e->end) {
			note(&v->known, v->asked[k], all);
			next[k] = k + 1;
			k = next_free(next, k);
		}
	}
	free(next);
}

static void
remember(struct versions *v, const struct former *former)
{
	if (v->nformers == FORMERS_MAX) {
		v->nformers /= 2;
		memmove(v->formers, v->formers + v->nformers,
			v->nformers * sizeof(*former));
	}
	v->formers = grow(v->formers, v->nformers, &v->formers_capacity,
			  sizeof(*former));
	v->formers[v->nformers++] = *former;
}

/* TEXT holds the names of ALL. */
static void
compare_covered(struct versions *v, const struct coverage *all,
		const struct ranges *text)
{
	bool is_changed = false;

	for (size_t i = 0; i < all->count; i++) {
		struct former was = all->list[i].was, is;
		const char *name = ranges_text(text, was.name);
		bool is_there = look(&v->known, all->list[i].addr, &is);

		if (is_there && is.start == was.start &&
		    !strcmp(name, ranges_text(v->known.old, is.name)))
			continue;
		was.low = was.start;
		if (is_there) {
			was.low = is.start > was.low ? is.start : was.low;
			was.high = was.high < is.high ? was.high : is.high;
		}
		was.until = v->now;
		if (text != v->known.old &&
		    !ranges_name(v->known.old, name, strlen(name), &was.name))
			continue;
		is_changed = true;
		remember(v, &was);
	}
	if (is_changed && v->now < VERSION_MAX)
		v->now++;
}

/* --- settling */

static void
add_all(struct versions *v, struct ranges *layer, size_t first)
{
	for (size_t i = first; i < v->nrecent; i++)
		ranges_add(layer, v->recent[i].start, v->recent[i].end,
			   v->recent[i].name);
	ranges_settle(layer);
}

static void
settle_batch(struct versions *v)
{
	if (!v->is_begun) {
		ranges_settle(v->known.old);
	} else if (v->nrecent > FRESH_MIN + ranges_count(v->known.old) / 4) {
		add_all(v, v->known.old, 0);
		ranges_free(v->known.fresh);
		v->known.fresh = ranges_new();
		v->nrecent = 0;
	} else {
		add_all(v, v->known.fresh, v->settled);
	}
	v->settled = v->nrecent;
	v->is_begun = true;
}

/* Names of former code go over into the new text. */
static void
move_formers(struct versions *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->nformers; i++) {
		struct former *former = &v->formers[i];
		const char *name = ranges_text(v->past.old, former->name);

		if (ranges_name(v->known.old, name, strlen(name),
				&former->name))
			v->formers[n++] = *former;
	}
	v->nformers = n;
}

void
versions_restart(struct versions *v)
{
	if (!v->is_begun)
		return;
	v->past = v->known;
	layers_init(&v->known);
	move_formers(v);
	v->nrecent = v->settled = 0;
	v->is_begun = false;
}

void
versions_settle(struct versions *v)
{
	const struct layers *before = v->past.old ? &v->past : &v->known;
	struct coverage covered = { 0 };

	sort_asked(v);
	if (v->past.old)
		for (size_t k = 0; k < v->nasked; k++)
			note(&v->past, v->asked[k], &covered);
	else if (v->nasked)
		note_covered(v, &covered);
	settle_batch(v);
	compare_covered(v, &covered, before->old);
	layers_fini(&v->past);
	free(covered.list);
}

uint32_t
versions_now(const struct versions *v)
{
	return v->now;
}

void
versions_raise(struct versions *v, uint32_t version)
{
	if (version > v->now)
		v->now = version;
}

/* --- finding */

static bool
was_at(const struct former *former, uint64_t addr)
{
	return addr >= former->low && addr < former->high;
}

/* The version that what is at ADDR came with, looking at N formers. */
static uint64_t
born(const struct versions *v, uint64_t addr, size_t n)
{
	while (n-- > 0)
		if (was_at(&v->formers[n], addr))
			return (uint64_t)v->formers[n].until + 1;
	return 0;
}

static void
note_asked(struct versions *v, uint64_t addr)
{
	if (v->nasked == ASKED_MAX)
		return;
	v->asked = grow(v->asked, v->nasked, &v->asked_capacity,
			sizeof(*v->asked));
	v->asked[v->nasked++] = addr;
}

const char *
versions_find(struct versions *v, uint64_t offset, uint64_t *start,
	      uint32_t *name)
{
	uint64_t addr = offset & ADDR_MASK, version = offset >> VERSION_SHIFT;
	struct former found;
	size_t i = 0;

	while (i < v->nformers && (v->formers[i].until < version ||
				   !was_at(&v->formers[i], addr)))
		i++;
	if (i < v->nformers) {
		found = v->formers[i];
	} else if (look(&v->known, addr, &found)) {
		note_asked(v, addr);
	} else {
		return NULL;
	}
	*start = found.start | born(v, addr, i) << VERSION_SHIFT;
	*name = found.name;
	return ranges_text(v->known.old, found.name);
}
