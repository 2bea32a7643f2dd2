/* SPDX-License-Identifier: MIT */
/*
 * perfmap.h - functions of a JIT, from the text it appends to a map file.
 *
 *	7f3e4c0002a0 1c0 JS:*fib /srv/app.js:1:13
 *	0x00007f3e4c0002a0 0x1c0 int Spin.f(int)
 *
 * START and SIZE in hexadecimal, "0x" or not, and a name to the end of the
 * line, of any bytes. The file grows while it is read, addresses are used
 * again (the later line is right), names hold newlines: what is no entry is
 * counted and skipped. Written by the target, so everything has a bound.
 */
#ifndef SYMBOLS_PERFMAP_H
#define SYMBOLS_PERFMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "symbols/versions.h"

#define PERFMAP_BYTES_MAX   ((uint64_t)256 << 20)
#define PERFMAP_ENTRIES_MAX ((size_t)4 << 20)
#define PERFMAP_LINE_MAX    ((size_t)64 << 10)

struct perfmap;

struct perfmap *perfmap_new(void);
void perfmap_free(struct perfmap *map);

/*
 * Take what FD (borrowed) has more than at the last call; all of it if it is
 * another file or was written anew. What could be read is kept on failure.
 */
bool perfmap_read(struct perfmap *map, int fd, struct error *err);

/*
 * The same from memory: the next LEN bytes of the file. A line that is not
 * complete waits for the next call. perfmap_settle() makes entries visible.
 */
void perfmap_feed(struct perfmap *map, const char *bytes, size_t len);
void perfmap_settle(struct perfmap *map);

/* By address in the process and version. Borrowed. */
struct versions *perfmap_versions(const struct perfmap *map);

size_t perfmap_entries(const struct perfmap *map);
size_t perfmap_junk(const struct perfmap *map);	/* lines that were skipped */

#endif
