/* SPDX-License-Identifier: MIT */
/*
 * fibers.c - a second stack by makecontext(3). Expected: fiber_body >
 * fiber_leaf as a whole stack of its own, without main.
 */
#include <stdlib.h>
#include <ucontext.h>

#include "tests/targets/target.h"

static ucontext_t main_context, fiber;

FRAME static void
fiber_leaf(void)
{
	spin(100000000);
	STAY;
}

static void
fiber_body(void)
{
	for (;;) {
		fiber_leaf();
		swapcontext(&fiber, &main_context);
	}
}

int
main(void)
{
	target_begin();
	getcontext(&fiber);
	fiber.uc_stack.ss_sp = malloc(65536);
	fiber.uc_stack.ss_size = 65536;
	fiber.uc_link = &main_context;
	makecontext(&fiber, fiber_body, 0);
	for (;;)
		swapcontext(&main_context, &fiber);
}
