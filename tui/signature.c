/* SPDX-License-Identifier: MIT */
/*
 * signature.c - the parts of a function's name, in whatever language.
 */
#include "tui/signature.h"

#include <string.h>

#include "core/base.h"

/* Names are read again for each frame on screen: odd ones must stay cheap. */
#define NAME_MAX_BYTES 16384
#define NEST_MAX 64

/* ASCII only, whatever the locale; the bytes of other letters count too. */
static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       c == '$' || (unsigned char)c >= 0x80;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_word(char c)
{
	return is_letter(c) || is_digit(c);
}

static bool
starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Bytes of "operator" and its sign at AT inside NAME; 0: there is none. */
static size_t
operator_len(const char *name, const char *at)
{
	static const char *const signs[] = {
		"<=>", "->*", "<<=", ">>=", "()", "[]", "->", "<<", ">>",
		"<=",  ">=",  "==",  "!=",  "&&", "||", "++", "--", "+=",
		"-=",  "*=",  "/=",  "%=",  "^=", "|=", "&=", "<",  ">",
		"+",   "-",   "*",   "/",   "%",  "^",  "&",  "|",  "~",
		"!",   "=",   ",",
	};
	size_t len = strlen("operator");

	if (*at != 'o' || !starts(at, "operator") ||
	    (at > name && is_word(at[-1])) || is_word(at[len]))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		if (starts(at + len, signs[i]))
			return len + strlen(signs[i]);
	return len;
}

static char
opener_of(char c)
{
	switch (c) {
	case '>': return '<';
	case ')': return '(';
	case ']': return '[';
	case '}': return '{';
	default: return '\0';
	}
}

/* Just past what closes the bracket at FROM; NULL if nothing does. */
static const char *
group_end(const char *from)
{
	char open[NEST_MAX];
	size_t depth = 0, word;

	for (const char *at = from; *at; at++) {
		char opener = opener_of(*at);

		word = operator_len(from, at);
		if (word) {
			at += word - 1;
		} else if (at[0] == '-' && at[1] == '>') {
			at++;
		} else if (strchr("<([{", *at)) {
			if (depth == NEST_MAX)
				return NULL;
			open[depth++] = *at;
		} else if (opener &&
			   (opener != '<' || open[depth - 1] == '<')) {
			/* a '<' that nothing closed was "less than" */
			while (depth && open[depth - 1] != opener &&
			       open[depth - 1] == '<')
				depth--;
			if (!depth || open[depth - 1] != opener)
				return NULL;
			if (--depth == 0)
				return at + 1;
		}
	}
	return NULL;
}

/* Is the '(' at AT, which follows LAST in the name, a list of arguments? */
static bool
is_arguments(char last, bool after_operator)
{
	return after_operator || is_word(last) ||
	       (last && strchr(">)}]'", last));
}

/* A template's list; not "<lambda>", "Foo.<init>" or what is short as it is. */
static bool
is_template(const char *name, const char *at, const char *end)
{
	if (end - at <= 3 || starts(at, "<lambda"))
		return false;
	return at == name ? *end != '\0' : at[-1] != '.';
}

/* Skip "const" and the like behind a list of arguments. */
static const char *
skip_qualifiers(const char *at)
{
	static const char *const words[] = { " const", " volatile",
					     " noexcept", " &&", " &" };
	size_t i = 0;

	while (i < ARRAY_LEN(words)) {
		if (starts(at, words[i])) {
			at += strlen(words[i]);
			i = 0;
		} else {
			i++;
		}
	}
	if (starts(at, " [clone"))
		at += strlen(at);
	return at;
}

/* Does a script's file and line begin at AT, behind the function's name? */
static bool
is_place(const char *at)
{
	size_t len = strlen(at), digits = 0;

	if (*at == '/' || starts(at, "file:") || starts(at, "node:"))
		return true;
	if (*at == '(' && group_end(at) == at + len)
		return strpbrk(at, "/.:") != NULL;
	while (digits < len && is_digit(at[len - 1 - digits]))
		digits++;
	return digits > 0 && digits < len && at[len - 1 - digits] == ':' &&
	       !memchr(at, ' ', len);
}

struct writer {
	char *out;
	size_t size, len;
	bool is_full;
};

static void
append(struct writer *w, const char *bytes, size_t len)
{
	if (w->len + len >= w->size) {
		w->is_full = true;
		return;
	}
	memcpy(w->out + w->len, bytes, len);
	w->len += len;
}

struct scan {
	const char *name, *at;
	const char *ellipsis;
	bool after_operator;		/* its sign was just copied */
	bool had_operator, had_arguments, had_template;
	size_t word;			/* where in OUT the last word began */
	struct writer out;
};

/* Take the bracket [AT, END). */
static void
scan_group(struct scan *s, const char *end)
{
	char last = s->at > s->name ? s->at[-1] : '\0';

	if (*s->at == '(' && is_arguments(last, s->after_operator)) {
		s->had_arguments = true;
		s->at = skip_qualifiers(end);
		/* a Java descriptor goes on with the result's type */
		if (is_letter(*s->at))
			s->at += strlen(s->at);
		return;
	}
	if (*s->at == '<') {
		s->had_template = true;
		if (s->ellipsis && is_template(s->name, s->at, end)) {
			append(&s->out, "<", 1);
			append(&s->out, s->ellipsis, strlen(s->ellipsis));
			append(&s->out, ">", 1);
			s->at = end;
			return;
		}
	}
	append(&s->out, s->at, (size_t)(end - s->at));
	s->at = end;
}

