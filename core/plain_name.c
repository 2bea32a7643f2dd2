/* SPDX-License-Identifier: MIT */
/*
 * plain_name.c - one rule after the other, each on the text as it is then.
 */
#include "core/plain_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define RUST_HASH (3 + 16)	/* "::h" and digits */

/* Take the LEN bytes at AT out of the text. */
static void
cut(char *at, size_t len)
{
	memmove(at, at + len, strlen(at + len) + 1);
}

static size_t
digits_at(const char *text)
{
	return strspn(text, "0123456789");
}

static size_t
hex_at(const char *text)
{
	return strspn(text, "0123456789abcdefABCDEF");
}

static void
drop_hash(char *name)
{
	size_t len = strlen(name);
	char *hash = len > RUST_HASH ? name + len - RUST_HASH : NULL;

	if (hash && strncmp(hash, "::h", 3) == 0 &&
	    hex_at(hash + 3) == RUST_HASH - 3)
		*hash = '\0';
}

/* How long a compiler's word for a copy is at TEXT, with its number. */
static size_t
copy_at(const char *text)
{
	static const char *const words[] = {
		".constprop", ".isra", ".part", ".cold", ".clone",
		".lto_priv", ".llvm", ".localalias", ".warm",
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t len = strlen(words[i]);

		if (strncmp(text, words[i], len) != 0)
			continue;
		if (text[len] == '.' && digits_at(text + len + 1))
			len += 1 + digits_at(text + len + 1);
		if (!text[len] || text[len] == '.' || text[len] == ']' ||
		    text[len] == ' ')
			return len;
	}
	return 0;
}

static void
drop_copies(char *name)
{
	static const char clone[] = " [clone ";
	char *at = name;
	size_t len;

	while ((at = strchr(at, '.'))) {
		len = at > name ? copy_at(at) : 0;
		if (len)
			cut(at, len);
		else
			at++;
	}
	while ((at = strstr(name, " [clone ]")))
		cut(at, sizeof(clone));
}

/* Numbers that count what is written in a function, or made at run time. */
static void
drop_numbers(char *name)
{
	static const char *const before[] = {
		"#", "$Lambda$", "$Lambda", "GeneratedMethodAccessor",
		"GeneratedConstructorAccessor", "'lambda",
	};

	for (size_t i = 0; i < ARRAY_LEN(before); i++) {
		char *at = name;

		while ((at = strstr(at, before[i]))) {
			at += strlen(before[i]);
			if (*before[i] == '#' && at[digits_at(at)] != '}')
				continue;
			cut(at, digits_at(at));
			if (strncmp(at, "/0x", 3) == 0)
				cut(at, 3 + hex_at(at + 3));
		}
	}
}

/* An address at AT, after what NAME has before it: how long; 0: none. */
static size_t
address_at(const char *name, const char *at)
{
	bool is_word = at == name || !(isalnum((unsigned char)at[-1]) ||
				       at[-1] == '_');

	return is_word && strncmp(at, "0x", 2) == 0 ? hex_at(at + 2) : 0;
}

/* "0x..." for "0x1203"; frees NAME, the caller what is returned. */
static char *
drop_addresses(char *name)
{
	static const char any[] = "0x...";
	size_t room = 2 * strlen(name) + sizeof(any), used = 0;
	char *out = xcalloc(room, 1);

	for (const char *at = name; *at;) {
		size_t digits = address_at(name, at);

		if (digits) {
			memcpy(out + used, any, sizeof(any) - 1);
			used += sizeof(any) - 1;
			at += 2 + digits;
		} else {
			out[used++] = *at++;
		}
	}
	free(name);
	return out;
}

/* "operator<", "operator->" and "operator<<" are no templates. */
static bool
is_operator(const char *name, const char *at)
{
	static const char word[] = "operator";

	while (at > name && strchr("<>-=", at[-1]))
		at--;
	return at - name >= (long)sizeof(word) - 1 &&
	       memcmp(at - (sizeof(word) - 1), word, sizeof(word) - 1) == 0;
}

/* Empty what stands between OPEN and CLOSE; unbalanced ones stay. */
static void
empty(char *name, char open, char close)
{
	char *start = NULL;
	unsigned depth = 0;

	for (char *at = name; *at; at++) {
		if (*at == open && !is_operator(name, at)) {
			if (!depth++)
				start = at;
		} else if (*at == close && depth && at[-1] != '-' &&
			   !--depth) {
			cut(start + 1, (size_t)(at - start - 1));
			at = start + 1;
		}
	}
}

/* A script's functions have its path behind them: each release has its own. */
static void
drop_folder(char *name)
{
	char *path = strstr(name, strncmp(name, "py::", 4) ? " /" : ":/");
	char *file = path ? strrchr(path, '/') : NULL;

	if (file)
		cut(path + 1, (size_t)(file - path));
}

char *
plain_name(const char *name, bool drops_templates)
{
	char *plain = xstrdup(name);

	drop_hash(plain);
	drop_copies(plain);
	drop_numbers(plain);
	plain = drop_addresses(plain);
	drop_folder(plain);
	for (char *at = plain; *at; at++)
		if (*at == ';')
			*at = ':';
	if (drops_templates && *plain != '<' && *plain != '[') {
		empty(plain, '<', '>');
		empty(plain, '[', ']');
	}
	return plain;
}
