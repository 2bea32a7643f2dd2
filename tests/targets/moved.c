/* SPDX-License-Identifier: MIT */
/*
 * moved.c - the program's own text, moved into anonymous memory at the same
 * addresses: no file is behind it any more. Expected:
 *
 *	main > outside > inside
 */
#include <string.h>
#include <sys/mman.h>

#include "tests/targets/target.h"

FRAME static void
inside(void)
{
	for (;;)
		spin(1000000);
}

FRAME static void
outside(void)
{
	inside();
	STAY;
}

/*
 * Between the pages that go and those that come no code of theirs may run but
 * the call itself, whose instructions are copied too.
 */
FRAME static void
move(char *text, size_t size)
{
	char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(copy, text, size);
	mprotect(copy, size, PROT_READ | PROT_EXEC);
	mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, text);
}

int
main(void)
{
	unsigned long start, end;
	char line[4096], kind[8];
	FILE *maps = fopen("/proc/self/maps", "r");

	target_begin();
	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %7s", &start, &end, kind) == 3 &&
		    !strcmp(kind, "r-xp") && start <= (unsigned long)move &&
		    (unsigned long)move < end)
			break;
	move((char *)start, end - start);
	outside();
	return 0;
}
