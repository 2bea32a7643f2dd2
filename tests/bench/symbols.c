/* SPDX-License-Identifier: MIT */
/*
 * symbols.c - names and places, for tests/bench.
 *
 *	symbols first FILE DEBUG <addresses	what a first question costs: the
 *						index, then units and lines
 *	symbols names FILE DEBUG <addresses	the same without units and lines
 *	symbols lookup FILE DEBUG		ns a lookup: ours, a plain binary
 *						search, libdwfl
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <elfutils/libdwfl.h>

#include "symbols/elf.h"
#include "symbols/fde.h"
#include "symbols/places.h"
#include "symbols/ranges.h"
#include "symbols/symtab.h"

#define LOOKUPS ((size_t)1 << 22)
#define LOOKUPS_SLOW 400	/* libdwfl searches one symbol after another */

static double
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct elf *
open_elf(const char *path)
{
	struct error err;
	struct elf *elf;

	if (!elf_open(open(path, O_RDONLY | O_CLOEXEC), &elf, &err)) {
		fprintf(stderr, "%s: %s\n", path, err.text);
		exit(1);
	}
	return elf;
}

static void
first(struct elf *elf, struct elf *debug, bool has_places)
{
	struct symbol_place at[PLACES_DEPTH_MAX];
	double began = seconds(), indexed, opened;
	struct ranges *entries = fde_ranges(elf), *functions;
	struct places *places = NULL;
	struct error err = { 0 };
	char line[64];
	size_t asked = 0, named = 0, placed = 0;
	uint64_t start;

	functions = symtab_ranges(elf, debug, entries, &err);
	indexed = seconds();
	if (has_places && !places_open(debug, NULL, &places, &err))
		fprintf(stderr, "%s\n", err.text);
	opened = seconds();
	while (fgets(line, sizeof(line), stdin)) {
		uint64_t address = strtoull(line, NULL, 16);

		asked++;
		named += ranges_find(functions, address, &start) != NULL;
		placed += places && places_find(places, address, at);
	}
	printf("%zu functions (%zu bytes) in %.1f ms, units in %.1f ms, %zu "
	       "addresses in %.1f ms (%zu named, %zu placed)\n",
	       ranges_count(functions), ranges_bytes(functions),
	       (indexed - began) * 1e3, (opened - indexed) * 1e3, asked,
	       (seconds() - opened) * 1e3, named, placed);
	fflush(stdout);
	_exit(0);	/* as the others: nothing is freed */
}

/* Addresses of functions, in the order of chance, the same in each run. */
static uint64_t *
some_addresses(const struct ranges *functions, size_t n, uint64_t **starts,
	       size_t *nstarts)
{
	uint64_t *out = xcalloc(n, sizeof(*out)), at = 0;
	size_t capacity = 0;

	*starts = NULL;
	*nstarts = 0;
	while ((at = ranges_next(functions, at)) != UINT64_MAX) {
		*starts = grow(*starts, *nstarts, &capacity, sizeof(at));
		(*starts)[(*nstarts)++] = at;
	}
	srandom(5);
	for (size_t i = 0; i < n; i++)
		out[i] = (*starts)[(size_t)random() % *nstarts] + 1;
	return out;
}

static size_t
plain_search(const uint64_t *starts, size_t n, uint64_t address)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (starts[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static double
dwfl_lookup(const char *path, const char *debug, const uint64_t *addresses)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module = dwfl_report_offline(dwfl, path, path, -1);
	GElf_Addr bias = 0, low;
	GElf_Off offset;
	GElf_Sym symbol;
	double began;
	size_t found = 0;

	(void)debug;
	dwfl_report_end(dwfl, NULL, NULL);
	dwfl_module_info(module, NULL, &low, NULL, NULL, NULL, NULL, NULL);
	dwfl_module_getelf(module, &bias);
	dwfl_module_addrinfo(module, addresses[0] + bias, &offset, &symbol,
			     NULL, NULL, NULL);
	began = seconds();
	for (size_t i = 0; i < LOOKUPS_SLOW; i++)
		found += dwfl_module_addrinfo(module, addresses[i] + bias,
					      &offset, &symbol, NULL, NULL,
					      NULL) != NULL;
	if (found < LOOKUPS_SLOW / 2)
		fprintf(stderr, "libdwfl found %zu only\n", found);
	return (seconds() - began) / LOOKUPS_SLOW * 1e9;
}

static void
lookup(const char *path, const char *debug_path, struct elf *elf,
       struct elf *debug)
{
	struct ranges *entries = fde_ranges(elf);
	struct error err = { 0 };
	struct ranges *functions = symtab_ranges(elf, debug, entries, &err);
	size_t nstarts, sum = 0;
	uint64_t *starts, start;
	uint64_t *addresses = some_addresses(functions, LOOKUPS, &starts,
					     &nstarts);
	double began, ours, plain, theirs;

	began = seconds();
	for (size_t i = 0; i < LOOKUPS; i++)
		sum += ranges_find(functions, addresses[i], &start) != NULL;
	ours = (seconds() - began) / LOOKUPS * 1e9;
	began = seconds();
	for (size_t i = 0; i < LOOKUPS; i++)
		sum += plain_search(starts, nstarts, addresses[i]);
	plain = (seconds() - began) / LOOKUPS * 1e9;
	theirs = dwfl_lookup(path, debug_path, addresses);
	printf("%zu functions: ours %.0f ns, plain binary search %.0f ns "
	       "(ratio %.2f), libdwfl %.0f ns (ratio %.5f)%s\n", nstarts, ours,
	       plain, ours / plain, theirs, ours / theirs, sum ? "" : "!");
}

int
main(int argc, char **argv)
{
	struct elf *elf, *debug;

	if (argc != 4) {
		fprintf(stderr, "usage: symbols first|names|lookup FILE "
			"DEBUG\n");
		return 2;
	}
	elf = open_elf(argv[2]);
	debug = open_elf(argv[3]);
	if (strcmp(argv[1], "lookup") == 0)
		lookup(argv[2], argv[3], elf, debug);
	else
		first(elf, debug, strcmp(argv[1], "first") == 0);
	return 0;
}
