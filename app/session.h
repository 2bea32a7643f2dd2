/* SPDX-License-Identifier: MIT */
/*
 * session.h - the live loop: keys and samples in, pictures out.
 *
 *	poll --> signals
 *	     --> take what capture has: the first at once, then every 100 ms
 *	         (unless frozen)
 *	     --> supervisor, names, keys
 *	     --> draw, when something changed and the terminal takes it; but the
 *	         first samples not before their names (app/first.h)
 *
 * It runs on the main thread and may be slow: nothing of capture waits for
 * it.
 */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/options.h"
#include "app/recording.h"
#include "app/supervisor.h"

/*
 * Show RECORDING, which was started, or the profile at options->file (with a
 * recording that was only initialised). Returns the exit status.
 */
int session_run(struct recording *recording);

#endif
