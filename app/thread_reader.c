/* SPDX-License-Identifier: MIT */
/*
 * thread_reader.c - reading what threads do.
 */
#include "app/thread_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"
#include "sampler/clock.h"
#include "sampler/sockets.h"
#include "sampler/wait.h"

#define SECOND UINT64_C(1000000000)
#define SOCKETS_NS (10 * SECOND)	/* they are listed again */
#define RUNNING_MAX 32			/* that are read each second */
#define FRESH_NS (SECOND / 2)		/* a thread is not read again */

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
set_rates(struct seen_state *seen, const struct thread_counts *counts,
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
read_thread(struct thread_reader *r, const struct target *target,
	    const pid_t *tids, size_t n, struct seen_state *seen)
{
	struct thread_counts counts;
	struct thread_stat stat;
	struct wait wait;
	char text[400];
	uint64_t at_ns = clock_now();

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

/*
 * What was known of a thread, or that nothing is. Threads are listed in the
 * same order each time, so *AT is where most are found.
 */
static struct seen_state
known(const struct thread_reader *r, pid_t pid, pid_t tid, size_t *at)
{
	for (size_t i = *at; i < r->nseen; i++)
		if (r->seen[i].now.pid == pid && r->seen[i].now.tid == tid) {
			*at = i + 1;
			return r->seen[i];
		}
	return (struct seen_state){ .now = { .pid = pid, .tid = tid } };
}

/* The threads of each target, and which of them are whose. */
struct listed {
	pid_t *tids;
	size_t count, first;	/* FIRST: in thread_reader.seen */
};

static void
list_all(struct thread_reader *r, struct listed *listed)
{
	struct seen_state *seen = NULL;
	size_t n = 0, capacity = 0, at = 0;

	for (size_t i = 0; i < r->ntargets; i++) {
		listed[i].tids = target_list_threads(r->targets[i],
						     &listed[i].count);
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
read_one(struct thread_reader *r, const struct listed *listed, size_t at)
{
	size_t target = r->ntargets - 1;

	if (r->seen[at].at_ns && clock_now() - r->seen[at].at_ns < FRESH_NS)
		return false;
	while (listed[target].first > at)
		target--;
	read_thread(r, r->targets[target], listed[target].tids,
		    listed[target].count, &r->seen[at]);
	return true;
}

void
thread_reader_turn(struct thread_reader *r)
{
	struct listed listed[PIDS_MAX];
	size_t n = 0;

	if (!r->sockets || clock_now() - r->sockets_ns > SOCKETS_NS) {
		sockets_free(r->sockets);
		r->sockets = sockets_new();
		r->sockets_ns = clock_now();
	}
	list_all(r, listed);
	for (size_t i = 0; i < r->nseen && n < RUNNING_MAX; i++)
		if (r->seen[i].was_running)
			n += read_one(r, listed, i);
	for (size_t i = 0; i < r->nseen && n < THREADS_A_TURN; i++)
		n += read_one(r, listed, r->turn++ % r->nseen);
	for (size_t i = 0; i < r->ntargets; i++)
		free(listed[i].tids);
}

/* --- what comes of it */

static int
by_tid(const void *a, const void *b)
{
	const struct thread_now *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

struct thread_now *
thread_reader_now(const struct thread_reader *r, size_t *n)
{
	struct thread_now *at = xcalloc(r->nseen + 1, sizeof(*at));

	*n = 0;
	for (size_t i = 0; i < r->nseen; i++)
		if (r->seen[i].at_ns)
			at[(*n)++] = r->seen[i].now;
	qsort(at, *n, sizeof(*at), by_tid);
	return at;
}

void
thread_reader_open(struct thread_reader *r, const struct targets *targets)
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

void
thread_reader_close(struct thread_reader *r)
{
	for (size_t i = 0; i < r->ntargets; i++)
		target_free(r->targets[i]);
	sockets_free(r->sockets);
	free(r->seen);
}
