/* SPDX-License-Identifier: MIT */
/*
 * perf_threads.h - the threads alive, and whose events count for each.
 *
 * A thread can be sampled twice: by events it inherited and by events opened
 * on itself. Events opened together have an owner number; a thread's SOURCE
 * is the owner whose samples count, those of others are copies.
 */
#ifndef SAMPLER_PERF_THREADS_H
#define SAMPLER_PERF_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PERF_THREAD_BUCKETS 1024

struct perf_thread {
	struct perf_thread *next;	/* in its bucket */
	pid_t pid, tid;
	uint64_t start;		/* clock ticks after boot */
	uint64_t born_ns;	/* 0: was there before we came */
	char comm[16];
	uint32_t own;		/* owner number of its own events; 0: none */
	uint32_t source;	/* 0: whoever's sample comes first */
	uint32_t before;	/* what it was until SINCE_NS; 0: nothing */
	uint64_t since_ns;
};

/* All zeroes is an empty one. */
struct perf_threads {
	struct perf_thread *buckets[PERF_THREAD_BUCKETS];
	size_t count;
};

void perf_threads_fini(struct perf_threads *threads);

/* Valid until the thread ends; NULL if it is not known. */
struct perf_thread *perf_threads_find(struct perf_threads *threads, pid_t tid);

/* Thread TID, made if need be. */
struct perf_thread *perf_threads_add(struct perf_threads *threads, pid_t pid,
				     pid_t tid);

void perf_threads_remove(struct perf_threads *threads, pid_t tid);

/* Does a thread take its samples from events of OWNER? */
bool perf_threads_use(const struct perf_threads *threads, uint32_t owner);

/* Threads of process PID. */
size_t perf_threads_of(const struct perf_threads *threads, pid_t pid);

#endif
