/* SPDX-License-Identifier: MIT */
/*
 * maps_parse.c - a line of /proc/PID/maps (proc(5)) to a mapping.
 *
 *	55d8c1000000-55d8c1021000 r-xp 00002000 fd:01 1574   /usr/bin/redis
 */
#include "core/maps.h"

#include <string.h>
#include <sys/sysmacros.h>

#include "core/base.h"

struct cursor {
	const char *at, *end;
	bool failed;
};

/* The byte that comes next; NUL at the end. */
static char
peek(const struct cursor *c)
{
	return c->at < c->end ? *c->at : '\0';
}

static void
expect(struct cursor *c, char wanted)
{
	if (peek(c) != wanted)
		c->failed = true;
	else
		c->at++;
}

static int
digit_of(char byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	if (byte >= 'a' && byte <= 'f')
		return byte - 'a' + 10;
	return 16;
}

static uint64_t
number(struct cursor *c, unsigned base)
{
	const char *start = c->at;
	uint64_t value = 0;
	unsigned digit;

	for (; (digit = (unsigned)digit_of(peek(c))) < base; c->at++) {
		if (value > (UINT64_MAX - digit) / base)
			c->failed = true;
		value = value * base + digit;
	}
	c->failed |= c->at == start;
	return value;
}

static bool
flag(struct cursor *c, char set)
{
	bool is_set = peek(c) == set;

	if (!is_set && peek(c) != '-')
		c->failed = true;
	if (c->at < c->end)
		c->at++;
	return is_set;
}

/*
 * The path to its end, "\012" made a newline again: the only byte that the
 * kernel escapes here. False when BUFFER is too small.
 */
static bool
copy_path(struct cursor *c, char *buffer, size_t size)
{
	size_t used = 0;

	while (c->at < c->end) {
		bool is_escape = c->end - c->at >= 4 &&
				 !memcmp(c->at, "\\012", 4);

		if (used + 1 >= size)
			return false;
		buffer[used++] = is_escape ? '\n' : *c->at;
		c->at += is_escape ? 4 : 1;
	}
	buffer[used] = '\0';
	return true;
}

static bool
cut_suffix(char *text, const char *suffix)
{
	size_t len = strlen(text), cut = strlen(suffix);

	if (len < cut || strcmp(text + len - cut, suffix))
		return false;
	text[len - cut] = '\0';
	return true;
}

/* Names under which the kernel shows memory that has no file to look into. */
static bool
is_anonymous(const char *path)
{
	static const char *const starts[] = {
		"[", "//anon", "/anon_hugepage", "/dev/zero", "/memfd:",
		"/SYSV", "anon_inode:",
	};

	if (!*path)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(starts); i++)
		if (!strncmp(path, starts[i], strlen(starts[i])))
			return true;
	return false;
}

enum module_kind
mapping_kind(const struct mapping *mapping)
{
	if (!strcmp(mapping->path, "[vdso]"))
		return MODULE_VDSO;
	if (!strcmp(mapping->path, "[vsyscall]"))
		return MODULE_KERNEL;
	if (!is_anonymous(mapping->path))
		return MODULE_LIBRARY;
	return mapping->is_executable ? MODULE_JIT : MODULE_NONE;
}

bool
maps_parse_line(const char *line, size_t len, struct mapping *mapping,
		char *path_buffer, size_t size)
{
	struct cursor c = { .at = line, .end = line + len };
	struct mapping m = { .path = path_buffer };
	uint64_t major_number, minor_number;

	m.start = number(&c, 16);
	expect(&c, '-');
	m.end = number(&c, 16);
	expect(&c, ' ');
	flag(&c, 'r');
	m.is_writable = flag(&c, 'w');
	m.is_executable = flag(&c, 'x');
	if (peek(&c) != 'p')
		expect(&c, 's');
	else
		c.at++;
	expect(&c, ' ');
	m.file_offset = number(&c, 16);
	expect(&c, ' ');
	major_number = number(&c, 16);
	expect(&c, ':');
	minor_number = number(&c, 16);
	expect(&c, ' ');
	m.inode = number(&c, 10);
	m.dev = makedev((unsigned)major_number, (unsigned)minor_number);
	while (peek(&c) == ' ')
		c.at++;
	if (c.failed || m.start >= m.end || !size ||
	    memchr(c.at, '\0', (size_t)(c.end - c.at)) ||
	    !copy_path(&c, path_buffer, size))
		return false;
	m.is_deleted = cut_suffix(path_buffer, " (deleted)");
	m.kind = mapping_kind(&m);
	*mapping = m;
	return true;
}
