/* SPDX-License-Identifier: MIT */
/*
 * loop.c - two assembly functions without unwind rules and without a ret; the
 * inner one has a saved frame pointer that points at itself, so the chain of
 * frame pointers has no end. Expected: asm_inner, asm_outer, and an end that
 * is counted.
 */
#include "tests/targets/target.h"

__asm__(".text\n"
	".globl asm_outer\n"
	".type asm_outer, @function\n"
	"asm_outer:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"1:	call asm_inner\n"
	"	jmp 1b\n"
	".size asm_outer, .-asm_outer\n"
	".type asm_inner, @function\n"
	"asm_inner:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	mov %rbp, (%rbp)\n"
	"1:	jmp 1b\n"
	".size asm_inner, .-asm_inner\n");

void asm_outer(void);

int
main(void)
{
	target_begin();
	asm_outer();
	return 0;
}
