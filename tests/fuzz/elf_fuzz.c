/* SPDX-License-Identifier: MIT */
/*
 * elf_fuzz.c - any bytes as a program, and as its own debug file.
 *
 * Nothing may crash, hang or take memory without bound; asking twice gives the
 * same names, and what is explained of them is clean text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/explain.h"
#include "symbols/symbols.h"

#define OFFSETS 64

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
sum_up(void *ctx, uint64_t offset, const struct symbol *symbol)
{
	uint64_t *sum = ctx;

	*sum = *sum * 31 + offset + symbol->start + strlen(symbol->name);
	if (symbol->start > offset)
		abort();
}

static void
read_places(void *ctx, uint64_t offset, const struct symbol_place *places,
	    size_t n)
{
	uint64_t *sum = ctx;

	for (size_t i = 0; i < n; i++)
		*sum += offset + strlen(places[i].name) +
			strlen(places[i].file) + places[i].line;
}

static int
file_of(const uint8_t *bytes, size_t len)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	return fd;
}

/* What is said of OFFSET is text, and not too much. */
static void
explain_some(struct symbols *symbols, uint64_t offset)
{
	struct writer text = { 0 };

	explain_code(symbols, 1, offset, false, &text);
	explain_code(symbols, 1, offset, true, &text);
	if (text.len > EXPLAIN_MAX)
		abort();
	for (size_t i = 0; i < text.len; i++)
		if (text.bytes[i] < ' ' && text.bytes[i] != '\n')
			abort();
	writer_free(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct symbols *symbols = symbols_new();
	uint64_t offsets[OFFSETS], first = 0, second = 0;
	struct debug_hint hint;
	struct error err;

	for (size_t i = 0; i < OFFSETS; i++)
		offsets[i] = i * (len / OFFSETS + 1);
	if (symbols_open(symbols, 1, MODULE_LIBRARY, file_of(bytes, len),
			 &hint, &err)) {
		symbols_resolve(symbols, 1, offsets, OFFSETS, sum_up, &first);
		symbols_resolve(symbols, 1, offsets, OFFSETS, sum_up, &second);
		if (first != second)
			abort();
		explain_some(symbols, offsets[OFFSETS / 3]);
		symbols_add_debug(symbols, 1, file_of(bytes, len), &hint,
				  &err);
		symbols_add_common(symbols, 1, file_of(bytes, len), &err);
		symbols_places(symbols, 1, offsets, OFFSETS, true, read_places,
			       &first);
	}
	symbols_free(symbols);
	return 0;
}
