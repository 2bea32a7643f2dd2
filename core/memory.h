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
};

/* Numbers of System V AMD64 DWARF registers (psABI 3.6.2, figure 3.36). */
enum {
	REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
	REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	REG_RIP,
	REG_COUNT
};

struct regs {
	uint64_t r[REG_COUNT];
};

#endif
