/* SPDX-License-Identifier: MIT */
/*
 * library_types.c - what the C++ library writes out goes.
 */
#include "tui/library_types.h"

#include <string.h>

#include "core/base.h"

#define NAME_MAX_BYTES 16384

/* Texts that become others; the longer ones first. */
static const struct {
	const char *from, *to;
} texts[] = {
	{ "std::__cxx11::basic_string<char, std::char_traits<char>, "
	  "std::allocator<char> >", "std::string" },
	{ "std::basic_string<char, std::char_traits<char>, "
	  "std::allocator<char> >", "std::string" },
	{ "std::basic_string_view<char, std::char_traits<char> >",
	  "std::string_view" },
	{ "std::__cxx11::", "std::" },
	{ "std::__1::", "std::" },
};

/* Arguments that are what they would be anyway. */
static const char *const defaults[] = {
	", std::allocator<", ", std::less<", ", std::default_delete<",
	", std::char_traits<", ", std::equal_to<", ", std::hash<",
};

static size_t
starts(const char *text, const char *with)
{
	size_t len = strlen(with);

	return strncmp(text, with, len) ? 0 : len;
}

/* Bytes up to the '>' that closes what was opened before AT; 0: none does. */
static size_t
group_len(const char *at)
{
	unsigned depth = 1;

	for (size_t i = 0; at[i]; i++) {
		if (at[i] == '<')
			depth++;
		else if (at[i] == '>' && (i == 0 || at[i - 1] != '-') &&
			 --depth == 0)
			return i + 1;
	}
	return 0;
}

/* A default argument at AT that is the last or before another one; or 0. */
static size_t
default_len(const char *at)
{
	for (size_t i = 0; i < ARRAY_LEN(defaults); i++) {
		size_t len = starts(at, defaults[i]), group;

		if (!len)
			continue;
		group = group_len(at + len);
		if (!group)
			return 0;
		len += group;
		return at[len] == ' ' || at[len] == '>' || at[len] == ','
			       ? len : 0;
	}
	return 0;
}

bool
library_types_shorten(const char *name, char *out, size_t size)
{
	size_t n = 0;
	bool is_other = false;

	if (strnlen(name, NAME_MAX_BYTES) == NAME_MAX_BYTES)
		return false;
	while (*name) {
		size_t len = *name == ',' ? default_len(name) : 0, i = 0;

		while (*name == 's' && i < ARRAY_LEN(texts) &&
		       !starts(name, texts[i].from))
			i++;
		if (len) {
			/* "> >" was written for the group that has gone */
			name += len + (name[len] == ' ' && name[len + 1] == '>');
			is_other = true;
		} else if (*name == 's' && i < ARRAY_LEN(texts)) {
			len = strlen(texts[i].to);
			if (n + len >= size)
				return false;
			memcpy(out + n, texts[i].to, len);
			n += len;
			name += strlen(texts[i].from);
			is_other = true;
		} else {
			if (n + 1 >= size)
				return false;
			out[n++] = *name++;
		}
	}
	out[n] = '\0';
	return is_other;
}
