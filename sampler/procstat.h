/* SPDX-License-Identifier: MIT */
/*
 * procstat.h - one /proc stat line (proc(5)), of a process or of a thread.
 */
#ifndef SAMPLER_PROCSTAT_H
#define SAMPLER_PROCSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_stat {
	char comm[16];		/* raw bytes, the kernel's escapes undone */
	char state;
	pid_t ppid;
	bool is_kernel_thread;
	uint64_t cpu_ticks;	/* user + system */
	uint64_t start;		/* clock ticks after boot */
	int cpu;		/* last ran on */
	uint64_t image;		/* changes with exec: where the program and
				   its stack begin; 0 without the right */
};

/* False if TEXT is no whole stat line. */
bool procstat_parse(const char *text, size_t len, struct proc_stat *out);

/* Read and parse the file PATH below the directory DIR. */
bool procstat_read(int dir, const char *path, struct proc_stat *out);

/*
 * At most SIZE - 1 bytes of the file PATH below DIR, and a NUL. Returns the
 * length, or -1.
 */
ssize_t proc_read(int dir, const char *path, char *text, size_t size);

#endif
