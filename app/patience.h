/* SPDX-License-Identifier: MIT */
/*
 * patience.h - how long a process is waited for that was asked something.
 *
 * Not by the clock alone: on a busy machine one that works is waited for, and
 * one that works on and on is not. All zeroes is one that was never begun.
 */
#ifndef APP_PATIENCE_H
#define APP_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct patience {
	uint64_t asked_cpu_ns;		/* of the process; 0: not looked yet */
	uint64_t cpu_ns, moved_ns;	/* what it had last, and since when */
	bool has_ended;
};

/* A request was sent; or an answer came. */
void patience_begin(struct patience *patience);

/*
 * Has the process, which used CPU_NS so far, stood still for MAX_NS, or worked
 * that long for this one request? True once.
 */
bool patience_ends(struct patience *patience, uint64_t cpu_ns,
		   uint64_t max_ns);

/* For how long it has shown no life, as of the last patience_ends(). */
uint64_t patience_still_ns(const struct patience *patience);

/* CPU time of process PID so far; 0: none such. */
uint64_t process_cpu_ns(pid_t pid);

#endif
