/* SPDX-License-Identifier: MIT */
/*
 * stop_watch.c - is a thread of the target stopped, and nobody there?
 *
 * Only what the kernel says counts in the end: on a machine without a free
 * CPU a tracer may be late for a second, and nothing stopped by it.
 */
#include <fcntl.h>
#include <stdio.h>

#include "sampler/clock.h"
#include "sampler/procstat.h"
#include "sampler/sampler.h"

void
stop_watch_beat(struct stop_watch *watch, const pid_t *tids, size_t count)
{
	size_t i;

	for (i = 0; i < STOP_WATCH_TIDS; i++)
		watch->tids[i] = i < count ? tids[i] : 0;
	watch->since_ns = count ? clock_now() : 0;
}

static bool
is_stopped(pid_t tid)
{
	struct proc_stat stat;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)tid);
	return procstat_read(AT_FDCWD, path, &stat) && stat.state == 't';
}

bool
stop_watch_is_late(const struct stop_watch *watch, uint64_t limit_ns)
{
	uint64_t since = watch->since_ns, now = clock_now();
	size_t i;

	if (!since || now < since || now - since <= limit_ns)
		return false;
	for (i = 0; i < STOP_WATCH_TIDS; i++) {
		pid_t tid = watch->tids[i];

		if (tid && is_stopped(tid))
			return true;
	}
	return false;
}
