/* SPDX-License-Identifier: MIT */
/*
 * junkfiber.c - a stack made by hand and full of the letter A: what the first
 * function on it should return to is no address, nor is its caller's frame
 * pointer. Expected: fiber_body > fiber_leaf, and nothing outside of them.
 */
#include <string.h>
#include <sys/mman.h>

#include "tests/targets/target.h"

#define STACK 65536

FRAME static void
fiber_leaf(void)
{
	spin(100000000);
	STAY;
}

FRAME static void
fiber_body(void)
{
	for (;;)
		fiber_leaf();
}

int
main(void)
{
	char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	target_begin();
	memset(stack, 'A', STACK);
	__asm__ volatile("mov %0, %%rsp\n\t"
			 "movabs $0x4141414141414141, %%rbp\n\t"
			 "jmp *%1"
			 : : "r"(stack + STACK - 4096 - 8), "r"(fiber_body)
			 : "memory");
	return 0;
}
