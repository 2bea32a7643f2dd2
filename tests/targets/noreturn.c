/* SPDX-License-Identifier: MIT */
/*
 * noreturn.c - a call that never returns is the last instruction of its
 * function, so the return address lies in the next one. Expected:
 *
 *	main > caller_of_never > never        and not innocent_next
 */
#include "tests/targets/target.h"

__attribute__((noreturn)) FRAME static void
never(void)
{
	for (;;)
		spin(1000000);
}

__attribute__((noreturn)) FRAME static void
caller_of_never(void)
{
	never();
}

FRAME int
innocent_next(int x)
{
	return x * 3;
}

int
main(int argc, char **argv)
{
	(void)argv;
	target_begin();
	if (argc < 9)
		caller_of_never();
	return innocent_next(argc);
}
