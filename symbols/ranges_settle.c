/* SPDX-License-Identifier: MIT */
/*
 * ranges_settle.c - overlapping ranges to a sorted table without overlaps.
 */
#include "symbols/ranges_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "symbols/radix.h"

#define OPEN_SIZE 4096

/* Does B belong behind A? What was added later goes last. */
static bool
in_order(const struct item *a, const struct item *b)
{
	return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void
sort_added(struct ranges *ranges)
{
	size_t n = ranges->nadded, i = 1;
	struct radix_key *keys;
	struct item *sorted;

	while (i < n && in_order(&ranges->added[i - 1], &ranges->added[i]))
		i++;
	if (i >= n)
		return;
	keys = xreallocarray(NULL, n, sizeof(*keys));
	sorted = xreallocarray(NULL, n, sizeof(*sorted));
	for (i = 0; i < n; i++)
		keys[i] = (struct radix_key){ ranges->added[i].at,
					      (uint32_t)i };
	radix_sort(keys, n);
	for (i = 0; i < n; i++)
		sorted[i] = ranges->added[keys[i].index];
	free(keys);
	free(ranges->added);
	ranges->added = sorted;
	ranges->added_cap = n;
}

/*
 * Old pieces and what was added, in one sorted array of *COUNT items that the
 * caller frees.
 */
static struct item *
merge(struct ranges *ranges, size_t *count)
{
	size_t npieces = ranges->npieces, nadded = ranges->nadded;
	size_t old = 0, new = 0;
	struct item *added, *items;

	sort_added(ranges);
	added = ranges->added;
	ranges->added = NULL;
	ranges->nadded = ranges->added_cap = 0;
	*count = npieces + nadded;
	if (!npieces)
		return added;
	items = xreallocarray(NULL, *count, sizeof(*items));
	for (size_t i = 0; i < *count; i++) {
		bool is_old = new == nadded ||
			      (old < npieces &&
			       ranges->pieces[old].at <= added[new].at);

		items[i] = is_old ? ranges_item(ranges, &ranges->pieces[old++])
				  : added[new++];
	}
	free(added);
	return items;
}

static void
close_open_ends(struct item *items, size_t n)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = n; i-- > 0;) {
		struct item *item = &items[i];

		if (i + 1 < n && items[i + 1].at > item->at)
			next = items[i + 1].at;
		if (item->end > item->at)
			continue;
		item->end = next;
		if (next - item->at > OPEN_SIZE)
			item->end = item->at > UINT64_MAX - OPEN_SIZE
					    ? UINT64_MAX
					    : item->at + OPEN_SIZE;
	}
}

/*
 * Of ranges with one start only those are needed that reach further than all
 * that were added later. A JIT that uses its memory again and again writes
 * hundreds of them. Returns how many of the N are left.
 */
static size_t
drop_covered(struct item *items, size_t n)
{
	size_t left = n;
	uint64_t reach = 0;

	for (size_t i = n; i-- > 0;) {
		bool is_last = i + 1 == n || items[i + 1].at != items[i].at;

		if (!is_last && items[i].end <= reach)
			continue;
		if (is_last || items[i].end > reach)
			reach = items[i].end;
		items[--left] = items[i];
	}
	memmove(items, items + left, (n - left) * sizeof(*items));
	return n - left;
}

static void
append(struct ranges *ranges, const struct item *item, uint64_t at,
       uint64_t end)
{
	struct piece piece = {
		.at = at,
		.size = (uint32_t)(end - at),
		.name = item->name,
	};

	if (at != item->start) {
		ranges->tails = grow(ranges->tails, ranges->ntails,
				     &ranges->tails_cap,
				     sizeof(*ranges->tails));
		ranges->tails[ranges->ntails] = (struct tail){
			.start = item->start,
			.name = item->name,
		};
		piece.name = (uint32_t)ranges->ntails++;
		piece.size |= RANGES_IS_TAIL;
	}
	ranges->pieces = grow(ranges->pieces, ranges->npieces,
			      &ranges->pieces_cap, sizeof(*ranges->pieces));
	ranges->pieces[ranges->npieces++] = piece;
}

/* A heap of indices of items, the highest order on top. */
struct heap {
	uint32_t *at;
	size_t count, capacity;
};

