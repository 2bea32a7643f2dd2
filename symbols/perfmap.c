/* SPDX-License-Identifier: MIT */
/*
 * perfmap.c - lines of a perf map to ranges.
 */
#include "symbols/perfmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/hexline.h"
#include "symbols/versions.h"

#define CHUNK	((size_t)256 << 10)
#define MARK_MAX 64

struct perfmap {
	struct versions *versions;
	size_t entries, junk;
	bool is_full;		/* a bound was hit: later lines are missing */

	char *line;		/* the beginning of a line, without its end */
	size_t line_len;
	bool is_too_long;	/* skipping to the end of a line */

	/* How far the file was read, and the last bytes before that. */
	dev_t dev;
	ino_t inode;
	uint64_t offset;
	char mark[MARK_MAX];
	size_t mark_len;
};

static void
start_anew(struct perfmap *map)
{
	versions_restart(map->versions);
	map->entries = map->junk = map->line_len = map->mark_len = 0;
	map->is_full = map->is_too_long = false;
	map->offset = 0;
}

struct perfmap *
perfmap_new(void)
{
	struct perfmap *map = xcalloc(1, sizeof(*map));

	map->line = xcalloc(PERFMAP_LINE_MAX, 1);
	map->versions = versions_new();
	return map;
}

void
perfmap_free(struct perfmap *map)
{
	if (!map)
		return;
	versions_free(map->versions);
	free(map->line);
	free(map);
}

/* A NUL would end the name early; no other byte means anything here. */
static bool
add_entry(struct perfmap *map, uint64_t start, uint64_t size, const char *name,
	  size_t len)
{
	uint32_t at;
	char *room;

	if (size > UINT64_MAX - start || !len)
		return false;
	room = map->entries < PERFMAP_ENTRIES_MAX
		       ? versions_room(map->versions, len, &at)
		       : NULL;
	if (!room) {
		map->is_full = true;
		return true;
	}
	memcpy(room, name, len);
	for (char *nul = room;
	     (nul = memchr(nul, '\0', len - (size_t)(nul - room)));)
		*nul = '?';
	versions_add(map->versions, start, start + size, at);
	map->entries++;
	return true;
}

static void
take_line(struct perfmap *map, const char *line, size_t len)
{
	const char *end = line + len;
	uint64_t start, size;

	if (len && end[-1] == '\r')
		end--;
	if (line == end)
		return;
	if (!hexline_number(&line, end, &start) ||
	    !hexline_number(&line, end, &size)) {
		map->junk++;
		return;
	}
	while (line < end && (*line == ' ' || *line == '\t'))
		line++;
	if (!add_entry(map, start, size, line, (size_t)(end - line)))
		map->junk++;
}

/* LEN more bytes of a line whose end has not come yet. */
static void
keep(struct perfmap *map, const char *bytes, size_t len)
{
	if (len > PERFMAP_LINE_MAX - map->line_len) {
		map->is_too_long = true;
		map->line_len = 0;
	}
	if (map->is_too_long)
		return;
	memcpy(map->line + map->line_len, bytes, len);
	map->line_len += len;
}

void
perfmap_feed(struct perfmap *map, const char *bytes, size_t len)
{
	const char *end = bytes + len, *newline;

	for (; bytes < end; bytes = newline + 1) {
		newline = memchr(bytes, '\n', (size_t)(end - bytes));
		if (newline && !map->line_len && !map->is_too_long &&
		    (size_t)(newline - bytes) <= PERFMAP_LINE_MAX) {
			take_line(map, bytes, (size_t)(newline - bytes));
			continue;
		}
		keep(map, bytes, (size_t)((newline ? newline : end) - bytes));
		if (!newline)
			return;
		if (map->is_too_long)
			map->junk++;
		else
			take_line(map, map->line, map->line_len);
		map->is_too_long = false;
		map->line_len = 0;
	}
}

void
perfmap_settle(struct perfmap *map)
{
	versions_settle(map->versions);
}

/* Is FD the file that was read before, with more at its end? */
static bool
is_continued(const struct perfmap *map, int fd, const struct stat *now)
{
	char mark[MARK_MAX];

	if (!map->offset || now->st_dev != map->dev ||
	    now->st_ino != map->inode || (uint64_t)now->st_size < map->offset)
		return false;
	return pread(fd, mark, map->mark_len,
		     (off_t)(map->offset - map->mark_len)) ==
		       (ssize_t)map->mark_len &&
	       !memcmp(mark, map->mark, map->mark_len);
}

static void
remember(struct perfmap *map, const char *bytes, size_t len)
{
	size_t take = len < MARK_MAX ? len : MARK_MAX;
	size_t old = MARK_MAX - take < map->mark_len ? MARK_MAX - take
						     : map->mark_len;

	memmove(map->mark, map->mark + map->mark_len - old, old);
	memcpy(map->mark + old, bytes + len - take, take);
	map->mark_len = old + take;
	map->offset += len;
}

static bool
read_growth(struct perfmap *map, int fd, struct error *err)
{
	char *chunk = xreallocarray(NULL, CHUNK, 1);
	ssize_t got = 0;

	while (map->offset < PERFMAP_BYTES_MAX && !map->is_full) {
		got = pread(fd, chunk, CHUNK, (off_t)map->offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		perfmap_feed(map, chunk, (size_t)got);
		remember(map, chunk, (size_t)got);
	}
	free(chunk);
	if (got < 0)
		return fail(err, errno, "cannot read the perf map");
	if (map->is_full || map->offset >= PERFMAP_BYTES_MAX)
		return fail(err, 0, "the perf map is too large: "
				    "names after %zu entries are missing",
			    map->entries);
	return true;
}

bool
perfmap_read(struct perfmap *map, int fd, struct error *err)
{
	struct stat now;
	bool ok;

	if (fstat(fd, &now))
		return fail(err, errno, "cannot look at the perf map");
	if (!S_ISREG(now.st_mode))
		return fail(err, 0, "the perf map is not a regular file");
	if (!is_continued(map, fd, &now)) {
		start_anew(map);
		map->dev = now.st_dev;
		map->inode = now.st_ino;
	}
	ok = read_growth(map, fd, err);
	perfmap_settle(map);
	return ok;
}

struct versions *
perfmap_versions(const struct perfmap *map)
{
	return map->versions;
}

size_t
perfmap_entries(const struct perfmap *map)
{
	return map->entries;
}

size_t
perfmap_junk(const struct perfmap *map)
{
	return map->junk;
}
