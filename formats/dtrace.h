/* SPDX-License-Identifier: MIT */
/*
 * dtrace.h - stacks that DTrace has aggregated.
 *
 *	CPU     ID                    FUNCTION:NAME
 *	  0  64091                        :tick-60s
 *
 *	  node
 *	              libc.so.1`read+0x11
 *	              node`main+0x4
 *	               12
 *
 * Frames come leaf first, the count stands alone. What a key has before its
 * stacks, as execname, is the thread's name.
 */
#ifndef FORMATS_DTRACE_H
#define FORMATS_DTRACE_H

#include "formats/format.h"

bool dtrace_sniff(const void *bytes, size_t len);
bool dtrace_read(struct lines *lines, const struct read_options *options,
		 struct profile *profile, struct read_report *report,
		 struct error *err);

#endif
