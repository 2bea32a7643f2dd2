/* SPDX-License-Identifier: MIT */
/*
 * completion.h - what shells know of the command line, from the tables that
 * the program itself uses.
 */
#ifndef APP_COMPLETION_H
#define APP_COMPLETION_H

#include <stdio.h>

/*
 * Write the file that a shell completes flametop's words by: bash(1)
 * "Programmable Completion", zshcompsys(1), and complete(1) of fish.
 */
void completion_write_bash(FILE *out);
void completion_write_zsh(FILE *out);
void completion_write_fish(FILE *out);

#endif
