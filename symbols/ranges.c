/* SPDX-License-Identifier: MIT */
/*
 * ranges.c - names, and the piece that an address lies in.
 */
#include "symbols/ranges_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define SLACK_MAX ((size_t)4 << 20)

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
	if (end - start > RANGES_SIZE_MASK)
		end = start + RANGES_SIZE_MASK;
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

struct item
ranges_item(const struct ranges *ranges, const struct piece *piece)
{
	struct item item = {
		.at = piece->at,
		.end = piece->at + piece_size(piece),
		.start = piece->at,
		.name = piece->name,
	};

	if (piece->size & RANGES_IS_TAIL) {
		item.start = ranges->tails[piece->name].start;
		item.name = ranges->tails[piece->name].name;
	}
	return item;
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
	return addr - piece->at < piece_size(piece) ? piece : NULL;
}

bool
ranges_lookup(const struct ranges *ranges, uint64_t addr, uint64_t *start,
	      uint32_t *name)
{
	const struct piece *piece = covering(ranges, addr);
	struct item item;

	if (!piece)
		return false;
	item = ranges_item(ranges, piece);
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

	return piece ? piece->at + piece_size(piece) : UINT64_MAX;
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
