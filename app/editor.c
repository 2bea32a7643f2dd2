/* SPDX-License-Identifier: MIT */
/*
 * editor.c - the user's editor at a line of a file.
 */
#include "app/editor.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/say.h"

#define WORDS_MAX 16		/* of $VISUAL */
#define NOT_FOUND 127		/* as a shell says it */

static const char *
wish(void)
{
	static const char *const variables[] = { "VISUAL", "EDITOR" };

	for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
		const char *value = getenv(variables[i]);

		if (value && value[strspn(value, " \t")])
			return value;
	}
	return "vi";
}

bool
editor_is_permitted(struct error *err)
{
	struct stat terminal;

	if (getauxval(AT_SECURE) || getuid() != geteuid())
		return fail(err, 0, "flametop has privileges that you have not: "
			    "it starts no editor");
	if (fstat(STDIN_FILENO, &terminal) == 0 &&
	    terminal.st_uid != geteuid())
		return fail(err, 0, "flametop runs as another user than the "
			    "terminal's: it starts no editor");
	return true;
}

static void
run(const char *path, int line)
{
	char *argv[WORDS_MAX + 3], *words = xstrdup(wish()), *save = NULL;
	char place[24];
	size_t n = 0;

	for (char *word = strtok_r(words, " \t", &save);
	     word && n < WORDS_MAX; word = strtok_r(NULL, " \t", &save))
		argv[n++] = word;
	snprintf(place, sizeof(place), "+%d", line > 0 ? line : 1);
	argv[n++] = place;
	argv[n++] = (char *)path;
	argv[n] = NULL;
	execvp(argv[0], argv);
	_exit(NOT_FOUND);
}

void
editor_to_front(pid_t editor)
{
	setpgid(editor, editor);
	tcsetpgrp(STDIN_FILENO, editor);	/* SIGTTOU is ignored */
}

pid_t
editor_start(const char *path, int line)
{
	static const int signals[] = { SIGTTOU, SIGPIPE, SIGTSTP, SIGINT };
	pid_t pid = fork();
	sigset_t none;

	if (pid > 0)
		editor_to_front(pid);
	if (pid != 0)
		return pid > 0 ? pid : 0;
	editor_to_front(getpid());
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		signal(signals[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close_range(STDERR_FILENO + 1, ~0U, 0);
	run(path, line);
	return 0;
}
