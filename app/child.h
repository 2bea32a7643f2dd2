/* SPDX-License-Identifier: MIT */
/*
 * child.h - starting "-- CMD".
 */
#ifndef APP_CHILD_H
#define APP_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/base.h"

struct child {
	char *const *command;	/* found along PATH; or NULL */
	int (*run)(void);	/* instead of a command: starts at once */
	bool is_apart;		/* own session, standard input empty, output
				   to OUTPUT or nowhere */
	const char *output;

	/* Set by child_start(). */
	pid_t pid;
	int gate;		/* write a byte to let a command begin; closed
				   without one, it never does. -1: no gate */
};

/*
 * Fork. A command waits behind its gate, so that sampling can be ready before
 * its first instruction.
 */
bool child_start(struct child *child, struct error *err);

/* Ask PID and its process group to end (SIGTERM). */
void child_end(pid_t pid);

#endif
