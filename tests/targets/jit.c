/* SPDX-License-Identifier: MIT */
/*
 * jit.c - code made at run time, named in /tmp/perf-PID.map.
 *
 *	work > (made) jit_first, and after two seconds jit_second too
 *
 * The second name is appended to the map when its code is.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "tests/targets/target.h"

/* push %rbp; mov %rsp,%rbp; mov $4000000,%ecx; 1: dec %ecx; jnz 1b; pop; ret */
static const unsigned char loop[] = {
	0x55, 0x48, 0x89, 0xe5, 0xb9, 0x00, 0x09, 0x3d, 0x00,
	0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3,
};

static char map_path[64];

static void
remove_map(void)
{
	unlink(map_path);
}

static void (*
make(unsigned char *at, const char *name))(void)
{
	FILE *map = fopen(map_path, "a");
	void (*made)(void);

	memcpy(at, loop, sizeof(loop));
	if (map) {
		fprintf(map, "%lx %zx %s\n", (unsigned long)at, sizeof(loop),
			name);
		fclose(map);
	}
	memcpy(&made, &at, sizeof(made));
	return made;
}

FRAME static void
work(void (*made)(void))
{
	made();
	STAY;
}

int
main(void)
{
	unsigned char *code = mmap(NULL, 4096,
				   PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*first)(void), (*second)(void) = NULL;
	time_t end = time(NULL) + 20, then = time(NULL) + 2;

	target_begin();
	snprintf(map_path, sizeof(map_path), "/tmp/perf-%d.map",
		 (int)getpid());
	remove_map();
	atexit(remove_map);
	first = make(code, "jit_first");
	puts("ready");
	while (time(NULL) < end) {
		work(first);
		if (!second && time(NULL) > then)
			second = make(code + 64, "jit_second");
		if (second)
			work(second);
	}
	return 0;
}
