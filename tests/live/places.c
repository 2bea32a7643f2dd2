/* SPDX-License-Identifier: MIT */
/*
 * places.c - places FILE <addresses: what addr2line -a -i -f -C would print.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols/places.h"

static void
print_places(struct places *places, uint64_t address)
{
	struct symbol_place at[PLACES_DEPTH_MAX];
	size_t n = places_find(places, address, at);

	printf("%#llx\n", (unsigned long long)address);
	if (!n)
		printf("??\n??:0\n");
	while (n-- > 0)
		printf("%s\n%s:%u\n", *at[n].name ? at[n].name : "??",
		       *at[n].file ? at[n].file : "??", at[n].line);
}

int
main(int argc, char **argv)
{
	struct places *places;
	struct error err;
	struct elf *elf;
	char line[64];

	if (argc != 2 ||
	    !elf_open(open(argv[1], O_RDONLY | O_CLOEXEC), &elf, &err) ||
	    !places_open(elf, NULL, &places, &err)) {
		fprintf(stderr, "places: %s\n", argc == 2 ? err.text : "FILE");
		return 1;
	}
	while (fgets(line, sizeof(line), stdin))
		print_places(places, strtoull(line, NULL, 16));
	places_free(places);
	elf_free(elf);
	return 0;
}
