/* SPDX-License-Identifier: MIT */
/*
 * thread_states.c - what threads do now.
 */
#include "app/thread_states.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "app/clock.h"
#include "app/signals.h"
#include "core/sanitise.h"
#include "sampler/sockets.h"
#include "sampler/thread_counts.h"
#include "sampler/wait.h"

#define SECOND UINT64_C(1000000000)
#define WANTED_NS (2 * SECOND)
#define SOCKETS_NS (10 * SECOND)	/* they are listed again */
#define RUNNING_MAX 32			/* that are read each second */
#define FRESH_NS (SECOND / 2)		/* a thread is not read again */

/* A thread as it was when its turn came last. */
struct seen {
	uint64_t start, at_ns;		/* AT_NS 0: its turn has not come */
	bool was_running;
	struct thread_counts counts;
	struct thread_now now;
};

struct reader_state {
	struct target *targets[PIDS_MAX];
	size_t ntargets;
	struct seen *seen;		/* by pid, as listed, and tid */
	size_t nseen;
	size_t turn;			/* where the next round begins */
	struct sockets *sockets;
	uint64_t sockets_ns;
};

struct thread_states {
	pthread_mutex_t lock;		/* all below, but for the last */
	pthread_cond_t changed;
	unsigned holders;		/* of this struct: two, then one */
	bool is_over;
	uint64_t wanted_ns;		/* until then */
	struct threads_now now;
	struct reader_state reader;	/* the reading thread's own */
};

/* --- reading */

static const char *
state_word(char state)
{
	switch (state) {
	case 'R':
		return "running";
	case 'S':
	case 'I':
		return "sleeping";
	case 'D':
		return "disk";
	case 'T':
		return "stopped";
	case 't':
		return "traced";
	}
	return "ended";
}

static double
rate(uint64_t now, uint64_t then, uint64_t ns)
{
	return now < then ? -1 : (double)(now - then) * 1e9 / (double)ns;
}

static void
set_rates(struct seen *seen, const struct thread_counts *counts,
	  uint64_t now_ns)
{
	uint64_t ns = now_ns - seen->at_ns;
	struct thread_now *now = &seen->now;

	now->cpu = now->voluntary = now->involuntary = -1;
	if (!seen->at_ns || !ns)
		return;
	if (counts->has_times)
		now->cpu = 1e-7 * rate(counts->run_ns, seen->counts.run_ns,
				       ns);
	now->voluntary = rate(counts->voluntary, seen->counts.voluntary, ns);
	now->involuntary = rate(counts->involuntary, seen->counts.involuntary,
				ns);
}

static void
read_thread(struct reader_state *r, const struct target *target,
	    const pid_t *tids, size_t n, struct seen *seen)
{
	struct thread_counts counts;
	struct thread_stat stat;
	struct wait wait;
	char text[400];
	uint64_t at_ns = now_ns();

	if (!target_thread_stat(target, seen->now.tid, &stat) ||
	    !thread_counts_read(target, seen->now.tid, &counts))
		return;
	if (stat.start != seen->start)
		seen->at_ns = 0;
	set_rates(seen, &counts, at_ns);
	seen->start = stat.start;
	seen->at_ns = at_ns;
	seen->counts = counts;
	seen->was_running = stat.state == 'R';
	snprintf(seen->now.state, sizeof(seen->now.state), "%s",
		 state_word(stat.state));
	seen->now.wait[0] = '\0';
	if (stat.state == 'R' ||
	    !wait_read(target, seen->now.tid, tids, n, &wait) ||
	    wait.line.place == PLACE_RUNNING)
		return;
	wait_name(target, seen->now.tid, r->sockets, &wait);
	wait_text(&wait, stat.state, text, sizeof(text));
	sanitise_into(seen->now.wait, sizeof(seen->now.wait), text,
		      strlen(text));
}

