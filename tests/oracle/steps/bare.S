/* SPDX-License-Identifier: MIT */
/*
 * bare.S - code that says how it keeps its stack, and code that does not.
 *
 * bare_main calls each function below and returns 0. The first ones have
 * rules, some of the odd kinds; the others have none and keep frame pointers.
 */
	.text

/* Saves everything that is to be saved, one push after the other. */
	.globl saver
	.type saver, @function
saver:
	.cfi_startproc
	push %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	push %r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r12, 0
	sub $40, %rsp
	.cfi_adjust_cfa_offset 40
	mov $77, %ebp
	mov $78, %ebx
	call leaf
	add $40, %rsp
	.cfi_adjust_cfa_offset -40
	pop %r12
	.cfi_adjust_cfa_offset -8
	.cfi_restore r12
	pop %rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbp
	pop %rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	ret
	.cfi_endproc
	.size saver, . - saver

/* Keeps its frame in rbx, which its callee saves: needs all registers. */
	.globl by_rbx
	.type by_rbx, @function
by_rbx:
	.cfi_startproc
	push %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	mov %rsp, %rbx
	.cfi_def_cfa_register rbx
	and $-64, %rsp
	sub $64, %rsp
	call saver
	mov %rbx, %rsp
	.cfi_def_cfa_register rsp
	pop %rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	ret
	.cfi_endproc
	.size by_rbx, . - by_rbx

/* As gcc realigns a stack: the CFA is in memory, at rbp - 8. */
	.globl realigned
	.type realigned, @function
realigned:
	.cfi_startproc
	lea 8(%rsp), %r10
	.cfi_def_cfa r10, 0
	and $-32, %rsp
	push -8(%r10)
	push %rbp
	.cfi_escape 0x10, 0x6, 0x2, 0x76, 0x0
	mov %rsp, %rbp
	push %r10
	.cfi_escape 0xf, 0x3, 0x76, 0x78, 0x6
	sub $40, %rsp
	call saver
	add $40, %rsp
	pop %r10
	.cfi_def_cfa r10, 0
	pop %rbp
	lea -8(%r10), %rsp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size realigned, . - realigned

/* Its return address is in a register for a while. */
	.globl in_rdi
	.type in_rdi, @function
in_rdi:
	.cfi_startproc
	pop %rdi
	.cfi_adjust_cfa_offset -8
	.cfi_register rip, rdi
	nop
	nop
	push %rdi
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rip, 0
	ret
	.cfi_endproc
	.size in_rdi, . - in_rdi

/* Takes its arguments off the stack itself. */
	.globl taker
	.type taker, @function
taker:
	.cfi_startproc
	mov 8(%rsp), %rax
	ret $16
	.cfi_endproc
	.size taker, . - taker

	.globl leaf
	.type leaf, @function
leaf:
	.cfi_startproc
	xor %eax, %eax
	mov %rax, -8(%rsp)
	ret
	.cfi_endproc
	.size leaf, . - leaf

	.globl bare_main
	.type bare_main, @function
bare_main:
	.cfi_startproc
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	mov %rsp, %rbp
	.cfi_def_cfa_register rbp
	call saver
	call by_rbx
	call realigned
	call in_rdi
	push $1
	push $2
	call taker
	call framed
	xor %eax, %eax
	leave
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size bare_main, . - bare_main

/* From here on without rules. */
	.globl framed
	.type framed, @function
framed:
	push %rbp
	mov %rsp, %rbp
	sub $48, %rsp
	mov %rdi, -8(%rbp)
	call framed_leaf
	call saver
	leave
	ret
	.size framed, . - framed

	.type framed_leaf, @function
framed_leaf:
	push %rbp
	mov %rsp, %rbp
	mov %rdi, -16(%rbp)
	pop %rbp
	ret
	.size framed_leaf, . - framed_leaf

	.section .note.GNU-stack, "", @progbits
