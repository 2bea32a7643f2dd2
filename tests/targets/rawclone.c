/* SPDX-License-Identifier: MIT */
/*
 * rawclone.c - a thread that libc knows nothing of, made by clone(2) alone.
 * Its first frame spin_raw() has a return address of zero: a whole stack of
 * one frame.
 */
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "tests/targets/target.h"

FRAME static void
spin_raw(void)
{
	for (;;)
		spin(1000000);
}

int
main(void)
{
	char *stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long *top = (unsigned long *)(stack + 65536) - 4;
	long status;

	target_begin();
	top[0] = (unsigned long)spin_raw;
	top[1] = 0;
	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xor %%ebp, %%ebp\n\t"
			 "ret\n"
			 "1:"
			 : "=a"(status)
			 : "a"(SYS_clone),
			   "D"(CLONE_VM | CLONE_FS | CLONE_FILES |
			       CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM),
			   "S"(top), "d"(0L)
			 : "rcx", "r11", "memory");
	pause();
	return status < 0;
}
