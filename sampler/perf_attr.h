/* SPDX-License-Identifier: MIT */
/*
 * perf_attr.h - what to ask perf_event_open(2) for, and less of it.
 */
#ifndef SAMPLER_PERF_ATTR_H
#define SAMPLER_PERF_ATTR_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/base.h"
#include "sampler/perf_events.h"

int perf_attr_open(struct perf_event_attr *attr, pid_t tid, int cpu,
		   int output);

/* The best there is, for a kernel of today and all rights. */
void perf_attr_wish(struct perf_event_attr *attr, const struct perf_wish *wish);

/*
 * The kernel refused ATTR with ERRNUM: ask for less. False when there is
 * nothing left to give up.
 */
bool perf_attr_lower(struct perf_event_attr *attr, int errnum);

/* /proc/sys/kernel/perf_event_NAME, or FALLBACK. */
long perf_sysctl(const char *name, long fallback);

#endif