/* Is the function's name complete, and what follows is where it is? */
static bool
is_before_place(const struct scan *s)
{
	if (s->at == s->name)
		return false;
	if (*s->at == ' ')
		return is_place(s->at + 1);
	/* CPython's "py::run:/srv/app.py" */
	return *s->at == ':' && s->at[-1] != ':' && s->at[1] != ':' &&
	       starts(s->name, "py::");
}

/* Take one character, operator or bracket; false at the name's end. */
static bool
scan_next(struct scan *s)
{
	static const char call[] = "::operator()";
	size_t len = operator_len(s->name, s->at);
	const char *end = NULL;

	if (!*s->at || s->out.is_full || is_before_place(s))
		return false;
	if (!len && strchr("(<", *s->at))
		end = group_end(s->at);
	if (end) {
		scan_group(s, end);
		s->after_operator = false;
		return true;
	}
	/* what a lambda is called by says nothing */
	if (*s->at == ':' && s->at > s->name && s->at[-1] == '}' &&
	    starts(s->at, call)) {
		s->at += strlen(call);
		s->after_operator = true;
		return true;
	}
	s->after_operator = len > 0;
	s->had_operator |= len > 0;
	append(&s->out, s->at, len ? len : 1);
	if (*s->at == ' ' && !s->had_operator)
		s->word = s->out.len;
	s->at += len ? len : 1;
	return true;
}

/* Is the word of LEN bytes at TEXT a part of a type that languages have? */
static bool
is_builtin(const char *text, size_t len)
{
	static const char *const words[] = {
		"void", "bool", "boolean", "char", "byte", "short", "int",
		"long", "float", "double", "signed", "unsigned", "const",
	};

	while (len && strchr("*&[]", text[len - 1]))
		len--;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strlen(words[i]) == len && !memcmp(words[i], text, len))
			return true;
	return false;
}

/*
 * Is TEXT, which ends in a blank, a type? Built-in words, or one class with
 * its package; and not "virtual thunk to ".
 */
static bool
is_type(const char *text, size_t len)
{
	const char *blank = memchr(text, ' ', len);
	size_t first = blank ? (size_t)(blank - text) : len;

	if (first + 1 == len && (memchr(text, '.', first) ||
				 memmem(text, first, "::", 2)))
		return true;
	while (len) {
		blank = memchr(text, ' ', len);
		first = blank ? (size_t)(blank - text) : len;
		if (!is_builtin(text, first))
			return false;
		text += first + (blank != NULL);
		len -= first + (blank != NULL);
	}
	return true;
}

bool
signature_shorten(const char *name, const char *ellipsis, char *out,
		  size_t size)
{
	struct scan s = { .name = name, .at = name, .ellipsis = ellipsis,
			  .out = { .out = out, .size = size } };

	if (strnlen(name, NAME_MAX_BYTES) == NAME_MAX_BYTES)
		return false;
	while (scan_next(&s))
		;
	if (s.out.is_full || s.out.len == 0)
		return false;
	/* templates are written with the type they return, and Java's methods */
	if (!s.had_arguments || s.word >= s.out.len ||
	    (!s.had_template && !is_type(out, s.word)))
		s.word = 0;
	memmove(out, out + s.word, s.out.len - s.word);
	out[s.out.len - s.word] = '\0';
	return true;
}

/*
 * After '.' or '/': does a part begin at AT? Not a version, an address, a
 * closure's number, what the compiler appends, or a file's suffix.
 */
static bool
is_dotted_part(const char *at)
{
	static const char *const suffixes[] = {
		"isra", "part", "cold", "constprop", "lto_priv", "llvm",
		"so",	"js",	"mjs",	"cjs",	     "ts",	 "py",
		"rb",	"php",	"pl",	"lua",	     "c",	 "h",
		"cc",	"cpp",	"rs",	"go",	     "ko",	 "exe",
	};
	size_t len = 0;

	if (!is_letter(*at) && !strchr("(<*", *at))
		return false;
	while (is_word(at[len]))
		len++;
	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++)
		if (strlen(suffixes[i]) == len && starts(at, suffixes[i]))
			return false;
	return !(starts(at, "func") && is_digit(at[4]));
}

const char *
signature_next(const char *name, const char *at)
{
	const char *end;

	for (; *at && *at != ' '; at++) {
		if (operator_len(name, at))
			return NULL;
		end = strchr("<([{", *at) ? group_end(at) : NULL;
		if (end)
			at = end - 1;
		/* a closure is nothing without the function it is in */
		else if (at[0] == ':' && at[1] == ':' && at[2] &&
			 !strchr(":{", at[2]))
			return at + 2;
		else if ((*at == '.' || *at == '/') && at[1] &&
			 is_dotted_part(at + 1))
			return at + 1;
		/* V8's "LazyCompile:*run", Lua's "file:read" */
		else if (*at == ':' && at > name && is_word(at[-1]) &&
			 (is_letter(at[1]) || (at[1] && strchr("*~^+", at[1]))))
			return at + 1;
	}
	return NULL;
}
