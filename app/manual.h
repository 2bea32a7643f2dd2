/* SPDX-License-Identifier: MIT */
/*
 * manual.h - flametop(1), from the tables that the program itself uses.
 */
#ifndef APP_MANUAL_H
#define APP_MANUAL_H

#include <stdio.h>

/* Write the manual as roff (man(7)). */
void manual_write(FILE *out);

/* Write the keys in force and what they do, as a table of Markdown. */
void manual_write_keys(FILE *out);

#endif
