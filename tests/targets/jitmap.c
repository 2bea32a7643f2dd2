/* SPDX-License-Identifier: MIT */
/*
 * jitmap.c - generated code and a map of it as real runtimes write them, with
 * all that is odd in one file. Called by turns from calls_all():
 *
 *	twice	named "old name", then by a later line, with 0x before it
 *	bytes	a name that is no UTF-8
 *	regex	a name with blanks, semicolons, slashes and backslashes
 *	last	on the last line, which does not end yet
 *
 * One line gives a name to code of a file: in_file() keeps its own. Between
 * the lines are empty ones and ones that mean nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/targets/target.h"

#define ROOM 64

/* push %rbp; mov %rsp,%rbp; mov $40000000,%ecx; 1: dec %ecx; jnz 1b; pop; ret */
static const unsigned char loop[] = {
	0x55, 0x48, 0x89, 0xe5, 0xb9, 0x00, 0x5a, 0x62, 0x02,
	0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3,
};

FRAME static void
in_file(void)
{
	spin(40000000);
	STAY;
}

FRAME static void
calls_all(unsigned char *code)
{
	for (int i = 0; i < 4; i++) {
		unsigned char *at = code + i * ROOM;
		void (*made)(void);

		memcpy(&made, &at, sizeof(made));
		made();
	}
	in_file();
	STAY;
}

static void
write_map(FILE *map, unsigned long code)
{
	fprintf(map, "%lx 40 old name\n", code);
	fprintf(map, "\ngarbage\nzzz 10 no number\n%lx\n", code);
	fprintf(map, "0x%016lx 0x40 void ns::Foo<int, char>::bar(a b) const\n",
		code);
	fprintf(map, "%lx 40 caf\xc3\xa9 \xff\xfe bytes\n", code + ROOM);
	fprintf(map, "%lX 40 RegExp:^[a ;/]+\\d(?:x|y)$ 12\n", code + 2 * ROOM);
	fprintf(map, "%lx 100 JS:~not this one\n", (unsigned long)in_file);
	fprintf(map, "%lx 40 LazyCompile:*last /srv/a b.js:1:2",
		code + 3 * ROOM);
}

int
main(void)
{
	unsigned char *code = mmap(NULL, 4096,
				   PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *map;

	target_begin();
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "w");
	if (!map || code == MAP_FAILED)
		return 1;
	for (int i = 0; i < 4; i++)
		memcpy(code + i * ROOM, loop, sizeof(loop));
	write_map(map, (unsigned long)code);
	fclose(map);
	for (;;)
		calls_all(code);
}
