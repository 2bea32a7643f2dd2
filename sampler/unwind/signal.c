/* SPDX-License-Identifier: MIT */
/*
 * signal.c - through a signal handler to what it interrupted.
 *
 * The handler returns to a few bytes of libc that call rt_sigreturn(2). There
 * rsp points to the kernel's struct ucontext, where the interrupted registers
 * are. libc's CFI says the same in DWARF expressions, musl's says nothing.
 */
#include <string.h>

#include "core/base.h"
#include "sampler/unwind/step.h"

/* mov $15,%rax; syscall */
static const uint8_t return_code[SIGNAL_RETURN_LEN] = {
	0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05,
};

/* uc_mcontext follows uc_flags, uc_link and uc_stack (asm/ucontext.h). */
#define MCONTEXT 40

bool
signal_is_return(const struct walk *walk, uint64_t addr)
{
	uint8_t code[sizeof(return_code)];

	return walk->memory->read(walk->memory->ctx, addr, code,
				  sizeof(code)) &&
	       !memcmp(code, return_code, sizeof(code));
}

enum step
signal_step(const struct walk *walk, struct regs *regs)
{
	/* struct sigcontext_64 of asm/sigcontext.h. */
	static const uint8_t order[] = {
		X86_R8, X86_R9, X86_R10, X86_R11, X86_R12, X86_R13,
		X86_R14, X86_R15, X86_RDI, X86_RSI, X86_RBP, X86_RBX,
		X86_RDX, X86_RAX, X86_RCX, X86_RSP, X86_RIP,
	};
	uint64_t saved[ARRAY_LEN(order)];
	size_t i;

	if (!walk->memory->read(walk->memory->ctx,
				regs->r[X86_RSP] + MCONTEXT, saved,
				sizeof(saved)))
		return STEP_UNREADABLE;
	for (i = 0; i < ARRAY_LEN(order); i++)
		regs->r[order[i]] = saved[i];
	return STEP_SIGNAL;
}
