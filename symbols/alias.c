/* SPDX-License-Identifier: MIT */
/*
 * alias.c - names of one address against each other.
 */
#include "symbols/alias.h"

#include <stddef.h>
#include <string.h>

#define COMPARED 256

static size_t
leading_lines(const char *name)
{
	size_t n = 0;

	while (n < COMPARED && name[n] == '_')
		n++;
	return n;
}

/* Length without "@VERSION", as far as it is compared. */
static size_t
bare_length(const char *name)
{
	size_t len = strnlen(name, COMPARED);
	const char *version = len > 1 ? memchr(name + 1, '@', len - 1) : NULL;

	return version ? (size_t)(version - name) : len;
}

bool
alias_is_better(const char *a, const char *b)
{
	size_t a_lines = leading_lines(a), b_lines = leading_lines(b);
	size_t a_len = bare_length(a), b_len = bare_length(b);

	if (a_lines != b_lines)
		return a_lines < b_lines;
	if (a_len != b_len)
		return a_len < b_len;
	return memcmp(a, b, a_len) < 0;
}

static bool
ends_with(const char *name, const char *end)
{
	size_t len = strnlen(name, COMPARED), end_len = strlen(end);

	return len >= end_len && !strcmp(name + len - end_len, end);
}

bool
alias_is_marker(const char *name)
{
	switch (name[0]) {
	case '.':
		return name[1] == 'L';
	case '$':
		return name[1] && strchr("adtx", name[1]) &&
		       (!name[2] || name[2] == '.');
	case 'g':
		return !strncmp(name, "go:", 3);
	case 'r':
		return !strcmp(name, "runtime.text") ||
		       !strcmp(name, "runtime.etext");
	case 'c':
		return !strncmp(name, "caml", 4) &&
		       (ends_with(name, "__code_begin") ||
			ends_with(name, "__code_end") ||
			ends_with(name, ".code_begin") ||
			ends_with(name, ".code_end"));
	}
	return false;
}
