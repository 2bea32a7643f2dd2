/* SPDX-License-Identifier: MIT */
/*
 * signals.h - signals of the app, taken from a descriptor.
 */
#ifndef APP_SIGNALS_H
#define APP_SIGNALS_H

/*
 * Block what flametop wants to hear of (app/child.h) before any thread
 * starts. Returns a descriptor to poll, or -1.
 */
int signals_open(void);

/* The next signal number that has come, 0 when none has. */
int signals_next(int fd);

#endif
