/* SPDX-License-Identifier: MIT */
/*
 * restore.c - terminal and target, as they were.
 */
#include "app/restore.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/say.h"

/*
 * Modes that any screen of ours may have set (xterm's control sequences, DEC
 * private modes); terminals ignore those they do not have. The order matters:
 * the cursor belongs to the main screen.
 */
static const char leave_screen[] =
	"\033[?1000l\033[?1002l\033[?1003l\033[?1006l"	/* mouse */
	"\033[?2026l"					/* held output */
	"\033[?2004l"					/* bracketed paste */
	"\033[?1l\033>"					/* keypad */
	"\033[0m\033[?1049l\033[?25h\033[0m";

void
terminal_save(struct terminal_state *state)
{
	for (int fd = 0; fd < 3; fd++)
		state->flags[fd] = fcntl(fd, F_GETFL);
	state->is_terminal = tcgetattr(STDIN_FILENO, &state->modes) == 0;
}

/* A terminal that takes no bytes must not keep us. */
static void
write_patiently(int fd, const char *text, size_t len)
{
	struct pollfd ready = { fd, POLLOUT, 0 };
	ssize_t ignored;

	if (poll(&ready, 1, 500) == 1 && (ready.revents & POLLOUT)) {
		ignored = write(fd, text, len);
		(void)ignored;
	}
}

void
terminal_restore(const struct terminal_state *state, bool has_screen)
{
	if (has_screen && isatty(STDOUT_FILENO))
		write_patiently(STDOUT_FILENO, leave_screen,
				sizeof(leave_screen) - 1);
	if (state->is_terminal)
		tcsetattr(STDIN_FILENO, TCSANOW, &state->modes);
	for (int fd = 0; fd < 3; fd++)
		if (state->flags[fd] >= 0)
			fcntl(fd, F_SETFL, state->flags[fd]);
}

/* State of one thread from its stat file; 0 when it is gone. */
static char
thread_state(pid_t pid, const char *tid)
{
	char path[64], text[256];
	const char *end;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%.20s/stat", (int)pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got <= 0)
		return 0;
	text[got] = '\0';
	end = strrchr(text, ')');
	return end && end[1] == ' ' ? end[2] : 0;
}

/* How many threads are in a tracing stop; TID (of SIZE) gets one of them. */
static unsigned
count_stopped(pid_t pid, char *tid, size_t size)
{
	char path[64];
	struct dirent *entry;
	unsigned count = 0;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	if (!tasks)
		return 0;
	while ((entry = readdir(tasks)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    thread_state(pid, entry->d_name) == 't') {
			snprintf(tid, size, "%.20s", entry->d_name);
			count++;
		}
	closedir(tasks);
	return count;
}

void
restore_check_target(pid_t pid)
{
	char tid[32] = "";
	unsigned count = 0;

	for (int i = 0; i < 20; i++) {
		count = count_stopped(pid, tid, sizeof(tid));
		if (count == 0)
			return;
		poll(NULL, 0, 50);
	}
	say("%u threads of %d are in a tracing stop (one is %s); grep "
	    "TracerPid /proc/%s/status names who traces it", count, (int)pid,
	    tid, tid);
}
