/* SPDX-License-Identifier: MIT */
/*
 * bell.h - a descriptor that one thread rings and another one polls.
 *
 * It is readable from the first ring until it is silenced, however often it
 * was rung.
 */
#ifndef APP_BELL_H
#define APP_BELL_H

/* An eventfd that the caller closes. Nothing here blocks. */
int bell_new(void);
void bell_ring(int bell);
void bell_silence(int bell);

#endif
