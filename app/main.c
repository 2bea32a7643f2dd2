/* SPDX-License-Identifier: MIT */
/*
 * main.c - the command line to a command.
 *
 * Read on in supervisor.c (the processes), recording.c (samples and names)
 * and session.c (the screen).
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/options.h"
#include "app/say.h"

static int (*const commands[COMMAND_COUNT])(const struct options *options) = {
	[COMMAND_LIVE] = cmd_live,
	[COMMAND_RECORD] = cmd_record,
	[COMMAND_REPORT] = cmd_report,
	[COMMAND_DUMP] = cmd_dump,
	[COMMAND_CONVERT] = cmd_convert,
	[COMMAND_MERGE] = cmd_convert,
	[COMMAND_DIFF] = cmd_diff,
	[COMMAND_DOCTOR] = cmd_doctor,
	[COMMAND_EXPLAIN] = cmd_explain,
	[COMMAND_DEMO] = cmd_demo,
};

/*
 * Of 0 to 2, what the caller closed would become a socket of ours, and what
 * is printed would go there. It stays a place that takes nothing.
 */
static void
keep_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int
main(int argc, char **argv)
{
	struct options options;
	struct error err;

	keep_standard_descriptors();
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
