/* SPDX-License-Identifier: MIT */
/*
 * vforks.c - vfork(2) without end. While the child runs, libc keeps the
 * return address in a register and not on the stack. Expected:
 *
 *	main > calls_vfork > vfork > (kernel)
 */
#include <sys/wait.h>

#include "tests/targets/target.h"

FRAME static int
calls_vfork(void)
{
	int status = 0;
	pid_t child = vfork();

	if (child == 0)
		_exit(0);
	waitpid(child, &status, 0);
	return status;
}

int
main(void)
{
	target_begin();
	for (;;)
		calls_vfork();
}