static void
heap_push(struct heap *heap, const struct item *items, uint32_t value)
{
	size_t i = heap->count;

	heap->at = grow(heap->at, heap->count, &heap->capacity,
			sizeof(*heap->at));
	heap->count++;
	while (i > 0) {
		size_t up = (i - 1) / 2;

		if (items[heap->at[up]].order >= items[value].order)
			break;
		heap->at[i] = heap->at[up];
		i = up;
	}
	heap->at[i] = value;
}

static void
heap_pop(struct heap *heap, const struct item *items)
{
	uint32_t value = heap->at[--heap->count];
	size_t i = 0;

	for (;;) {
		size_t down = 2 * i + 1;

		if (down >= heap->count)
			break;
		if (down + 1 < heap->count &&
		    items[heap->at[down + 1]].order >
			    items[heap->at[down]].order)
			down++;
		if (items[value].order >= items[heap->at[down]].order)
			break;
		heap->at[i] = heap->at[down];
		i = down;
	}
	heap->at[i] = value;
}

/* Most ranges overlap nothing. */
static bool
stands_alone(const struct item *item, const struct item *end)
{
	return item + 1 == end || item->end <= item[1].at;
}

/*
 * Go over the starts from left to right. HEAP holds the ranges that have
 * begun; whichever of them is on top rules until it ends or another begins.
 */
static void
sweep(struct ranges *ranges, const struct item *items, size_t n)
{
	struct heap heap = { 0 };
	uint64_t cursor = 0, from = 0;
	uint32_t ruler = UINT32_MAX;	/* of [FROM, CURSOR), not written yet */
	size_t i = 0;

	while (i < n || heap.count) {
		if (!heap.count && stands_alone(&items[i], items + n)) {
			append(ranges, &items[i], items[i].at, items[i].end);
			i++;
			continue;
		}
		if (!heap.count && items[i].at > cursor)
			cursor = items[i].at;
		while (i < n && items[i].at <= cursor)
			heap_push(&heap, items, (uint32_t)i++);
		while (heap.count && items[heap.at[0]].end <= cursor)
			heap_pop(&heap, items);
		if (ruler != UINT32_MAX &&
		    (!heap.count || heap.at[0] != ruler)) {
			uint64_t end = items[ruler].end;

			append(ranges, &items[ruler], from,
			       end < cursor ? end : cursor);
			ruler = UINT32_MAX;
		}
		if (!heap.count)
			continue;
		if (ruler == UINT32_MAX) {
			ruler = heap.at[0];
			from = cursor;
		}
		cursor = items[ruler].end;
		if (i < n && items[i].at < cursor)
			cursor = items[i].at;
	}
	if (ruler != UINT32_MAX)
		append(ranges, &items[ruler], from, cursor);
	free(heap.at);
}

static void
fill_buckets(struct ranges *ranges)
{
	const struct piece *pieces = ranges->pieces;
	size_t n = ranges->npieces, at = 0;
	uint64_t span = n ? pieces[n - 1].at - pieces[0].at : 0;

	free(ranges->below);
	ranges->below = NULL;
	if (!n || n > UINT32_MAX)
		return;
	ranges->shift = 0;
	while (span >> ranges->shift > n)
		ranges->shift++;
	ranges->nbuckets = (size_t)(span >> ranges->shift) + 1;
	ranges->below = xcalloc(ranges->nbuckets + 1, sizeof(*ranges->below));
	for (size_t i = 0; i <= ranges->nbuckets; i++) {
		while (at < n &&
		       (pieces[at].at - pieces[0].at) >> ranges->shift < i)
			at++;
		ranges->below[i] = (uint32_t)at;
	}
}

void
ranges_settle(struct ranges *ranges)
{
	struct item *items;
	size_t n;

	if (!ranges->nadded)
		return;
	items = merge(ranges, &n);
	close_open_ends(items, n);
	n = drop_covered(items, n);
	free(ranges->pieces);
	ranges->pieces = xreallocarray(NULL, n, sizeof(*ranges->pieces));
	ranges->pieces_cap = n;
	ranges->npieces = ranges->ntails = 0;
	sweep(ranges, items, n);
	free(items);
	fill_buckets(ranges);
}
