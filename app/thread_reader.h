/* SPDX-License-Identifier: MIT */
/*
 * thread_reader.h - reading what threads do, some of them at a time.
 *
 * Those that ran when they were seen last come first, then all in turn, so
 * that a process of thousands costs no more than one of a hundred.
 */
#ifndef APP_THREAD_READER_H
#define APP_THREAD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/targets.h"
#include "sampler/thread_counts.h"
#include "tui/threads.h"

#define THREADS_A_TURN 100

struct sockets;

/* A thread as it was when its turn came last. */
struct seen_state {
	uint64_t start, at_ns;		/* AT_NS 0: its turn has not come */
	bool was_running;
	struct thread_counts counts;
	struct thread_now now;
};

struct thread_reader {
	struct target *targets[PIDS_MAX];
	size_t ntargets;
	struct seen_state *seen;		/* by pid, as listed, and tid */
	size_t nseen;
	size_t turn;			/* where the next round begins */
	struct sockets *sockets;
	uint64_t sockets_ns;
};

/* TARGETS are opened once more; R is zeroed. */
void thread_reader_open(struct thread_reader *r,
			const struct targets *targets);
void thread_reader_close(struct thread_reader *r);

/* Read at most THREADS_A_TURN threads. Takes as long as /proc does. */
void thread_reader_turn(struct thread_reader *r);

/* What is known of threads, by tid: *N of them, the caller frees them. */
struct thread_now *thread_reader_now(const struct thread_reader *r, size_t *n);

#endif
