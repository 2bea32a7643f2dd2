/* SPDX-License-Identifier: MIT */
/*
 * built.h - small programs that a test builds for itself.
 */
#ifndef TESTS_UNIT_BUILT_H
#define TESTS_UNIT_BUILT_H

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* Make an empty folder the current one; *STATE remembers it. */
static inline int
enter_folder(void **state)
{
	static const char form[] = "/tmp/flametop-test-XXXXXX";
	char *folder = malloc(sizeof(form));

	snprintf(folder, sizeof(form), form);
	*state = folder;
	return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

/* Remove the folder with all that is in it. */
static inline int
leave_folder(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", (char *)*state);
	free(*state);
	return chdir("/") || system(command);
}

static inline void
write_file(const char *name, const char *text)
{
	FILE *out = fopen(name, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

/* Run a shell command that has to succeed. */
static inline void
run(const char *command)
{
	char quiet[4096];

	snprintf(quiet, sizeof(quiet), "{ %s; } >log 2>&1 || { cat log; "
				       "exit 1; }", command);
	if (system(quiet))
		fail_msg("failed: %s", command);
}

static inline bool
can_run(const char *command)
{
	char quiet[4096];

	snprintf(quiet, sizeof(quiet), "{ %s; } >log 2>&1", command);
	return !system(quiet);
}

static inline int
open_file(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

#endif
