/* SPDX-License-Identifier: MIT */
/*
 * opens.c - new code time after time: libraries that are opened as it goes on,
 * and stay open. Expected: in_a() or in_b() below run() below use().
 *
 *	opens DIRECTORY ROUNDS
 *
 * It opens 0.so, 1.so, ... in DIRECTORY, ROUNDS turns of the loop each, and
 * when there are no more it begins anew.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "tests/targets/target.h"

FRAME static int
use(const char *folder, unsigned i, unsigned long rounds)
{
	char path[4096];
	void *library;
	void (*run)(unsigned long);

	snprintf(path, sizeof(path), "%s/%u.so", folder, i);
	library = dlopen(path, RTLD_NOW);
	if (!library)
		return 0;
	*(void **)&run = dlsym(library, "run");
	run(rounds);
	return 1;
}

int
main(int argc, char **argv)
{
	target_begin();
	while (argc > 2)
		for (unsigned i = 0; use(argv[1], i, strtoul(argv[2], NULL, 0));
		     i++)
			STAY;
	return 2;
}
