/* SPDX-License-Identifier: MIT */
/*
 * dump_locks.c - who waits for whom, and does that ever end?
 *
 * A thread waits for one lock at most, and a lock has one owner: so from each
 * thread at most one way leads on, and a walk that comes back to a thread has
 * found a cycle. Each thread is walked through once.
 */
#include "sampler/dump.h"

#include <stdlib.h>

#include "core/base.h"

void
dump_fini(struct dump *dump)
{
	free(dump->threads);
	*dump = (struct dump){ .threads = NULL };
}

static struct dump_thread *
find(const struct dump *dump, pid_t tid)
{
	for (size_t i = 0; tid && i < dump->count; i++)
		if (dump->threads[i].tid == tid)
			return &dump->threads[i];
	return NULL;
}

const struct dump_thread *
dump_find(const struct dump *dump, pid_t tid)
{
	return find(dump, tid);
}

/* Whom THREAD waits for, or NULL. */
static struct dump_thread *
next(const struct dump *dump, const struct dump_thread *thread)
{
	return thread->wait.lock == LOCK_NONE ? NULL :
						find(dump, thread->wait.owner);
}

/* THREAD is on a cycle: number it. */
static void
number(struct dump *dump, struct dump_thread *thread)
{
	unsigned deadlock = ++dump->deadlocks;

	for (; !thread->deadlock; thread = next(dump, thread))
		thread->deadlock = deadlock;
}

void
dump_find_deadlocks(struct dump *dump)
{
	size_t *walks = xcalloc(dump->count + 1, sizeof(*walks));

	dump->deadlocks = 0;
	for (size_t i = 0; i < dump->count; i++)
		dump->threads[i].deadlock = 0;
	for (size_t i = 0; i < dump->count; i++) {
		struct dump_thread *at = &dump->threads[i];

		while (at && !walks[at - dump->threads]) {
			walks[at - dump->threads] = i + 1;
			at = next(dump, at);
		}
		if (at && walks[at - dump->threads] == i + 1)
			number(dump, at);
	}
	free(walks);
}
