/* SPDX-License-Identifier: MIT */
/*
 * probes.h - each thing that sampling needs, tried on one process.
 */
#ifndef APP_PROBES_H
#define APP_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/target.h"

/* One visit: what is probed, and what was found out on the way. */
struct visit {
	struct target *target;	/* what was named, or a child of ours */
	bool is_own_child;
	long paranoid, yama, kptr;
	bool is_filtered;	/* a seccomp filter is on us */
	uint64_t capabilities;	/* effective ones, as bits */
	bool is_parent_only;	/* Yama: may trace children alone */
	bool has_perf, has_ptrace, has_files, has_memory;
	bool has_kernel, has_kernel_names;
};

/* The answer of a probe; a remedy only where something is missing. */
struct finding {
	bool is_good;
	char text[200];
	char remedy[480];
};

/* The next probe sees what those before it found out. */
struct probe {
	const char *name;
	void (*run)(struct visit *visit, struct finding *finding);
};
extern const struct probe probes[];
extern const size_t probes_count;

/* The number in a file of /proc/sys/kernel, or FALLBACK. */
long probes_sysctl(const char *name, long fallback);

#endif
