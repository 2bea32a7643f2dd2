/* SPDX-License-Identifier: MIT */
/*
 * stacks.S - from one stack to another and back, as OCaml 5's runtime does it.
 *
 * What runs on a stack of its own is called by enter() from the thread's, by
 * run() from another such stack; by call_c() it calls C on the thread's stack
 * again. Each leaves a word where the unwind rules find the stack that it came
 * from: their CFA is an expression that reads memory, and may lie lower than
 * what it is computed from.
 *
 *	int enter(int (*function)(int), int n);
 *	int call_c(int (*function)(int), int n);
 *	int run(int (*function)(int), int n, struct stack *stack);
 *
 * With MARKED they say, as OCaml's do, that what called them was interrupted,
 * so that debuggers let a stack go the other way.
 */
#ifdef MARKED
#define BEGIN .cfi_startproc; .cfi_signal_frame
#else
#define BEGIN .cfi_startproc
#endif

/* struct stack of stacks.c */
#define STACK_SP 0
#define STACK_PARENT 8

/* What enter() leaves on the thread's stack, where call_c() goes on. */
#define LINK_SP 8
#define LINK_BEFORE 16
#define LINK_SIZE 24

/* And what is above the first frame of a stack. */
#define TOP_FROM 16
#define TOP_SP 24
#define TOP_SIZE 32

	.text
	.globl enter
	.type enter, @function
enter:
	BEGIN
	push %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	push %r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r12, 0
	push %r13
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r13, 0
	push %r14
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r14, 0
	push %r15
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r15, 0
	sub $LINK_SIZE, %rsp
	.cfi_adjust_cfa_offset LINK_SIZE
	mov last_link(%rip), %rax
	mov %rax, LINK_BEFORE(%rsp)
	mov %rsp, last_link(%rip)
	mov running(%rip), %r10
	mov STACK_SP(%r10), %rcx
	lea -TOP_SIZE(%rcx), %r11
	and $-16, %r11
	mov %rsp, TOP_FROM(%r11)
	mov %rcx, TOP_SP(%r11)
	mov %rdi, %rax
	mov %esi, %edi
	xor %ebp, %ebp
	.cfi_remember_state
	mov %r11, %rsp
	/* *(rsp + TOP_FROM) + LINK_SIZE + 7 * 8 */
	.cfi_escape 0x0f, 5, 0x77, TOP_FROM, 0x06, 0x23, LINK_SIZE + 7 * 8
	call *%rax
	mov running(%rip), %r10
	mov TOP_SP(%rsp), %rcx
	mov %rcx, STACK_SP(%r10)
	mov TOP_FROM(%rsp), %rsp
	.cfi_restore_state
	mov LINK_BEFORE(%rsp), %rcx
	mov %rcx, last_link(%rip)
	add $LINK_SIZE, %rsp
	.cfi_adjust_cfa_offset -LINK_SIZE
	pop %r15
	.cfi_adjust_cfa_offset -8
	.cfi_restore r15
	pop %r14
	.cfi_adjust_cfa_offset -8
	.cfi_restore r14
	pop %r13
	.cfi_adjust_cfa_offset -8
	.cfi_restore r13
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
	.size enter, . - enter

	.globl call_c
	.type call_c, @function
call_c:
	BEGIN
	mov running(%rip), %r10
	mov last_link(%rip), %r11
	mov %rsp, STACK_SP(%r10)
	mov %rsp, LINK_SP(%r11)
	mov %rdi, %rax
	mov %esi, %edi
	.cfi_remember_state
	mov %r11, %rsp
	/* *(rsp + LINK_SP) + 8 */
	.cfi_escape 0x0f, 5, 0x77, LINK_SP, 0x06, 0x23, 8
	call *%rax
	mov LINK_SP(%rsp), %rsp
	.cfi_restore_state
	ret
	.cfi_endproc
	.size call_c, . - call_c

	.globl run
	.type run, @function
run:
	BEGIN
	mov running(%rip), %r10
	mov %rsp, STACK_SP(%r10)
	mov %r10, STACK_PARENT(%rdx)
	mov %rdx, running(%rip)
	mov STACK_SP(%rdx), %r11
	sub $TOP_SIZE, %r11
	mov %rdx, TOP_FROM(%r11)
	mov %rdi, %rax
	mov %esi, %edi
	.cfi_remember_state
	mov %r11, %rsp
	/* *(*(*(rsp + TOP_FROM) + STACK_PARENT)) + 8 */
	.cfi_escape 0x0f, 9, 0x77, TOP_FROM, 0x06, 0x23, STACK_PARENT, 0x06, \
		0x06, 0x23, 8
	call *%rax
	mov TOP_FROM(%rsp), %rdx
	lea TOP_SIZE(%rsp), %rcx
	mov %rcx, STACK_SP(%rdx)
	mov STACK_PARENT(%rdx), %r10
	mov %r10, running(%rip)
	mov STACK_SP(%r10), %rsp
	.cfi_restore_state
	ret
	.cfi_endproc
	.size run, . - run

	.local last_link
	.comm last_link, 8, 8

	.section .note.GNU-stack, "", @progbits
