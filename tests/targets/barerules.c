/* SPDX-License-Identifier: MIT */
/*
 * barerules.c - an assembly function whose unwind entry has no instruction of
 * its own: the rules of the common entry are all. Expected, and no guess:
 *
 *	main > calls_bare > asm_bare
 */
#include "tests/targets/target.h"

__asm__(".text\n"
	".globl asm_bare\n"
	".type asm_bare, @function\n"
	"asm_bare:\n"
	"	.cfi_startproc\n"
	"	dec %rdi\n"
	"	jnz asm_bare\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size asm_bare, .-asm_bare\n");

void asm_bare(unsigned long n);

FRAME static void
calls_bare(void)
{
	asm_bare(100000000);
	STAY;
}

int
main(void)
{
	target_begin();
	for (;;)
		calls_bare();
}
