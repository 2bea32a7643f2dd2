/* SPDX-License-Identifier: MIT */
/* plugin_a.c - a library for plugins.c; busy in in_a(). */
#include "tests/targets/target.h"

void run(unsigned long n);

FRAME static void
in_a(unsigned long n)
{
	spin(n);
	STAY;
}

void
run(unsigned long n)
{
	in_a(n);
	STAY;
}
