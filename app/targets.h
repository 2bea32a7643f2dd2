/* SPDX-License-Identifier: MIT */
/*
 * targets.h - which processes are watched.
 */
#ifndef APP_TARGETS_H
#define APP_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"
#include "app/supervisor.h"
#include "sampler/target.h"

struct targets {
	struct target *at[PIDS_MAX];	/* owned */
	size_t count;
};

/*
 * Open what OPTIONS name (LINK's command, pids or a name; nothing named: the
 * picker, if CAN_ASK). On failure *STATUS is the exit status; an empty error
 * text means that the user left the picker, or all has been said.
 */
bool targets_open(const struct options *options, const struct link *link,
		  bool can_ask, struct targets *out, int *status,
		  struct error *err);

/* The first that a signal has stopped (state T), so it cannot run; or 0. */
pid_t targets_suspended(const struct targets *targets);

void targets_close(struct targets *targets);

#endif
