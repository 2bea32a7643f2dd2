/* SPDX-License-Identifier: MIT */
/*
 * calls.h - system calls that wait: their names, and which of their arguments
 * say what for and how long.
 *
 * Numbers are those of the architecture that we are built for: x86-64 or
 * aarch64, which has none of the older ones. Source: section 2 of the manual
 * pages, one page a call.
 */
#ifndef SAMPLER_CALLS_H
#define SAMPLER_CALLS_H

/* What the arguments mean; the first is number 0. */
enum call_shape {
	CALL_PLAIN,		/* nothing that is told here */
	CALL_FD,		/* 0: descriptor */
	CALL_POLL,		/* 0: array of struct pollfd, 1: its length */
	CALL_SELECT,		/* 0: descriptors below, 1 to 3: sets */
	CALL_EPOLL,		/* 0: descriptor of the set */
	CALL_FUTEX,		/* 0: address, 1: operation, 2: value */
	CALL_SLEEP,		/* the limit is all there is */
	CALL_WAIT4,		/* 0: process, or a group, or any */
	CALL_WAITID,		/* 0: what 1 is */
};

enum call_limit {
	LIMIT_NONE,
	LIMIT_MS,		/* int, below 0: for ever */
	LIMIT_TIMESPEC,		/* pointer, NULL: for ever */
	LIMIT_TIMEVAL,		/* likewise */
};

struct call {
	long number;
	const char *name;
	enum call_shape shape;
	enum call_limit limit;
	unsigned limit_at;	/* which argument it is */
};

/* NULL for one that is not in the table. */
const struct call *call_find(long number);

#endif
