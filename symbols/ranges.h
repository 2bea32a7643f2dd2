/* SPDX-License-Identifier: MIT */
/*
 * ranges.h - which named range of code an address lies in.
 *
 * Ranges may be added in any order and overlap: where they do, the one added
 * later wins. ranges_settle() cuts them into sorted pieces that do not
 * overlap, so a lookup is one binary search over 16 bytes a function.
 *
 *	added		outer |--------------------|
 *			inner        |-----|
 *	settled		outer |------|inner|-------| still outer's
 *
 * Names are bytes in one buffer that the table owns.
 */
#ifndef SYMBOLS_RANGES_H
#define SYMBOLS_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ranges;

struct ranges *ranges_new(void);
void ranges_free(struct ranges *ranges);

/* Most bytes of names in one table. */
#define RANGES_TEXT_MAX ((size_t)1 << 30)

/*
 * Room for LEN bytes of names, to be filled by the caller before the next
 * call; a NUL follows them. *AT is where they are. NULL: too many.
 */
char *ranges_room(struct ranges *ranges, size_t len, uint32_t *at);

/* Copy a name of LEN bytes (no NUL inside) to *AT. */
bool ranges_name(struct ranges *ranges, const char *name, size_t len,
		 uint32_t *at);

/* What is at AT; up to the next NUL. Borrowed until more is added. */
const char *ranges_text(const struct ranges *ranges, uint32_t at);

/*
 * Add [START, END). END = START means that the end is not known: it reaches
 * to the next range, but no further than 4 KiB. More than 2 GiB is cut.
 */
void ranges_add(struct ranges *ranges, uint64_t start, uint64_t end,
		uint32_t name);

/* Make what was added visible to the calls below. May be called again. */
void ranges_settle(struct ranges *ranges);

/*
 * The name at ADDR, and where its range begins; NULL in a gap. Borrowed until
 * more is added.
 */
const char *ranges_find(const struct ranges *ranges, uint64_t addr,
			uint64_t *start);

/* The same without text: NAME is what ranges_add() was given. */
bool ranges_lookup(const struct ranges *ranges, uint64_t addr, uint64_t *start,
		   uint32_t *name);

/* First start above ADDR, and end of what covers ADDR; else UINT64_MAX. */
uint64_t ranges_next(const struct ranges *ranges, uint64_t addr);
uint64_t ranges_end(const struct ranges *ranges, uint64_t addr);

size_t ranges_count(const struct ranges *ranges);	/* settled pieces */
size_t ranges_bytes(const struct ranges *ranges);	/* memory in use */

#endif
