/* SPDX-License-Identifier: MIT */
/*
 * manual.c - print flametop(1); `make man` keeps docs/flametop.1 by it.
 */
#include "app/manual.h"

int
main(void)
{
	manual_write(stdout);
	return fflush(stdout) == 0 ? 0 : 1;
}
