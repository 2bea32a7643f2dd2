/* SPDX-License-Identifier: MIT */
/*
 * ptrace_stop.h - one running thread stopped, read and let go.
 *
 *	SEIZE  INTERRUPT  wait  registers + stack copy  DETACH
 *	|<------- attached: some 100 us -------->|
 *	             |<- stopped: some 30 us ->|
 *
 * Attached is not stopped, but it is not nothing either: a traced thread has
 * every signal of its own wait for its tracer, takes notice of signals it
 * ignores (and has its calls cut short by them), and cannot become another
 * user by exec. So a thread is attached for one sample and no longer. Should
 * we die at any moment, the kernel lets it go.
 *
 * The thread may not come to its stop in time: it sleeps in the kernel where
 * nothing wakes it, or waits for a CPU. Then it stays attached, and stop_next()
 * must be called every few milliseconds until it has come and is let go.
 *
 * All calls must come from one thread: to ptrace(2) that thread is the
 * tracer, and its end is the tracer's end. Nobody else in the process may
 * wait(2) for just any child, or the stop is lost to us.
 */
#ifndef SAMPLER_PTRACE_STOP_H
#define SAMPLER_PTRACE_STOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

#include "core/memory.h"
#include "sampler/ptrace_wait.h"
#include "sampler/sampler.h"

#define STOP_STACK 65536	/* largest stack copy */

/* A thread that is attached. */
struct stop {
	pid_t tid;
	void *owner;		/* the caller's */
	bool is_asked;		/* to stop; has not come yet */
	bool is_repeating;	/* makes a cut call again */
	struct user_regs_struct cut;	/* as they were before that */
};

enum stop_result {
	STOP_TAKEN,		/* stopped and read */
	STOP_PENDING,		/* has not come yet */
	STOP_GONE,		/* let go without being read, or ended */
	STOP_REFUSED,		/* not ours to attach */
};

/* Does the stopping for all threads; zeroed but for the first three. */
struct stopper {
	struct stop_watch *watch;	/* may be NULL */
	bool no_repeat;
	size_t stack_bytes;		/* wanted; at most STOP_STACK */

	struct stop_wait wait;
	struct stop *pending;		/* mostly none or one */
	size_t count, capacity;
	uint64_t begin_ns;		/* the last stop_begin() */
	bool is_closing;

	/* What was read, valid until the next call. */
	struct regs regs;
	size_t stack_len;
	unsigned char stack[STOP_STACK];

	/* Counts, for struct sampler_status. */
	uint64_t stops, restarts, stopped_ns, stop_max_ns;
};

void stop_open(struct stopper *stopper);

/*
 * Let go of all that come to their stops within LIMIT_NS. One that sleeps in
 * the kernel where nothing wakes it stays attached until the calling thread
 * ends, and would be left stopped if it woke before.
 */
void stop_close(struct stopper *stopper, uint64_t limit_ns);

/*
 * Ask thread TID, which was seen running, to stop. STOP_PENDING: it was asked;
 * STOP_GONE too if it was before.
 */
enum stop_result stop_begin(struct stopper *stopper, pid_t tid, void *owner);

/*
 * Wait LIMIT_NS for any thread that was asked. *STOP is who it was, unless
 * the result is STOP_PENDING; it runs again.
 */
enum stop_result stop_next(struct stopper *stopper, uint64_t limit_ns,
			   struct stop *stop);

/* How many were asked and have not come. */
size_t stop_count_asked(const struct stopper *stopper);

#endif
