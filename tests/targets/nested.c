/* SPDX-License-Identifier: MIT */
/*
 * nested.c - a fault in the handler of a fault, on a stack of its own. Expected:
 *
 *	main > outer > fault_here > (return from signal) > handler > again >
 *	(return from signal) > handler > busy
 */
#include <signal.h>
#include <stdlib.h>

#include "tests/targets/target.h"

static int depth;

FRAME static void
busy(void)
{
	for (;;)
		spin(1000000);
}

FRAME static void
again(void)
{
	*(volatile int *)16 = 2;
}

static void
handler(int number)
{
	(void)number;
	if (depth++)
		busy();
	again();
	STAY;
}

FRAME static void
fault_here(void)
{
	*(volatile int *)8 = 1;
}

FRAME static void
outer(void)
{
	fault_here();
	STAY;
}

int
main(void)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };
	struct sigaction action = { .sa_handler = handler,
				    .sa_flags = SA_ONSTACK | SA_NODEFER };

	target_begin();
	sigaltstack(&stack, NULL);
	sigaction(SIGSEGV, &action, NULL);
	outer();
	return 0;
}
