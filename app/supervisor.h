/* SPDX-License-Identifier: MIT */
/*
 * supervisor.h - the small first process: it starts the others and cleans up.
 *
 *	supervisor --+-- app        samples, draws, saves
 *	             +-- symbols    parses files for names, and
 *	             +-- tables     for unwind rules; started again when they
 *	             |              die
 *	             +-- command    "-- CMD", held until the sampler is ready
 *
 * It has one thread and parses nothing. Whatever becomes of the app, it gives
 * the terminal back as it was and looks whether a thread of the target has
 * been left stopped. If the supervisor itself dies, the app is told by SIGHUP
 * and does so.
 *
 * App and supervisor talk over socketpairs of struct control records, one for
 * main and one for the tables thread, and share one page.
 */
#ifndef APP_SUPERVISOR_H
#define APP_SUPERVISOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/base.h"
#include "sampler/sampler.h"

#define SHARED_TARGETS 64

/* One page that app and supervisor both see. */
struct shared {
	struct stop_watch watch;
	_Atomic bool is_stopping;	/* mind the watch: true until the app is
					   sure to stop nothing */
	_Atomic bool has_screen;	/* the app has taken the terminal */
	_Atomic pid_t targets[SHARED_TARGETS];
};

enum control_type {
	CONTROL_READY,		/* app: the command may start */
	CONTROL_SUSPEND,	/* app: stop us all, as ^Z does */
	CONTROL_RESUMED,	/* supervisor: that is over */
	CONTROL_HANGS,		/* app: PID, who parses, does not answer */
	CONTROL_SYMBOLS,	/* supervisor: a new one that parses; PID, a
				   descriptor, VALUE is how the last one
				   ended (wait status) */
	CONTROL_ENDED,		/* supervisor: the command, VALUE likewise */
	CONTROL_EDIT,		/* app, having left the screen: an editor on
				   the file TEXT at line VALUE */
	CONTROL_EDITED,		/* supervisor: it has ended, VALUE likewise */
};

struct control {
	enum control_type type;
	int value;
	pid_t pid;
	char text[4096];
};

/* Never blocks. FD is passed along unless it is -1. */
bool control_send(int sock, const struct control *message, int fd);

/* The next message; *FD is the caller's or -1. False: none, or the other
   end has gone (*HAS_GONE). */
bool control_receive(int sock, struct control *message, int *fd,
		     bool *has_gone);

/* What the app gets. Descriptors are its own. */
struct link {
	int control;
	int symbols;		/* wire.h */
	int tables_control;	/* for the tables thread: the same */
	int tables;
	int signals;		/* app/signals.h */
	pid_t symbols_pid, tables_pid, supervisor_pid;
	pid_t command;		/* held until CONTROL_READY; 0: none */
	struct shared *shared;
};

/* What is to run under supervision. */
struct plan {
	/* The app: its result is the exit status. */
	int (*app)(void *ctx, struct link *link);
	void *ctx;

	/*
	 * A command to start, or a function to run in a child; or neither.
	 * Either is asked to end (SIGTERM) when the app has ended.
	 */
	char *const *command;
	int (*child)(void);

	bool is_screen;		/* keep the command away from the terminal */
	const char *output;	/* where its output goes then; or NULL */
};

/* Run PLAN to its end and return the exit status. */
int supervise(const struct plan *plan);

#endif
