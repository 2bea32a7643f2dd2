/* SPDX-License-Identifier: MIT */
/*
 * thread_states.c - what threads do now.
 */
#include "app/thread_states.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "app/signals.h"
#include "app/thread_reader.h"
#include "sampler/clock.h"

#define SECOND UINT64_C(1000000000)
#define WANTED_NS (2 * SECOND)

struct thread_states {
	pthread_mutex_t lock;		/* all below, but for the last */
	pthread_cond_t changed;
	unsigned holders;		/* of this struct: two, then one */
	bool is_over;
	uint64_t wanted_ns;		/* until then */
	struct threads_now now;
	struct thread_reader reader;	/* the reading thread's own */
};

/* --- the thread */

static void
publish(struct thread_states *states)
{
	struct threads_now now = { .read_ns = clock_now() };

	now.at = thread_reader_now(&states->reader, &now.count);
	pthread_mutex_lock(&states->lock);
	free(states->now.at);
	states->now = now;
	pthread_mutex_unlock(&states->lock);
}

/* The last who leaves frees it. */
static void
let_go(struct thread_states *states)
{
	bool is_last;

	pthread_mutex_lock(&states->lock);
	is_last = --states->holders == 0;
	pthread_mutex_unlock(&states->lock);
	if (!is_last)
		return;
	thread_reader_close(&states->reader);
	free(states->now.at);
	pthread_cond_destroy(&states->changed);
	pthread_mutex_destroy(&states->lock);
	free(states);
}

/* Until somebody looks, and for a second after the last reading. */
static bool
await_turn(struct thread_states *states, uint64_t due_ns)
{
	struct timespec due = { .tv_sec = (time_t)(due_ns / SECOND),
				.tv_nsec = (long)(due_ns % SECOND) };
	bool goes_on;

	pthread_mutex_lock(&states->lock);
	while (!states->is_over && clock_now() < due_ns)
		pthread_cond_timedwait(&states->changed, &states->lock, &due);
	while (!states->is_over && clock_now() >= states->wanted_ns)
		pthread_cond_wait(&states->changed, &states->lock);
	goes_on = !states->is_over;
	pthread_mutex_unlock(&states->lock);
	return goes_on;
}

static void *
states_main(void *ctx)
{
	struct thread_states *states = ctx;
	uint64_t due_ns = 0;

	prctl(PR_SET_NAME, "flametop-state");
	while (await_turn(states, due_ns)) {
		due_ns = clock_now() + SECOND;
		thread_reader_turn(&states->reader);
		publish(states);
	}
	let_go(states);
	return NULL;
}

struct thread_states *
thread_states_new(const struct targets *targets)
{
	struct thread_states *states = xcalloc(1, sizeof(*states));
	pthread_condattr_t clock;
	pthread_t thread;
	sigset_t before;
	bool has_begun;

	pthread_mutex_init(&states->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&states->changed, &clock);
	pthread_condattr_destroy(&clock);
	thread_reader_open(&states->reader, targets);
	states->holders = 2;
	signals_quiet(&before);
	has_begun = states->reader.ntargets &&
		    pthread_create(&thread, NULL, states_main, states) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (has_begun) {
		pthread_detach(thread);
		return states;
	}
	states->holders = 1;
	let_go(states);
	return NULL;
}

void
thread_states_free(struct thread_states *states)
{
	if (!states)
		return;
	pthread_mutex_lock(&states->lock);
	states->is_over = true;
	pthread_cond_broadcast(&states->changed);
	pthread_mutex_unlock(&states->lock);
	let_go(states);
}

void
thread_states_want(struct thread_states *states)
{
	pthread_mutex_lock(&states->lock);
	states->wanted_ns = clock_now() + WANTED_NS;
	pthread_cond_broadcast(&states->changed);
	pthread_mutex_unlock(&states->lock);
}

bool
thread_states_take(struct thread_states *states, struct threads_now *out)
{
	bool is_new;

	pthread_mutex_lock(&states->lock);
	is_new = states->now.at && states->now.read_ns > out->read_ns;
	if (is_new) {
		free(out->at);
		*out = states->now;
		states->now.at = NULL;
	}
	pthread_mutex_unlock(&states->lock);
	return is_new;
}
