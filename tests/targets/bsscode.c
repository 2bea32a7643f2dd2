/* SPDX-License-Identifier: MIT */
/*
 * bsscode.c - functions that are in no file: code is written into that part
 * of an executable segment that has no bytes of the file. A symbol names each:
 * the one in what is left of the file's last page, and the one beyond, in
 * memory of its own. Expected: calls_both() calls near_bss() and far_bss() by
 * turns.
 */
#include <string.h>

#include "tests/targets/target.h"

/* push %rbp; mov %rsp,%rbp; mov $40000000,%ecx; 1: dec %ecx; jnz 1b; pop; ret */
static const unsigned char loop[] = {
	0x55, 0x48, 0x89, 0xe5, 0xb9, 0x00, 0x5a, 0x62, 0x02,
	0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3,
};

__asm__(".section .runs, \"awx\", @nobits\n"
	".globl near_bss, far_bss\n"
	".type near_bss, @function\n"
	".type far_bss, @function\n"
	"near_bss: .skip 64\n"
	".size near_bss, 64\n"
	".skip 65536\n"
	"far_bss: .skip 64\n"
	".size far_bss, 64\n"
	".text\n");
void near_bss(void);
void far_bss(void);

FRAME static void
calls_both(void)
{
	near_bss();
	far_bss();
	STAY;
}

int
main(void)
{
	target_begin();
	memcpy((void *)near_bss, loop, sizeof(loop));
	memcpy((void *)far_bss, loop, sizeof(loop));
	for (;;)
		calls_both();
}
