/* SPDX-License-Identifier: MIT */
/*
 * thread_counts.h - what the kernel has counted of a thread since it began:
 * schedstat and status of /proc/PID/task/TID (proc(5)).
 */
#ifndef SAMPLER_THREAD_COUNTS_H
#define SAMPLER_THREAD_COUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sampler/target.h"

struct thread_counts {
	bool has_times;			/* kernels may be built without */
	uint64_t run_ns, wait_ns;	/* on a CPU, and waiting for one */
	uint64_t voluntary, involuntary;	/* context switches */
};

/* False if it has ended. */
bool thread_counts_read(const struct target *target, pid_t tid,
			struct thread_counts *out);

/* The switches in the text of a status file; false if they are not there. */
bool thread_counts_parse(const char *text, struct thread_counts *out);

#endif
