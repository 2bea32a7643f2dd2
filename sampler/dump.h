/* SPDX-License-Identifier: MIT */
/*
 * dump.h - every thread once: its stack, its state and what it waits for.
 *
 * A thread that is blocked is not stopped. The kernel tells its rsp and rip,
 * its stack is read as it lies there, and if the thread is still in the same
 * call afterwards all of that was of one moment. The walk finds rbp where it
 * needs it (sampler/unwind/base.c). One that runs is stopped for microseconds,
 * as sampling by ptrace(2) does it (sampler/ptrace_stop.h).
 *
 * Stacks go to the sink, a sample of weight 1 for each thread that has one;
 * the rest is here, to be read when the sampler is over.
 */
#ifndef SAMPLER_DUMP_H
#define SAMPLER_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sampler/wait.h"

struct dump_thread {
	pid_t pid, tid;
	uint64_t start;		/* clock ticks after boot */
	char comm[64];		/* cleaned */
	char state;		/* R S D T t Z X I */
	uint64_t cpu_ticks;	/* user + system */
	struct wait wait;
	uint64_t switches;	/* voluntary ones, before WAIT was read */
	unsigned deadlock;	/* number of the one it is part of; 0: none */
	const char *no_stack;	/* why it has none, static; or NULL */
};

struct dump {
	struct dump_thread *threads;	/* by pid and tid */
	size_t count, capacity;
	unsigned deadlocks;
	char note[480];		/* why running threads have no stack; or "" */
};

/* All zeroes is an empty one. */
void dump_fini(struct dump *dump);

/* The thread, or NULL. */
const struct dump_thread *dump_find(const struct dump *dump, pid_t tid);

/*
 * Number the cycles of threads that wait for a lock of the next one's, from 1
 * on. Pure.
 */
void dump_find_deadlocks(struct dump *dump);

#endif
