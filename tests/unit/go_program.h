/* SPDX-License-Identifier: MIT */
/*
 * go_program.h - a program with a symbol table as Go's linker makes it, by
 * hand:
 *
 *	base + 0x10	leaf: no frame; lines 10 and, from its 3rd byte, 11;
 *			its 2nd byte is main.tiny, inlined at the 3rd
 *	base + 0x20	frame: 24 bytes of frame, rbp saved
 *	base + 0x40	goexit, where a goroutine begins
 *	base + 0x44	the end of Go code
 *
 * Before it come settings: VERSION (2, 16, 18, 20), HAS_TEXT (the table says
 * where code begins), and a macro "place" with the table's section.
 */
#ifndef TESTS_UNIT_GO_PROGRAM_H
#define TESTS_UNIT_GO_PROGRAM_H

static const char go_program[] =
	".text\n"
	".balign 32\n"
	"base: .skip 16, 0xcc\n"
	"leaf: nop; nop; nop; ret\n"
	" .skip 12, 0xcc\n"
	"frame: sub $24, %rsp\n"		/* 4 bytes */
	" mov %rbp, 16(%rsp)\n"			/* 5 */
	" lea 16(%rsp), %rbp\n"			/* 5 */
	" nop; nop\n"
	" mov 16(%rsp), %rbp\n"			/* 5 */
	" add $24, %rsp\n"			/* 4 */
	" ret\n"
	" .skip 6, 0xcc\n"
	"goexit: nop; nop; int3; int3\n"
	"end:\n"
	".globl _start\n"
	"_start: jmp base\n"

	".macro function name\n"
	" .if VERSION >= 18\n"
	"  .long \\name - base, \\name\\()_record - functions\n"
	" .elseif VERSION == 16\n"
	"  .quad \\name, \\name\\()_record - functions\n"
	" .else\n"
	"  .quad \\name, \\name\\()_record - table\n"
	" .endif\n"
	".endm\n"
	".macro record name, pcsp, flags, inlined\n"
	" .balign 8\n"
	"\\name\\()_record:\n"
	" .if VERSION >= 18\n  .long \\name - base\n"
	" .else\n  .quad \\name\n .endif\n"
	" .long \\name\\()_name - names, 0, 0, \\pcsp - values\n"
	" .long pcfile - values, \\name\\()_lines - values, 3 * \\inlined\n"
	" .if VERSION >= 16\n  .long 0\n .endif\n"	/* unit */
	" .if VERSION >= 20\n  .long 0\n .endif\n"	/* first line */
	" .byte 0, \\flags, 0, 4 * \\inlined\n"
	" .if \\inlined\n"
	"  .long 0, 0, places - values, -1, -1, -1, tree - funcs\n"
	" .endif\n"
	".endm\n"

	"place\n"
	".balign 32\n"
	"table:\n"
	".if VERSION == 2\n .long 0xfffffffb\n .endif\n"
	".if VERSION == 16\n .long 0xfffffffa\n .endif\n"
	".if VERSION == 18\n .long 0xfffffff0\n .endif\n"
	".if VERSION == 20\n .long 0xfffffff1\n .endif\n"
	".short 0\n .byte 1, 8\n"
	".quad 3\n"
	".if VERSION >= 16\n .quad 1\n .endif\n"
	".if VERSION >= 18\n"
	" .if HAS_TEXT\n  .quad base\n .else\n  .quad 0\n .endif\n"
	".endif\n"
	".if VERSION >= 16\n"
	" .quad names - table, units - table, files - table\n"
	" .quad values - table, functions - table\n"
	".endif\n"
	"functions:\n"
	" function leaf\n function frame\n function goexit\n"
	".if VERSION >= 18\n .long end - base\n"
	".else\n .quad end\n .endif\n"
	".if VERSION == 2\n .long files - table\n .endif\n"
	" record leaf, no_frame, 0, 1\n"
	" record frame, with_frame, 0, 0\n"
	" record goexit, no_frame, 1, 0\n"
	".if VERSION > 2\nnames:\n"
	".else\n .set names, table\n .set values, table\n .endif\n"
	"leaf_name: .asciz \"example%2ecom/m.leaf\"\n"
	"frame_name: .asciz \"main.frame\"\n"
	"goexit_name: .asciz \"runtime.goexit\"\n"
	"tiny_name: .asciz \"main.tiny\"\n"
	".balign 4\n"
	"units: .long 0\n"
	"files:\n"
	".if VERSION == 2\n .long 2, file - table\n .endif\n"
	"file: .asciz \"/src/main.go\"\n"
	".if VERSION > 2\nvalues: .byte 0\n .endif\n"
	/* Pairs: zigzag step of the value, which is -1 at first; bytes. */
	"no_frame: .byte 2, 100, 0\n"
	"with_frame: .byte 2, 4, 48, 21, 47, 100, 0\n"
	".if VERSION == 2\npcfile: .byte 4, 100, 0\n"
	".else\npcfile: .byte 2, 100, 0\n .endif\n"
	"leaf_lines: .byte 22, 3, 2, 100, 0\n"
	"frame_lines: .byte 42, 100, 0\n"
	"goexit_lines: .byte 62, 100, 0\n"
	"places: .byte 0, 1, 2, 1, 1, 100, 0\n"

	".section .rodata\n"
	"rodata: .quad 0\n"
	"funcs: .quad 0\n"
	"tree:\n"
	".if VERSION < 20\n"
	" .short -1\n .byte 0, 0\n .long 0, 0, tiny_name - names, 3\n"
	".else\n"
	" .long 0, tiny_name - names, 3, 0\n"
	".endif\n"

	".data\n"
	".skip 24\n"
	"module: .quad table, names\n"
	" .skip 18 * 8\n"
	" .quad leaf, end, base, end\n"
	" .skip 13 * 8\n"
	" .if VERSION >= 20\n .skip 16\n .endif\n"
	" .quad rodata, funcs, 0, 0\n";

#endif
