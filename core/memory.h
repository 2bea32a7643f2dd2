/* SPDX-License-Identifier: MIT */
/*
 * memory.h - somebody's memory as one function, and a thread's registers.
 *
 * The unwinder reads through this, so a test can give it an array.
 */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory {
	/* All LEN bytes at ADDR into BUF, or false. Never blocks for long. */
	bool (*read)(void *ctx, uint64_t addr, void *buf, size_t len);
	void *ctx;
	/*
	 * WINDOW_LEN bytes of it, from WINDOW_ADDR, that can be looked at in
	 * place: the copy of a stack. A shortcut only: READ has them, too.
	 * Borrowed, of any alignment; NULL and 0 where there is none.
	 */
	const void *window;
	uint64_t window_addr;
	size_t window_len;
	/*
	 * Return addresses that the kernel found at the time of the registers,
	 * by frame pointers from TRAIL_FP on, which was in rbp:
	 *
	 *	TRAIL[0] = *(fp + 8), TRAIL[1] = *(*fp + 8), ...
	 *
	 * NTRAIL of them, borrowed. Where a frame pointer was something else
	 * they mean nothing from there on.
	 */
	const uint64_t *trail;
	size_t ntrail;
	uint64_t trail_fp;
};

/*
 * Numbers of System V AMD64 DWARF registers (psABI 3.6.2, figure 3.36). The
 * prefix REG_ is taken by <sys/ucontext.h>, in another order.
 */
enum {
	X86_RAX, X86_RDX, X86_RCX, X86_RBX, X86_RSI, X86_RDI, X86_RBP, X86_RSP,
	X86_R8, X86_R9, X86_R10, X86_R11, X86_R12, X86_R13, X86_R14, X86_R15,
	X86_RIP,
	X86_COUNT
};

struct regs {
	uint64_t r[X86_COUNT];
	uint32_t missing;	/* a bit for each that is not known; never rip
				   or rsp */
};

#endif
