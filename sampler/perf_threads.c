/* SPDX-License-Identifier: MIT */
/*
 * perf_threads.c - the threads alive.
 */
#include "sampler/perf_threads.h"

#include <stdlib.h>

#include "core/base.h"

/* The place that points to thread TID, or would. */
static struct perf_thread **
place_of(struct perf_threads *threads, pid_t tid)
{
	struct perf_thread **at =
		&threads->buckets[(uint32_t)tid % PERF_THREAD_BUCKETS];

	while (*at && (*at)->tid != tid)
		at = &(*at)->next;
	return at;
}

struct perf_thread *
perf_threads_find(struct perf_threads *threads, pid_t tid)
{
	return *place_of(threads, tid);
}

struct perf_thread *
perf_threads_add(struct perf_threads *threads, pid_t pid, pid_t tid)
{
	struct perf_thread **at = place_of(threads, tid);

	if (!*at) {
		*at = xcalloc(1, sizeof(**at));
		(*at)->tid = tid;
		threads->count++;
	}
	(*at)->pid = pid;
	return *at;
}

void
perf_threads_remove(struct perf_threads *threads, pid_t tid)
{
	struct perf_thread **at = place_of(threads, tid);
	struct perf_thread *thread = *at;

	if (!thread)
		return;
	*at = thread->next;
	free(thread);
	threads->count--;
}

bool
perf_threads_use(const struct perf_threads *threads, uint32_t owner)
{
	const struct perf_thread *thread;
	size_t i;

	for (i = 0; i < PERF_THREAD_BUCKETS; i++)
		for (thread = threads->buckets[i]; thread;
		     thread = thread->next)
			if (thread->source == owner)
				return true;
	return false;
}

size_t
perf_threads_of(const struct perf_threads *threads, pid_t pid)
{
	const struct perf_thread *thread;
	size_t i, count = 0;

	for (i = 0; i < PERF_THREAD_BUCKETS; i++)
		for (thread = threads->buckets[i]; thread;
		     thread = thread->next)
			count += thread->pid == pid;
	return count;
}

void
perf_threads_fini(struct perf_threads *threads)
{
	size_t i;

	for (i = 0; i < PERF_THREAD_BUCKETS; i++)
		while (threads->buckets[i])
			perf_threads_remove(threads, threads->buckets[i]->tid);
}
