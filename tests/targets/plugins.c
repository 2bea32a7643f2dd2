/* SPDX-License-Identifier: MIT */
/*
 * plugins.c - two libraries by turns, opened and closed each time, most often
 * at the same address, which it prints. Expected: in_a() and in_b() with half of
 * the time each.
 *
 *	plugins DIRECTORY
 */
#include <dlfcn.h>
#include <string.h>

#include "tests/targets/target.h"

FRAME static int
use(const char *folder, const char *name)
{
	char path[4096];
	void *library;
	void (*run)(unsigned long);

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	library = dlopen(path, RTLD_NOW);
	if (!library)
		return printf("%s\n", dlerror());
	*(void **)&run = dlsym(library, "run");
	printf("%s %p\n", name, (void *)(size_t)run);
	run(30000000);
	dlclose(library);
	return 0;
}

int
main(int argc, char **argv)
{
	target_begin();
	while (argc > 1)
		if (use(argv[1], "plugin_a.so") || use(argv[1], "plugin_b.so"))
			return 1;
	return 2;
}
