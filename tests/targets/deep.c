/* SPDX-License-Identifier: MIT */
/*
 * deep.c - busy below so many frames of one function (5000 by default).
 *
 *	deep [FRAMES]
 *
 * Its stack of 1 MB is far beyond any copy: every sample must show FRAMES
 * times deep() between main() and bottom(), or say what it left out.
 */
#include <stdlib.h>

#include "tests/targets/target.h"

FRAME static int
bottom(void)
{
	for (;;)
		spin(1000000);
}

FRAME static int
deep(int n)
{
	volatile char room[200];

	room[0] = (char)n;
	return (n ? deep(n - 1) : bottom()) + room[0];
}

int
main(int argc, char **argv)
{
	target_begin();
	return deep((argc > 1 ? atoi(argv[1]) : 5000) - 1) + 1;
}
