/* SPDX-License-Identifier: MIT */
/*
 * waiting.h - samples whose tables of unwind rules are not here yet.
 *
 * Each is kept as it was taken, with its copy of the stack and the mappings
 * of its time, and walked again when what it lacked has come. One that has
 * waited for WAITING_NS, or that finds no room, is walked as well as it goes
 * without: none is lost.
 *
 * One queue serves all processes of a sampler, on the sampler's thread.
 */
#ifndef SAMPLER_WAITING_H
#define SAMPLER_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/space.h"

#define WAITING_MAX ((size_t)32 << 20)	/* bytes */
#define WAITING_NS 2000000000u

/* All zeroes is an empty one. */
struct waiting {
	struct waiter *first, *last;	/* in the order they came */
	size_t bytes;
	uint64_t version;	/* of the tables, when they were last tried */
	uint64_t patience_ns;	/* in place of WAITING_NS, unless 0 */
};

/* Keep RAW (copied), a sample of SPACE. False if there is no room for it. */
bool waiting_add(struct waiting *waiting, struct space *space,
		 const struct raw_sample *raw);

/* Walk again what can be now, in order. Cheap when nothing has changed. */
void waiting_turn(struct waiting *waiting, const struct sink *sink);

/* Wait for the rest, WAITING_NS at most, until none is left. */
void waiting_finish(struct waiting *waiting, const struct sink *sink);

#endif
