/* SPDX-License-Identifier: MIT */
/*
 * ranges.c - overlapping ranges to a sorted table without overlaps.
 */
#include "symbols/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "symbols/radix.h"

#define SIZE_MASK 0x7fffffffu
#define IS_TAIL	  0x80000000u
#define OPEN_SIZE 4096
#define SLACK_MAX ((size_t)4 << 20)

/*
 * NAME is an offset in the text, unless SIZE has IS_TAIL set: then the piece
 * is not the beginning of its range, and NAME is an index of tails.
 */
struct piece {
	uint64_t at;
	uint32_t size;
	uint32_t name;
};

struct tail {
	uint64_t start;		/* of the whole range */
	uint32_t name;
};

/* A range while it is settled. */
struct item {
	uint64_t at, end;
	uint64_t start;		/* differs from AT for an old tail */
	uint32_t name;
	uint32_t order;		/* the higher wins; 0 for what was settled */
};

struct ranges {
	struct piece *pieces;
	size_t npieces, pieces_cap;
	struct tail *tails;
	size_t ntails, tails_cap;
	/*
	 * By the upper bits of the address: how many pieces begin below. As
	 * many as there are pieces, so that what is left to search is a few.
	 */
	uint32_t *below;	/* NBUCKETS + 1; NULL without pieces */
	size_t nbuckets;
	unsigned shift;
	struct item *added;
	size_t nadded, added_cap;
	char *text;
	size_t text_len, text_cap;
};

struct ranges *
ranges_new(void)
{
	return xcalloc(1, sizeof(struct ranges));
}

void
ranges_free(struct ranges *ranges)
{
	if (!ranges)
		return;
	free(ranges->pieces);
	free(ranges->below);
	free(ranges->tails);
	free(ranges->added);
	free(ranges->text);
	free(ranges);
}

char *
ranges_room(struct ranges *ranges, size_t len, uint32_t *at)
{
	size_t want, slack;

	if (len >= RANGES_TEXT_MAX - ranges->text_len)
		return NULL;
	want = ranges->text_len + len + 1;
	if (want > ranges->text_cap) {
		slack = want / 4 < SLACK_MAX ? want / 4 : SLACK_MAX;
		ranges->text_cap = want + slack;
		ranges->text = xreallocarray(ranges->text, ranges->text_cap, 1);
	}
	*at = (uint32_t)ranges->text_len;
	ranges->text_len = want;
	ranges->text[want - 1] = '\0';
	return ranges->text + *at;
}

bool
ranges_name(struct ranges *ranges, const char *name, size_t len, uint32_t *at)
{
	char *room = ranges_room(ranges, len, at);

	if (!room)
		return false;
	memcpy(room, name, len);
	return true;
}

const char *
ranges_text(const struct ranges *ranges, uint32_t at)
{
	return at < ranges->text_len ? ranges->text + at : "";
}

void
ranges_add(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t name)
{
	if (end < start)
		return;
	if (end - start > SIZE_MASK)
		end = start + SIZE_MASK;
	ranges->added = grow(ranges->added, ranges->nadded, &ranges->added_cap,
			     sizeof(*ranges->added));
	ranges->added[ranges->nadded] = (struct item){
		.at = start,
		.end = end,
		.start = start,
		.name = name,
		.order = (uint32_t)ranges->nadded + 1,
	};
	ranges->nadded++;
}

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

static struct item
item_of(const struct ranges *ranges, const struct piece *piece)
{
	struct item item = {
		.at = piece->at,
		.end = piece->at + (piece->size & SIZE_MASK),
		.start = piece->at,
		.name = piece->name,
	};

	if (piece->size & IS_TAIL) {
		item.start = ranges->tails[piece->name].start;
		item.name = ranges->tails[piece->name].name;
	}
	return item;
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

		items[i] = is_old ? item_of(ranges, &ranges->pieces[old++])
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
		piece.size |= IS_TAIL;
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

/* The number of pieces that begin at or below ADDR. */
static size_t
pieces_below(const struct ranges *ranges, uint64_t addr)
{
	size_t low = 0, high = ranges->npieces, bucket;

	if (!high || addr < ranges->pieces[0].at)
		return 0;
	if (ranges->below) {
		bucket = (size_t)((addr - ranges->pieces[0].at) >>
				  ranges->shift);
		if (bucket >= ranges->nbuckets)
			return high;
		low = ranges->below[bucket];
		high = ranges->below[bucket + 1];
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->pieces[middle].at <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct piece *
covering(const struct ranges *ranges, uint64_t addr)
{
	size_t below = pieces_below(ranges, addr);
	const struct piece *piece;

	if (!below)
		return NULL;
	piece = &ranges->pieces[below - 1];
	return addr - piece->at < (piece->size & SIZE_MASK) ? piece : NULL;
}

bool
ranges_lookup(const struct ranges *ranges, uint64_t addr, uint64_t *start,
	      uint32_t *name)
{
	const struct piece *piece = covering(ranges, addr);
	struct item item;

	if (!piece)
		return false;
	item = item_of(ranges, piece);
	*start = item.start;
	*name = item.name;
	return true;
}

const char *
ranges_find(const struct ranges *ranges, uint64_t addr, uint64_t *start)
{
	uint32_t name;

	if (!ranges_lookup(ranges, addr, start, &name))
		return NULL;
	return ranges_text(ranges, name);
}

uint64_t
ranges_next(const struct ranges *ranges, uint64_t addr)
{
	size_t below = pieces_below(ranges, addr);

	return below < ranges->npieces ? ranges->pieces[below].at : UINT64_MAX;
}

uint64_t
ranges_end(const struct ranges *ranges, uint64_t addr)
{
	const struct piece *piece = covering(ranges, addr);

	return piece ? piece->at + (piece->size & SIZE_MASK) : UINT64_MAX;
}

size_t
ranges_count(const struct ranges *ranges)
{
	return ranges->npieces;
}

size_t
ranges_bytes(const struct ranges *ranges)
{
	return ranges->pieces_cap * sizeof(*ranges->pieces) +
	       ranges->tails_cap * sizeof(*ranges->tails) +
	       ranges->added_cap * sizeof(*ranges->added) +
	       (ranges->below ? ranges->nbuckets + 1 : 0) *
		       sizeof(*ranges->below) +
	       ranges->text_cap;
}
