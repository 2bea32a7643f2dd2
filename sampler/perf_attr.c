/* SPDX-License-Identifier: MIT */
/*
 * perf_attr.c - attributes from the best down to what is granted.
 *
 * Each refusal has its own errno (perf_event_open(2)): ENOENT and EOPNOTSUPP,
 * there is no such counter; EACCES, no right, most often to the kernel's part
 * (EPERM before Linux 4.5 or so, and by seccomp filters); E2BIG, the kernel
 * knows a shorter struct; EINVAL, it does not know some flag.
 */
#include "sampler/perf_attr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sampler/perf_record.h"
#include "sampler/procstat.h"

#define NS_PER_S 1000000000u
#define BULK (128u << 10)	/* a quarter of an unprivileged ring */

int
perf_attr_open(struct perf_event_attr *attr, pid_t tid, int cpu, int output)
{
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;

	if (output >= 0)
		flags |= PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP;
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, output,
			    flags);
}

void
perf_attr_wish(struct perf_event_attr *attr, const struct perf_wish *wish)
{
	*attr = (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(*attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.freq = 1,
		.sample_freq = wish->hz,
		.sample_type = PERF_RECORD_FIELDS,
		.sample_regs_user = PERF_RECORD_REGS,
		.sample_stack_user = wish->stack_bytes & ~7u,
		.disabled = wish->on_exec,
		.enable_on_exec = wish->on_exec,
		.inherit = wish->new_threads,
		.inherit_thread = wish->new_threads && !wish->children,
		.exclude_kernel = !wish->kernel,
		.exclude_hv = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = wish->in_bulk,
		/* Samples, or bytes of the ring. */
		.wakeup_events = wish->in_bulk ? BULK : 1,
	};
}

static void
use_clock(struct perf_event_attr *attr)
{
	uint64_t hz = attr->sample_freq;

	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->freq = 0;
	attr->sample_period = NS_PER_S / hz;
}

/* Newest first: the later a flag came, the sooner it is the reason. */
static bool
drop_newest_flag(struct perf_event_attr *attr)
{
	if (attr->inherit_thread)		/* Linux 5.13 */
		attr->inherit_thread = 0;
	else if (attr->use_clockid)		/* 4.1 */
		attr->use_clockid = attr->clockid = 0;
	else if (attr->comm_exec)		/* 3.16 */
		attr->comm_exec = 0;
	else if (attr->type == PERF_TYPE_HARDWARE)
		use_clock(attr);
	else
		return false;
	return true;
}

bool
perf_attr_lower(struct perf_event_attr *attr, int errnum)
{
	switch (errnum) {
	case EACCES:
	case EPERM:
		if (attr->exclude_kernel)
			return false;
		attr->exclude_kernel = 1;
		return true;
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
	case ENXIO:
		if (attr->type != PERF_TYPE_HARDWARE)
			return false;
		use_clock(attr);
		return true;
	case E2BIG:
		/* The kernel has written its own size there. */
		if (attr->size >= sizeof(*attr))
			return false;
		return true;
	case EINVAL:
		return drop_newest_flag(attr);
	}
	return false;
}

long
perf_sysctl(const char *name, long fallback)
{
	char path[96], text[32];

	snprintf(path, sizeof(path), "/proc/sys/kernel/perf_event_%s", name);
	if (proc_read(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return fallback;
	return strtol(text, NULL, 10);
}
