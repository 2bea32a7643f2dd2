/* SPDX-License-Identifier: MIT */
/*
 * slots.c - one small table of counts for each stretch of time.
 *
 * A slot that is written to has a lookup beside its counts. Only the newest
 * few and the one that old slots are merged into keep theirs: a lookup is
 * half as large again as the counts.
 */
#include "core/slots.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/lookup.h"

#define SECOND UINT64_C(1000000000)
#define HOUR (3600 * SECOND)
#define DAY (24 * HOUR)
#define FOREVER UINT64_MAX	/* width of the slot for everything older */
#define OPEN_SLOTS 4		/* newest slots that keep their lookup */

struct count {
	uint32_t stack;
	uint32_t thread_and_kind;
	uint64_t weight;
};

struct slot {
	uint64_t start, width;
	struct count *counts;
	size_t count, capacity;
	struct lookup lookup;	/* empty: closed */
};

struct slots {
	struct slot *slots;	/* by start */
	size_t count, capacity;
	size_t bytes, bound;
};

struct slots *
slots_new(size_t bound)
{
	struct slots *slots = xcalloc(1, sizeof(*slots));

	slots->bound = bound;
	return slots;
}

static size_t
slot_bytes(const struct slot *slot)
{
	return sizeof(*slot) + slot->capacity * sizeof(*slot->counts) +
	       lookup_bytes(&slot->lookup);
}

static void
slot_fini(struct slot *slot)
{
	lookup_fini(&slot->lookup);
	free(slot->counts);
}

static void
clear(struct slots *slots)
{
	for (size_t i = 0; i < slots->count; i++)
		slot_fini(&slots->slots[i]);
	slots->count = 0;
	slots->bytes = 0;
}

void
slots_free(struct slots *slots)
{
	if (!slots)
		return;
	clear(slots);
	free(slots->slots);
	free(slots);
}

void
slots_set_bound(struct slots *slots, size_t bytes)
{
	slots->bound = bytes;
}

static struct count
count_of(const struct cell *cell)
{
	return (struct count){
		.stack = cell->stack,
		.thread_and_kind =
			cell->thread * KIND_COUNT + (uint32_t)cell->kind,
		.weight = cell->weight,
	};
}

static struct cell
cell_of(const struct slot *slot, const struct count *count)
{
	return (struct cell){
		.stack = count->stack,
		.thread = count->thread_and_kind / KIND_COUNT,
		.kind = (enum kind)(count->thread_and_kind % KIND_COUNT),
		.weight = count->weight,
		.time_ns = slot->start,
	};
}

static uint32_t
hash_count(const struct count *count)
{
	return hash_words(count->stack, count->thread_and_kind);
}

static bool
is_same(const void *owner, uint32_t id, const void *key)
{
	const struct count *mine = &((const struct slot *)owner)->counts[id];
	const struct count *wanted = key;

	return mine->stack == wanted->stack &&
	       mine->thread_and_kind == wanted->thread_and_kind;
}

static void
slot_open(struct slot *slot)
{
	if (slot->lookup.count == slot->count)
		return;
	for (size_t i = 0; i < slot->count; i++)
		lookup_add(&slot->lookup, hash_count(&slot->counts[i]),
			   (uint32_t)i);
}

static void
slot_close(struct slot *slot)
{
	if (!slot->lookup.capacity)
		return;
	lookup_fini(&slot->lookup);
	slot->counts = xreallocarray(slot->counts, slot->count,
				     sizeof(*slot->counts));
	slot->capacity = slot->count;
}

static void
slot_add(struct slot *slot, const struct count *new)
{
	uint32_t hash = hash_count(new), id;

	slot_open(slot);
	id = lookup_find(&slot->lookup, hash, is_same, slot, new);
	if (id != LOOKUP_NONE) {
		slot->counts[id].weight =
			add_saturating(slot->counts[id].weight, new->weight);
		return;
	}
	slot->counts = grow(slot->counts, slot->count, &slot->capacity,
			    sizeof(*slot->counts));
	slot->counts[slot->count] = *new;
	lookup_add(&slot->lookup, hash, (uint32_t)slot->count++);
}

/* Merge slot I into the one before it. */
static void
merge(struct slots *slots, size_t i)
{
	struct slot *from = &slots->slots[i], *into = from - 1;

	slots->bytes -= slot_bytes(from) + slot_bytes(into);
	for (size_t k = 0; k < from->count; k++)
		slot_add(into, &from->counts[k]);
	slots->bytes += slot_bytes(into);
	slot_fini(from);
	memmove(from, from + 1, (slots->count - i - 1) * sizeof(*from));
	slots->count--;
}

static void
widen(struct slot *slot, uint64_t width)
{
	slot->width = width;
	if (width != FOREVER)
		slot->start -= slot->start % width;
}

