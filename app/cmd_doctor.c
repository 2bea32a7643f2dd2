/* SPDX-License-Identifier: MIT */
/*
 * cmd_doctor.c - placeholder until the next step.
 */
#include "app/commands.h"

int
cmd_doctor(const struct options *options)
{
	(void)options;
	return STATUS_DONE;
}
