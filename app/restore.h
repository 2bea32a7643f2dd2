/* SPDX-License-Identifier: MIT */
/*
 * restore.h - what is put right when the app is gone.
 *
 * Only write(2), tcsetattr(3) and /proc are used: this works when curses,
 * memory and everything else is in ruins.
 */
#ifndef APP_RESTORE_H
#define APP_RESTORE_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct terminal_state {
	bool is_terminal;
	struct termios modes;
	int flags[3];		/* fcntl(F_GETFL) of descriptors 0, 1, 2 */
};

void terminal_save(struct terminal_state *state);

/* Put modes back; HAS_SCREEN: also leave the alternate screen, show the
   cursor, and switch mouse and paste reports off. */
void terminal_restore(const struct terminal_state *state, bool has_screen);

/*
 * No thread of PID may be left in a tracing stop: wait up to a second for the
 * kernel to let them go, and name on standard error what stays.
 */
void restore_check_target(pid_t pid);

#endif