static bool
covers(const struct slot *slot, uint64_t time_ns)
{
	return time_ns >= slot->start && time_ns - slot->start < slot->width;
}

static uint64_t
width_at_age(uint64_t age)
{
	return age > DAY ? FOREVER : age > HOUR ? 10 * SECOND : SECOND;
}

/*
 * Give old slots the width of their age, and then make room. Returns the
 * slot that the last merge went into.
 */
static size_t
age(struct slots *slots, uint64_t now)
{
	size_t merged = 0;
	uint64_t width;

	for (size_t i = 0; i < slots->count; i++) {
		struct slot *slot = &slots->slots[i];

		width = width_at_age(now - slot->start);
		if (slot->start > now || width == SECOND)
			break;
		if (slot->width >= width)
			continue;
		if (i && slot[-1].width == width &&
		    covers(slot - 1, slot->start)) {
			merged = i - 1;
			merge(slots, i--);
		} else {
			widen(slot, width);
		}
	}
	while (slots->bytes > slots->bound && slots->count > 1) {
		slots->slots[0].width = FOREVER;
		merge(slots, 1);
		merged = 0;
	}
	return merged;
}

static void
close_old(struct slots *slots, size_t except)
{
	for (size_t i = 0; i + OPEN_SLOTS < slots->count; i++) {
		struct slot *slot = &slots->slots[i];

		if (i == except || !slot->lookup.capacity)
			continue;
		slots->bytes -= slot_bytes(slot);
		slot_close(slot);
		slots->bytes += slot_bytes(slot);
	}
}

/* How many slots start at TIME_NS or before. */
static size_t
slots_until(const struct slots *slots, uint64_t time_ns)
{
	size_t low = 0, high = slots->count;

	if (high && slots->slots[high - 1].start <= time_ns)
		return high;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (slots->slots[middle].start <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The slot that covers TIME_NS, made if there is none. */
static struct slot *
slot_at(struct slots *slots, uint64_t time_ns)
{
	size_t i = slots_until(slots, time_ns);
	struct slot *slot;

	if (i && covers(&slots->slots[i - 1], time_ns))
		return &slots->slots[i - 1];
	if (i == slots->count) {
		close_old(slots, age(slots, time_ns));
		i = slots->count;
	}
	slots->slots = grow(slots->slots, slots->count, &slots->capacity,
			    sizeof(*slots->slots));
	slot = &slots->slots[i];
	memmove(slot + 1, slot, (slots->count - i) * sizeof(*slot));
	slots->count++;
	*slot = (struct slot){ .start = time_ns - time_ns % SECOND,
			       .width = SECOND };
	slots->bytes += slot_bytes(slot);
	return slot;
}

void
slots_add(struct slots *slots, uint64_t time_ns, const struct cell *cell)
{
	struct count count = count_of(cell);
	struct slot *slot = slot_at(slots, time_ns);

	/* Merging has not helped: there are too many different counts. */
	if (slots->bytes > slots->bound + slots->bound / 8)
		count.thread_and_kind = (uint32_t)cell->kind;
	slots->bytes -= slot_bytes(slot);
	slot_add(slot, &count);
	slots->bytes += slot_bytes(slot);
}

/* Where slot I ends: at its width, or where the next one begins. */
static uint64_t
end_of(const struct slots *slots, size_t i)
{
	const struct slot *slot = &slots->slots[i];
	uint64_t end = add_saturating(slot->start, slot->width);

	if (i + 1 < slots->count && slot[1].start < end)
		return slot[1].start;
	return end;
}

void
slots_each(const struct slots *slots, uint64_t from_ns, uint64_t to_ns,
	   cell_fn fn, void *ctx)
{
	for (size_t i = 0; i < slots->count; i++) {
		const struct slot *slot = &slots->slots[i];

		if (slot->start >= to_ns)
			break;
		if (end_of(slots, i) <= from_ns)
			continue;
		for (size_t k = 0; k < slot->count; k++) {
			struct cell cell = cell_of(slot, &slot->counts[k]);

			fn(ctx, &cell);
		}
	}
}

void
slots_take(struct slots *dst, struct slots *src, cell_fn fn, void *ctx)
{
	for (size_t i = 0; i < src->count; i++) {
		const struct slot *slot = &src->slots[i];

		for (size_t k = 0; k < slot->count; k++) {
			struct cell cell = cell_of(slot, &slot->counts[k]);

			slots_add(dst, slot->start, &cell);
			if (fn)
				fn(ctx, &cell);
		}
	}
	clear(src);
}

size_t
slots_count(const struct slots *slots)
{
	return slots->count;
}

size_t
slots_cells(const struct slots *slots)
{
	size_t cells = 0;

	for (size_t i = 0; i < slots->count; i++)
		cells += slots->slots[i].count;
	return cells;
}

size_t
slots_bytes(const struct slots *slots)
{
	return slots->bytes;
}
