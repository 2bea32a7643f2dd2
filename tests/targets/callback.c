/* SPDX-License-Identifier: MIT */
/*
 * callback.c - libc calls back: qsort(3) on the program's own order. Expected,
 * with frames of libc between:
 *
 *	main > sorts > (qsort) > compares
 */
#include <stdlib.h>

#include "tests/targets/target.h"

#define COUNT 64

FRAME static int
compares(const void *a, const void *b)
{
	spin(100000);
	return *(const int *)a - *(const int *)b;
}

FRAME static int
sorts(int *numbers)
{
	for (int i = 0; i < COUNT; i++)
		numbers[i] = (i * 37) % COUNT;
	qsort(numbers, COUNT, sizeof(*numbers), compares);
	STAY;
	return numbers[0];
}

int
main(void)
{
	int numbers[COUNT];

	target_begin();
	for (;;)
		sorts(numbers);
}
