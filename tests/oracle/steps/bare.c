/* SPDX-License-Identifier: MIT */
/*
 * bare.c - calls bare.S.
 */
int bare_main(void);

int
main(void)
{
	int i, sum = 0;

	for (i = 0; i < 20; i++)
		sum += bare_main();
	return sum;
}
