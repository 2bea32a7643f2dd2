/* SPDX-License-Identifier: MIT */
/*
 * symbols_ask.h - a program built for it, opened as a module, and asked.
 */
#ifndef TESTS_UNIT_SYMBOLS_ASK_H
#define TESTS_UNIT_SYMBOLS_ASK_H

#include "symbols/symbols.h"

#include <string.h>

#include "tests/unit/built.h"

#define MODULE 7

static const char program[] =
	"__attribute__((noinline)) int work(int x) { return x * 3; }\n"
	"__attribute__((noinline)) int other(int x) { return x + work(x); }\n"
	"int main(int argc, char **argv) { (void)argv; return other(argc); }\n";

/* The last answer of symbols_resolve(). */
struct answer {
	size_t count;
	uint64_t offset, start;
	char name[256];
};

static inline void
keep(void *ctx, uint64_t offset, const struct symbol *symbol)
{
	struct answer *answer = ctx;

	answer->count++;
	answer->offset = offset;
	answer->start = symbol->start;
	snprintf(answer->name, sizeof(answer->name), "%s", symbol->name);
}

static inline struct answer
ask(struct symbols *symbols, uint64_t offset)
{
	struct answer answer = { 0 };

	symbols_resolve(symbols, MODULE, &offset, 1, keep, &answer);
	return answer;
}

static inline void
expect(struct symbols *symbols, uint64_t offset, const char *name,
       uint64_t start)
{
	struct answer answer = ask(symbols, offset);

	if (!name) {
		assert_int_equal(answer.count, 0);
		return;
	}
	assert_int_equal(answer.count, 1);
	assert_int_equal(answer.offset, offset);
	assert_string_equal(answer.name, name);
	assert_int_equal(answer.start, start);
}

static inline struct symbols *
opened(const char *file, struct debug_hint *hint)
{
	struct symbols *symbols = symbols_new();
	struct debug_hint ignored;
	struct error err;

	if (!symbols_open(symbols, MODULE, MODULE_PROGRAM, open_file(file),
			  hint ? hint : &ignored, &err))
		fail_msg("%s", err.text);
	return symbols;
}

/* Where in FILE the function NAME is, by readelf: address minus bias. */
static inline uint64_t
offset_of(const char *file, const char *name)
{
	unsigned long loads[16][3], offset, vaddr, size, value, found = 0;
	char command[64], line[1024], text[256];
	size_t n = 0;
	FILE *in;

	snprintf(command, sizeof(command), "readelf -lsW %s", file);
	in = popen(command, "r");
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, " LOAD %lx %lx %*x %lx", &offset, &vaddr,
			   &size) == 3 && n < ARRAY_LEN(loads))
			memcpy(loads[n++], (unsigned long[]){ offset, vaddr,
				size }, sizeof(*loads));
		else if (sscanf(line, " %*u: %lx %*u FUNC %*s %*s %*u %255s",
				&value, text) == 2 && !strcmp(text, name))
			found = value;
	}
	pclose(in);
	for (size_t i = 0; i < n; i++)
		if (found - loads[i][1] < loads[i][2])
			return found - loads[i][1] + loads[i][0];
	fail_msg("no %s in %s", name, file);
	return 0;
}

static inline void
keep_line(void *ctx, uint64_t offset, const struct symbol_place *places,
	  size_t n)
{
	(void)offset;
	assert_non_null(strstr(places[n - 1].file, "/prog.c"));
	*(uint32_t *)ctx = places[n - 1].line;
}

/* 0: not known. */
static inline uint32_t
line_of(struct symbols *symbols, uint64_t offset)
{
	uint32_t line = 0;

	assert_true(symbols_places(symbols, MODULE, &offset, 1, true,
				   keep_line, &line));
	return line;
}

#endif
