/* SPDX-License-Identifier: MIT */
/*
 * waiting.c - a list of raw samples, each in one piece of memory.
 */
#include "sampler/waiting.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sampler/clock.h"
#include "sampler/space_private.h"

#define LOOK_NS 2000000		/* for what comes, at the end */

struct waiter {
	struct waiter *next;
	struct space *space;
	struct past past;
	struct lack lack;
	uint64_t since_ns;
	size_t size;
	struct raw_sample raw;	/* its pointers lead into BYTES */
	_Alignas(8) uint8_t bytes[];
};

bool
waiting_add(struct waiting *waiting, struct space *space,
	    const struct raw_sample *raw)
{
	size_t kernel = raw->nkernel * sizeof(*raw->kernel);
	size_t trail = raw->ntrail * sizeof(*raw->trail);
	size_t size = sizeof(struct waiter) + kernel + trail + raw->stack_len;
	struct waiter *waiter;

	if (size > WAITING_MAX - waiting->bytes)
		return false;
	waiter = xcalloc(1, size);
	waiter->space = space;
	waiter->lack = space->lack;
	waiter->past = space_hold(space);
	waiter->since_ns = clock_now();
	waiter->size = size;
	waiter->raw = *raw;
	if (kernel)
		memcpy(waiter->bytes, raw->kernel, kernel);
	if (trail)
		memcpy(waiter->bytes + kernel, raw->trail, trail);
	if (raw->stack_len)
		memcpy(waiter->bytes + kernel + trail, raw->stack,
		       raw->stack_len);
	waiter->raw.kernel = (const uint64_t *)(const void *)waiter->bytes;
	waiter->raw.trail = waiter->raw.kernel + raw->nkernel;
	waiter->raw.stack = waiter->bytes + kernel + trail;
	if (waiting->last)
		waiting->last->next = waiter;
	else
		waiting->first = waiter;
	waiting->last = waiter;
	waiting->bytes += size;
	return true;
}

/* Has its table come, or will it never? */
static bool
lacks_nothing(const struct waiter *waiter, const struct sink *sink)
{
	const struct lack *lack = &waiter->lack;
	struct rows rows;

	return sink->rows(sink->ctx, lack->module, lack->offset, lack->is_full,
			  &rows) != ROWS_ASKED;
}

static uint64_t
patience(const struct waiting *waiting)
{
	return waiting->patience_ns ? waiting->patience_ns : WAITING_NS;
}

/* True when WAITER has been delivered. */
static bool
try_again(const struct waiting *waiting, struct waiter *waiter,
	  const struct sink *sink, uint64_t now_ns)
{
	bool is_late = now_ns - waiter->since_ns >= patience(waiting);

	if (!is_late && !lacks_nothing(waiter, sink))
		return false;
	if (space_walk_past(waiter->space, &waiter->raw, &waiter->past,
			    !is_late))
		return true;
	waiter->lack = waiter->space->lack;
	return false;
}

void
waiting_turn(struct waiting *waiting, const struct sink *sink)
{
	struct waiter **at = &waiting->first, *last = NULL;
	uint64_t now_ns, version;

	if (!waiting->first)
		return;
	now_ns = clock_now();
	version = sink->rows_version(sink->ctx);
	if (version == waiting->version &&
	    now_ns - waiting->first->since_ns < patience(waiting))
		return;
	waiting->version = version;
	while (*at) {
		struct waiter *waiter = *at;

		if (!try_again(waiting, waiter, sink, now_ns)) {
			last = waiter;
			at = &waiter->next;
			continue;
		}
		*at = waiter->next;
		waiting->bytes -= waiter->size;
		space_let_go(waiter->space, &waiter->past);
		free(waiter);
	}
	waiting->last = last;
}

void
waiting_finish(struct waiting *waiting, const struct sink *sink)
{
	struct timespec pause = { .tv_nsec = LOOK_NS };

	waiting_turn(waiting, sink);
	while (waiting->first) {
		nanosleep(&pause, NULL);
		waiting_turn(waiting, sink);
	}
}
