/* SPDX-License-Identifier: MIT */
/*
 * cmd_demo.c - the live screen on the built-in busy program.
 */
#include "app/commands.h"

int
cmd_demo(const struct options *options)
{
	struct plan plan = {
		.app = live_app, .ctx = (void *)options, .child = demo_load,
		.is_screen = true,
	};

	return supervise(&plan);
}
