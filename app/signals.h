/* SPDX-License-Identifier: MIT */
/*
 * signals.h - signals taken from a descriptor.
 */
#ifndef APP_SIGNALS_H
#define APP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * What flametop wants to hear of. SIGHUP is not in it if whoever started us
 * ignores it (nohup).
 */
void signals_set(sigset_t *set);

/* Have them ignored: what the terminal sends to the whole job. */
void signals_ignore(void);

/*
 * Block them before any thread starts. Returns a descriptor to poll, or -1.
 */
int signals_open(void);

/* The next signal number that has come, 0 when none has. */
int signals_next(int fd);

/*
 * Take all that have come: was one of those among them that end a program? ^Z
 * and what continues it are none, nor is SIGUSR1.
 */
bool signals_ask_end(int fd);

/*
 * From now on a signal that ends a program ends this one, at once: for what
 * computes, and has no terminal and no target to give back.
 */
void signals_end_us(void);

/*
 * For a thread about to be started: it gets no signal but those that its own
 * faults raise. BEFORE is for pthread_sigmask() afterwards.
 */
void signals_quiet(sigset_t *before);

#endif
