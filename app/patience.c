/* SPDX-License-Identifier: MIT */
/*
 * patience.c - by a process's CPU time.
 */
#include "app/patience.h"

#include <time.h>

#include "sampler/clock.h"

void
patience_begin(struct patience *p)
{
	*p = (struct patience){ .moved_ns = clock_now() };
}

bool
patience_ends(struct patience *p, uint64_t cpu_ns, uint64_t max_ns)
{
	if (p->has_ended)
		return false;
	if (!p->asked_cpu_ns)
		p->asked_cpu_ns = cpu_ns;
	if (cpu_ns != p->cpu_ns)
		p->moved_ns = clock_now();
	p->cpu_ns = cpu_ns;
	p->has_ended = clock_now() - p->moved_ns > max_ns ||
		       cpu_ns - p->asked_cpu_ns > max_ns;
	return p->has_ended;
}

uint64_t
patience_still_ns(const struct patience *p)
{
	return clock_now() - p->moved_ns;
}

uint64_t
process_cpu_ns(pid_t pid)
{
	struct timespec ts;
	clockid_t clock;

	if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 ||
	    clock_gettime(clock, &ts) != 0)
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}
