/* SPDX-License-Identifier: MIT */
/*
 * dump.c - every thread once.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sampler/clock.h"
#include "sampler/dump_private.h"
#include "sampler/refusal.h"
#include "sampler/sockets.h"

#define MS 1000000ull
#define ALL_NS (3000 * MS)	/* for all stops together */
#define END_NS (500 * MS)
#define TABLES_NS (10000 * MS)	/* for tables of rules: nobody else waits */

/* --- a process */

static void
take_process(struct dump_sampler *s, size_t i)
{
	const struct target *target = s->targets[i];
	struct error err = { 0 };

	s->may_stop = refusal_allows_ptrace(target, &err);
	if (!s->may_stop && !s->config.dump->note[0])
		snprintf(s->config.dump->note, sizeof(s->config.dump->note),
			 "%s", err.text);
	s->sockets = sockets_new();
	target_read_maps(target, space_maps(s->spaces[i]), NULL);
	s->tids = target_list_threads(target, &s->ntids);
	for (size_t t = 0; t < s->ntids; t++)
		if (sampler_wants(&s->config, s->tids[t]))
			dump_take_thread(s, i, s->tids[t]);
	free(s->tids);
	sockets_free(s->sockets);
	s->tids = NULL;
	s->sockets = NULL;
}

/* --- deadlocks */

static const struct target *
target_of(const struct dump_sampler *s, pid_t pid)
{
	for (size_t i = 0; i < s->count; i++)
		if (target_pid(s->targets[i]) == pid)
			return s->targets[i];
	return NULL;
}

/*
 * Threads are read one after the other, so a cycle may be one that never was.
 * It was, when none of them has slept or waked since before it was read.
 */
static void
confirm_deadlocks(struct dump_sampler *s)
{
	struct dump *dump = s->config.dump;

	dump_find_deadlocks(dump);
	for (size_t i = 0; i < dump->count; i++) {
		struct dump_thread *thread = &dump->threads[i];
		const struct target *target = target_of(s, thread->pid);

		if (thread->deadlock && target &&
		    (!wait_is_same(target, thread->tid, &thread->wait.line) ||
		     dump_switches(target, thread->tid) != thread->switches))
			thread->wait.lock = LOCK_NONE;
	}
	dump_find_deadlocks(dump);
}

/* --- the sampler */

static bool
dump_start(void *state, struct target *const *targets, size_t n,
	   const struct sampler_config *config, const struct sink *sink,
	   struct error *err)
{
	struct dump_sampler *s = state;

	for (size_t i = 0; i < n; i++)
		if (!refusal_allows_reading(targets[i], err))
			return false;
	s->config = *config;
	s->sink = sink;
	s->targets = targets;
	s->count = n;
	s->spaces = xcalloc(n, sizeof(struct space *));
	for (size_t i = 0; i < n; i++)
		s->spaces[i] = space_new(target_pid(targets[i]), targets[i],
					 config->unwind, sink, &s->waiting);
	s->waiting.patience_ns = TABLES_NS;
	s->stopper.watch = config->watch;
	s->stopper.stack_bytes = config->stack_bytes < STOP_STACK ?
				 config->stack_bytes : STOP_STACK;
	stop_open(&s->stopper);
	return true;
}

static bool
dump_run(void *state, int timeout_ms, int wake_fd)
{
	struct dump_sampler *s = state;

	(void)timeout_ms;
	(void)wake_fd;
	s->give_up_ns = clock_now() + ALL_NS;
	for (size_t i = 0; i < s->count; i++)
		take_process(s, i);
	confirm_deadlocks(s);
	return false;
}

static void
dump_status(void *state, struct sampler_status *out)
{
	const struct dump_sampler *s = state;

	*out = (struct sampler_status){
		.event = "dump",
		.stops = s->stopper.stops,
		.restarts = s->stopper.restarts,
		.stopped_ns = s->stopper.stopped_ns,
		.stop_max_ns = s->stopper.stop_max_ns,
		.threads_total = (unsigned)s->config.dump->count,
	};
}

static void
dump_stop(void *state)
{
	struct dump_sampler *s = state;

	stop_close(&s->stopper, END_NS);
	if (s->sink)
		waiting_finish(&s->waiting, s->sink);
	for (size_t i = 0; i < s->count; i++)
		space_free(s->spaces[i]);
	free(s->spaces);
	s->spaces = NULL;
	s->count = 0;
}

const struct sampler_ops sampler_dump = {
	.name = "dump",
	.is_stopping = true,
	.state_size = sizeof(struct dump_sampler),
	.start = dump_start,
	.run = dump_run,
	.status = dump_status,
	.stop = dump_stop,
};
