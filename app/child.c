/* SPDX-License-Identifier: MIT */
/*
 * child.c - a command behind a gate.
 */
#include "app/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/say.h"

#define NOT_FOUND 127		/* as a shell says it */

/* 0 for a file that may be executed, else the errno value that says why not. */
static int
why_no_command(const char *file)
{
	struct stat st;

	if (stat(file, &st) < 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return S_ISREG(st.st_mode) && access(file, X_OK) == 0 ? 0 : EACCES;
}

/* The command is looked for before anything starts: a message beats a 127. */
static bool
find_command(const char *name, struct error *err)
{
	const char *path = getenv("PATH");
	char *all, *rest, *folder;
	int why;

	if (strchr(name, '/')) {
		why = why_no_command(name);
		return !why || fail(err, why, "cannot run %.150s", name);
	}
	all = rest = xstrdup(path ? path : "/usr/local/bin:/usr/bin:/bin");
	while ((folder = strsep(&rest, ":"))) {
		char file[4096];

		snprintf(file, sizeof(file), "%s/%s", *folder ? folder : ".",
			 name);
		if (why_no_command(file) == 0)
			break;
	}
	free(all);
	return folder || fail(err, ENOENT, "cannot run %.150s", name);
}

static int
open_output(const char *path, struct error *err)
{
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC |
			     O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0600) :
			open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		fail(err, errno, "cannot write the command's output to %s",
		     path ? path : "/dev/null");
	else
		fcntl(fd, F_SETFL, O_APPEND);
	return fd;
}

static void
move_apart(int output)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setsid();
	dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
}

static void
run_child(const struct child *child, int gate, int output)
{
	char go;

	if (child->is_apart)
		move_apart(output);
	if (child->run) {
		close_range(STDERR_FILENO + 1, ~0U, 0);
		_exit(child->run());
	}
	if (read(gate, &go, 1) != 1)
		_exit(NOT_FOUND);
	execvp(child->command[0], child->command);
	say("cannot run %s: %s", child->command[0], strerror(errno));
	_exit(NOT_FOUND);
}

bool
child_start(struct child *child, struct error *err)
{
	int gate[2] = { -1, -1 }, output = -1;

	child->gate = -1;
	if (child->command && !find_command(child->command[0], err))
		return false;
	if (child->is_apart) {
		output = open_output(child->output, err);
		if (output < 0)
			return false;
	}
	if (pipe2(gate, O_CLOEXEC) < 0) {
		fail(err, errno, "cannot make a pipe");
		goto fail;
	}
	child->pid = fork();
	if (child->pid < 0) {
		fail(err, errno, "cannot start a process");
		goto fail;
	}
	if (child->pid == 0) {
		close(gate[1]);
		run_child(child, gate[0], output);
	}
	close(gate[0]);
	child->gate = gate[1];
	if (output >= 0)
		close(output);
	return true;

fail:
	if (gate[0] >= 0) {
		close(gate[0]);
		close(gate[1]);
	}
	if (output >= 0)
		close(output);
	return false;
}

void
child_end(pid_t pid)
{
	if (getpgid(pid) == pid)
		kill(-pid, SIGTERM);
	else
		kill(pid, SIGTERM);
}
