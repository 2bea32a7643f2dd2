/* SPDX-License-Identifier: MIT */
/*
 * say.h - what is told on standard error, and what standard output took.
 */
#ifndef APP_SAY_H
#define APP_SAY_H

/*
 * One line, "flametop: " before it. Whatever is quoted in it - a path, a name,
 * a word of the command line - is cleaned on the way (core/sanitise.h).
 */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * What was printed must arrive. A status; a reader that has had enough
 * (head) is no failure, everything else is told on standard error.
 */
int say_flush(void);

#endif
