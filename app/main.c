/* SPDX-License-Identifier: MIT */
/*
 * main.c - the command line to a command.
 *
 * Read on in supervisor.c (the processes), recording.c (samples and names)
 * and session.c (the screen).
 */
#include <stdio.h>

#include "app/commands.h"
#include "app/options.h"
#include "app/say.h"

static int (*const commands[COMMAND_COUNT])(const struct options *options) = {
	[COMMAND_LIVE] = cmd_live,
	[COMMAND_RECORD] = cmd_record,
	[COMMAND_REPORT] = cmd_report,
	[COMMAND_DOCTOR] = cmd_doctor,
	[COMMAND_DEMO] = cmd_demo,
};

int
main(int argc, char **argv)
{
	struct options options;
	struct error err;

	if (!options_parse(&options, argc, argv, &err)) {
		say("%s", err.text);
		return STATUS_USAGE;
	}
	if (options.has[OPTION_VERSION]) {
		puts("flametop " FLAMETOP_VERSION);
		return say_flush();
	}
	if (options.has[OPTION_HELP]) {
		options_help(stdout);
		return say_flush();
	}
	return commands[options.command](&options);
}
