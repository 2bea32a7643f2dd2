/* SPDX-License-Identifier: MIT */
/*
 * signals.h - signals of the app, taken from a descriptor.
 */
#ifndef APP_SIGNALS_H
#define APP_SIGNALS_H

#include <signal.h>

/*
 * Block what flametop wants to hear of (app/child.h) before any thread
 * starts. Returns a descriptor to poll, or -1.
 */
int signals_open(void);

/* The next signal number that has come, 0 when none has. */
int signals_next(int fd);

/*
 * For a thread about to be started: it gets no signal but those that its own
 * faults raise. BEFORE is for pthread_sigmask() afterwards.
 */
void signals_quiet(sigset_t *before);

#endif
