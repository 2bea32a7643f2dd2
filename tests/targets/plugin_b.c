/* SPDX-License-Identifier: MIT */
/* plugin_b.c - a library for plugins.c; busy in in_b(). */
#include "tests/targets/target.h"

void run(unsigned long n);

FRAME static void
in_b(unsigned long n)
{
	spin(n);
	STAY;
}

void
run(unsigned long n)
{
	in_b(n);
	STAY;
}
