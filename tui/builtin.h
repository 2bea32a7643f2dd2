/* SPDX-License-Identifier: MIT */
/*
 * builtin.h - the shipped themes and keys, as the bytes they are.
 *
 * The table is made from the files by tui/embed.awk.
 */
#ifndef TUI_BUILTIN_H
#define TUI_BUILTIN_H

struct builtin {
	const char *kind;	/* "theme", "keys" */
	const char *name;	/* "default" for default.theme */
	const char *text;
};

/* Ends with a row of NULLs. */
extern const struct builtin builtin_files[];

#endif
