/* SPDX-License-Identifier: MIT */
/*
 * maps_fuzz.c - any text read as /proc/PID/maps: a line that is accepted
 * means one thing, and the ranges stay sorted and apart.
 */
#include "core/maps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#define PATH_SIZE 256

/* M as the kernel would print it. */
static size_t
print(const struct mapping *m, char *line, size_t size)
{
	int len = snprintf(line, size, "%" PRIx64 "-%" PRIx64 " r%c%cp %" PRIx64
			   " %x:%x %" PRIu64 " ", m->start, m->end,
			   m->is_writable ? 'w' : '-',
			   m->is_executable ? 'x' : '-', m->file_offset,
			   major(m->dev), minor(m->dev), m->inode);

	for (const char *at = m->path; *at; at++)
		len += snprintf(line + len, size - (size_t)len,
				*at == '\n' ? "\\012" : "%c", *at);
	len += snprintf(line + len, size - (size_t)len, "%s",
			m->is_deleted ? " (deleted)" : "");
	return (size_t)len;
}

static void
check_printed(const struct mapping *m)
{
	char line[PATH_SIZE * 4 + 256], path[PATH_SIZE];
	struct mapping again;

	if (m->start >= m->end || strlen(m->path) >= PATH_SIZE)
		abort();
	if (!maps_parse_line(line, print(m, line, sizeof(line)), &again, path,
			     sizeof(path)))
		abort();
	if (again.start != m->start || again.end != m->end ||
	    again.file_offset != m->file_offset || again.dev != m->dev ||
	    again.inode != m->inode || strcmp(again.path, m->path) ||
	    again.is_executable != m->is_executable ||
	    again.is_writable != m->is_writable ||
	    again.is_deleted != m->is_deleted || again.kind != m->kind)
		abort();
}

static void
check_order(const struct maps *maps)
{
	for (size_t i = 0; i < maps_count(maps); i++) {
		const struct mapping *m = maps_at(maps, i);

		if (m->start >= m->end || maps_find(maps, m->start) != m ||
		    maps_find(maps, m->end - 1) != m)
			abort();
		if (i && m[-1].end > m->start)
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct maps *maps = maps_new();
	const char *at = (const char *)bytes, *end = at + len, *eol;
	char path[PATH_SIZE];
	struct mapping m;

	for (; at < end; at = eol + 1) {
		eol = memchr(at, '\n', (size_t)(end - at));
		if (!eol)
			eol = end;
		if (!maps_parse_line(at, (size_t)(eol - at), &m, path,
				     sizeof(path)))
			continue;
		check_printed(&m);
		maps_add(maps, &m);
		if (!maps_find(maps, m.start))
			abort();
	}
	check_order(maps);
	maps_free(maps);
	return 0;
}
