/* SPDX-License-Identifier: MIT */
/*
 * kallsyms.h - the kernel's functions, from the text of /proc/kallsyms.
 *
 *	ffffffff81000000 T startup_64
 *	ffffffffc0a11000 t ext4_readdir	[ext4]
 *
 * There are no sizes: a function reaches to the next symbol of any kind, but
 * not further than 64 KiB. A kernel that hides its addresses from this user
 * prints them all as zero; that is a failure, not a table.
 */
#ifndef SYMBOLS_KALLSYMS_H
#define SYMBOLS_KALLSYMS_H

#include <stdbool.h>

#include "core/base.h"
#include "symbols/ranges.h"

/* Read FD, which is borrowed, to its end. On success *OUT is new. */
bool kallsyms_read(int fd, struct ranges **out, struct error *err);

#endif
