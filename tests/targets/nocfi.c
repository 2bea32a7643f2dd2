/* SPDX-License-Identifier: MIT */
/*
 * nocfi.c - assembly without unwind rules below calls_asm(): one that makes
 * room on the stack, one that saves a register. Expected: calls_asm as the
 * caller of both, found by following the code to its ret.
 */
#include "tests/targets/target.h"

__asm__(".text\n"
	".globl asm_room\n"
	".type asm_room, @function\n"
	"asm_room:\n"
	"	sub $40, %rsp\n"
	"1:	dec %rdi\n"
	"	jnz 1b\n"
	"	add $40, %rsp\n"
	"	ret\n"
	".size asm_room, .-asm_room\n"
	".globl asm_saves\n"
	".type asm_saves, @function\n"
	"asm_saves:\n"
	"	push %rbx\n"
	"	mov %rdi, %rbx\n"
	"2:	dec %rbx\n"
	"	jnz 2b\n"
	"	pop %rbx\n"
	"	ret\n"
	".size asm_saves, .-asm_saves\n");

void asm_room(unsigned long n);
void asm_saves(unsigned long n);

FRAME static void
calls_asm(void)
{
	asm_room(100000000);
	asm_saves(100000000);
	STAY;
}

int
main(void)
{
	target_begin();
	for (;;)
		calls_asm();
}