static int
compare_tids(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static pid_t *
list_tids(const struct target *target, size_t *n)
{
	size_t room = 256;
	pid_t *tids = xcalloc(room, sizeof(*tids));

	while ((*n = target_threads(target, tids, room)) > room) {
		room = *n * 2;
		tids = xreallocarray(tids, room, sizeof(*tids));
	}
	qsort(tids, *n, sizeof(*tids), compare_tids);
	return tids;
}

/*
 * What was known of a thread, or that nothing is. Threads are listed in the
 * same order each time, so *AT is where most are found.
 */
static struct seen
known(const struct reader_state *r, pid_t pid, pid_t tid, size_t *at)
{
	for (size_t i = *at; i < r->nseen; i++)
		if (r->seen[i].now.pid == pid && r->seen[i].now.tid == tid) {
			*at = i + 1;
			return r->seen[i];
		}
	return (struct seen){ .now = { .pid = pid, .tid = tid } };
}

/* The threads of each target, and which of them are whose. */
struct listed {
	pid_t *tids;
	size_t count, first;	/* FIRST: in reader_state.seen */
};

static void
list_all(struct reader_state *r, struct listed *listed)
{
	struct seen *seen = NULL;
	size_t n = 0, capacity = 0, at = 0;

	for (size_t i = 0; i < r->ntargets; i++) {
		listed[i].tids = list_tids(r->targets[i], &listed[i].count);
		listed[i].first = n;
		for (size_t t = 0; t < listed[i].count; t++) {
			seen = grow(seen, n, &capacity, sizeof(*seen));
			seen[n++] = known(r, target_pid(r->targets[i]),
					  listed[i].tids[t], &at);
		}
	}
	free(r->seen);
	r->seen = seen;
	r->nseen = n;
}

/* Thread number AT, unless it was read just now. */
static bool
read_one(struct reader_state *r, const struct listed *listed, size_t at)
{
	size_t target = r->ntargets - 1;

	if (r->seen[at].at_ns && now_ns() - r->seen[at].at_ns < FRESH_NS)
		return false;
	while (listed[target].first > at)
		target--;
	read_thread(r, r->targets[target], listed[target].tids,
		    listed[target].count, &r->seen[at]);
	return true;
}

static void
read_some(struct reader_state *r)
{
	struct listed listed[PIDS_MAX];
	size_t n = 0;

	if (!r->sockets || now_ns() - r->sockets_ns > SOCKETS_NS) {
		sockets_free(r->sockets);
		r->sockets = sockets_new();
		r->sockets_ns = now_ns();
	}
	list_all(r, listed);
	for (size_t i = 0; i < r->nseen && n < RUNNING_MAX; i++)
		if (r->seen[i].was_running)
			n += read_one(r, listed, i);
	for (size_t i = 0; i < r->nseen && n < THREAD_STATES_A_SECOND; i++)
		n += read_one(r, listed, r->turn++ % r->nseen);
	for (size_t i = 0; i < r->ntargets; i++)
		free(listed[i].tids);
}

/* --- the thread */

static int
by_tid(const void *a, const void *b)
{
	const struct thread_now *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static void
publish(struct thread_states *states)
{
	const struct reader_state *r = &states->reader;
	struct thread_now *at = xcalloc(r->nseen + 1, sizeof(*at));
	size_t n = 0;

	for (size_t i = 0; i < r->nseen; i++)
		if (r->seen[i].at_ns)
			at[n++] = r->seen[i].now;
	qsort(at, n, sizeof(*at), by_tid);
	pthread_mutex_lock(&states->lock);
	free(states->now.at);
	states->now = (struct threads_now){ at, n, now_ns() };
	pthread_mutex_unlock(&states->lock);
}

/* The last who leaves frees it. */
static void
let_go(struct thread_states *states)
{
	struct reader_state *r = &states->reader;
	bool is_last;

	pthread_mutex_lock(&states->lock);
	is_last = --states->holders == 0;
	pthread_mutex_unlock(&states->lock);
	if (!is_last)
		return;
	for (size_t i = 0; i < r->ntargets; i++)
		target_free(r->targets[i]);
	sockets_free(r->sockets);
	free(r->seen);
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
	while (!states->is_over && now_ns() < due_ns)
		pthread_cond_timedwait(&states->changed, &states->lock, &due);
	while (!states->is_over && now_ns() >= states->wanted_ns)
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
		due_ns = now_ns() + SECOND;
		read_some(&states->reader);
		publish(states);
	}
	let_go(states);
	return NULL;
}

static void
open_targets(struct reader_state *r, const struct targets *targets)
{
	for (size_t i = 0; i < targets->count; i++) {
		struct target *target;

		if (!target_open(target_pid(targets->at[i]), &target, NULL))
			continue;
		if (target_start(target) == target_start(targets->at[i]))
			r->targets[r->ntargets++] = target;
		else
			target_free(target);
	}
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
	open_targets(&states->reader, targets);
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
	states->wanted_ns = now_ns() + WANTED_NS;
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
