/* SPDX-License-Identifier: MIT */
/*
 * segments.c - half of the functions in a section .far, which the test has put
 * megabytes away, in an executable segment of its own. Expected:
 *
 *	main > near_caller > far_leaf
 *	     > far_caller  > near_leaf
 */
#include "tests/targets/target.h"

#define FAR __attribute__((noinline, section(".far")))

FAR void
far_leaf(void)
{
	spin(10000000);
	STAY;
}

FRAME void
near_leaf(void)
{
	spin(10000000);
	STAY;
}

FAR void
far_caller(void)
{
	near_leaf();
	STAY;
}

FRAME void
near_caller(void)
{
	far_leaf();
	STAY;
}

int
main(void)
{
	target_begin();
	for (;;) {
		near_caller();
		far_caller();
	}
}
