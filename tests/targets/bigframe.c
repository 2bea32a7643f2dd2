/* SPDX-License-Identifier: MIT */
/*
 * bigframe.c - one frame of 100 KB between leaf() and main(): a copy of the
 * stack ends inside of it, and main() must be found all the same.
 */
#include "tests/targets/target.h"

FRAME static void
leaf(volatile char *room)
{
	for (;;) {
		spin(1000000);
		room[0]++;
	}
}

FRAME static void
big_frame(void)
{
	volatile char room[100000];

	leaf(room);
	room[1] = room[2];
}

int
main(void)
{
	target_begin();
	big_frame();
	return 0;
}
