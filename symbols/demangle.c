/* SPDX-License-Identifier: MIT */
/*
 * demangle.c - libiberty with bounds, OCaml and D.
 */
#include "symbols/demangle.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "core/base.h"

/* What a demangler has said so far. */
struct output {
	jmp_buf too_long;
	size_t len;
	char text[DEMANGLE_OUT_MAX];
};

/*
 * The short names of hostile files expand to gigabytes. The demanglers cannot
 * be told to stop, but keep everything on the stack while they call this, so
 * jumping over them loses nothing.
 */
static void
collect(const char *bytes, size_t len, void *opaque)
{
	struct output *out = opaque;

	if (!len)
		return;		/* BYTES may be NULL then */
	if (len > sizeof(out->text) - out->len)
		longjmp(out->too_long, 1);
	memcpy(out->text + out->len, bytes, len);
	out->len += len;
}

/* By default libiberty refuses all names of more than 1024 bytes. */
static int
options_for(const char *name)
{
	int options = DMGL_PARAMS | DMGL_ANSI;

	return strlen(name) > 1024 ? options | DMGL_NO_RECURSE_LIMIT : options;
}

static bool
demangle_rust(const char *name, struct output *out)
{
	out->len = 0;
	return !setjmp(out->too_long) &&
	       rust_demangle_callback(name, DMGL_NO_OPTS, collect, out) &&
	       out->len > 0;
}

static bool
demangle_itanium(const char *name, struct output *out)
{
	out->len = 0;
	return !setjmp(out->too_long) &&
	       cplus_demangle_v3_callback(name, options_for(name), collect,
					  out) &&
	       out->len > 0;
}

/*
 * Where the suffix begins that a compiler puts on the name of a clone. Dots
 * inside names of the old Rust form are before the last E.
 */
static size_t
bare_length(const char *name)
{
	const char *last = name[1] == 'Z' ? strrchr(name, 'E') : NULL;
	const char *dot = strchr(last ? last : name, '.');

	return dot ? (size_t)(dot - name) : strlen(name);
}

/* "foo [clone .cold]", as libiberty does it for C++; the caller frees. */
static char *
with_suffix(const struct output *out, const char *suffix)
{
	size_t size = out->len + strlen(suffix) + sizeof(" [clone ]");
	char *text = xcalloc(size, 1);

	memcpy(text, out->text, out->len);
	if (*suffix)
		snprintf(text + out->len, size - out->len, " [clone %s]",
			 suffix);
	return text;
}

/* ThinLTO's ".llvm.HASH" is cut first: it only tells builds apart. */
static char *
demangle_mangled(const char *name)
{
	const char *llvm = strstr(name, ".llvm.");
	char *whole = xstrndup(name, llvm ? (size_t)(llvm - name)
					  : strlen(name));
	char *bare = xstrndup(whole, bare_length(whole)), *text = NULL;
	struct output out;

	if (demangle_rust(bare, &out))
		text = with_suffix(&out, whole + strlen(bare));
	else if (demangle_itanium(whole, &out))
		text = with_suffix(&out, "");
	free(bare);
	free(whole);
	return text;
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * The parts of an OCaml name are the modules, joined by "__" ("." since 5.0),
 * the function and a number that only tells equal names apart. Other
 * characters than letters are written "$hh". All functions without a name
 * are "fun", so these keep their number.
 */
static char *
demangle_ocaml(const char *name)
{
	size_t len = strlen(name), n = 0;
	char *text, *stamp;

	if (len < 6 || strncmp(name, "caml", 4) || !isupper((uint8_t)name[4]))
		return NULL;
	text = xcalloc(len, 1);
	for (const char *at = name + 4; *at; at++) {
		if (at[0] == '_' && at[1] == '_' && at[2]) {
			text[n++] = '.';
			at++;
		} else if (at[0] == '$' && hex_digit(at[1]) >= 0 &&
			   hex_digit(at[2]) >= 0) {
			text[n++] = (char)(hex_digit(at[1]) << 4 |
					   hex_digit(at[2]));
			at += 2;
		} else {
			text[n++] = *at;
		}
	}
	text[n] = '\0';
	if (!strchr(text, '.') || strlen(text) != n) {
		free(text);
		return NULL;
	}
	stamp = strrchr(text, '_');
	if (stamp && stamp[1] && !stamp[1 + strspn(stamp + 1, "0123456789")] &&
	    !(stamp - text >= 4 && !strncmp(stamp - 4, ".fun", 4)))
		*stamp = '\0';
	return text;
}

/*
 * The name at *AT, a length and so many bytes, appended to the N bytes of
 * TEXT. False where there is none.
 */
static bool
take_d_name(const char **at, char *text, size_t *n)
{
	size_t len = 0;

	if (!isdigit((uint8_t)**at))
		return false;
	for (; isdigit((uint8_t)**at); ++*at)
		if ((len = len * 10 + (size_t)(**at - '0')) > DEMANGLE_IN_MAX)
			return false;
	if (!len || strnlen(*at, len) < len)
		return false;
	if (*n)
		text[(*n)++] = '.';
	memcpy(text + *n, *at, len);
	*n += len;
	*at += len;
	return true;
}

/*
 * D's names without their types: libiberty's reader of those has no bounds,
 * and back references double again and again. The arguments of a template are
 * types too.
 */
static char *
demangle_d(const char *name)
{
	const char *at = name + 2;
	char *text;
	size_t n = 0;

	if (!strcmp(at, "main"))
		return xstrdup("D main");
	text = xcalloc(strlen(name) + 8, 1);
	while (take_d_name(&at, text, &n))
		;
	if (n && !strncmp(at, "__T", 3)) {
		at += 3;
		if (take_d_name(&at, text, &n))
			memcpy(text + n, "!(...)", 7);
	}
	if (n)
		return text;
	free(text);
	return NULL;
}

/* ThinLTO's suffix on a name of C; that of others is cut above. */
static char *
without_llvm(const char *name)
{
	const char *llvm = strstr(name, ".llvm.");

	if (!llvm || llvm == name || !llvm[6] ||
	    llvm[6 + strspn(llvm + 6, "0123456789")])
		return NULL;
	return xstrndup(name, (size_t)(llvm - name));
}

char *
demangle(const char *name)
{
	char *plain;

	if (strnlen(name, DEMANGLE_IN_MAX + 1) > DEMANGLE_IN_MAX)
		return NULL;
	if (name[0] == '_' && (name[1] == 'Z' || name[1] == 'R'))
		return demangle_mangled(name);
	if (name[0] == '_' && name[1] == 'D')
		return demangle_d(name);
	plain = name[0] == 'c' ? demangle_ocaml(name) : NULL;
	return plain ? plain : without_llvm(name);
}
