/* SPDX-License-Identifier: MIT */
/*
 * space.h - the address space of one process: from registers to a sample.
 *
 * Holds the process's mappings, its unwinder and a cache of its read-only
 * pages, and knows the module of each mapping. Every sampler makes its raw
 * samples whole here:
 *
 *	registers + stack copy --unwind--> program counters
 *	program counters --maps--> (module, offset) --> sink.sample()
 *
 * The walk reads the stack copy first and the target's memory where the copy
 * ends; what it finds there must have been called, and by then the last call
 * that the copy has must still last: else it is another stack's. Where it is,
 * and without the right to read on, the end of the thread's last whole stack
 * is taken if it fits (sampler/stitch.h). A sample whose tables of rules are
 * not here yet waits for them (sampler/waiting.h), and is then walked with the
 * mappings of its own time.
 */
#ifndef SAMPLER_SPACE_H
#define SAMPLER_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/sampler.h"

struct space;
struct waiting;

/* TARGET may be NULL for a child that is followed: then PID's memory is used
   directly. All arguments are borrowed until space_free(), SINK and WAITING
   until that is empty; it may be NULL: then no sample waits. */
struct space *space_new(pid_t pid, const struct target *target,
			enum unwind_mode unwind, const struct sink *sink,
			struct waiting *waiting);
void space_free(struct space *space);

/* The child's space at fork: same mappings, its own memory. */
struct space *space_fork(const struct space *space, pid_t child);

/* The mappings, to be changed: add to them as records come in. */
struct maps *space_maps(struct space *space);

/* The same, to be looked at. Valid until the next space_maps(). */
const struct maps *space_maps_now(const struct space *space);

/* exec: everything known is void, but for samples that wait. */
void space_reset(struct space *space);

/* A sample as it was taken. Borrowed for the call. */
struct raw_sample {
	uint64_t time_ns;
	pid_t tid;
	enum kind kind;
	uint64_t weight;
	const uint64_t *kernel;		/* kernel chain, leaf first */
	size_t nkernel;
	const uint64_t *trail;		/* core/memory.h; from rbp on */
	size_t ntrail;
	bool has_regs;			/* false: kernel frames only */
	struct regs regs;
	const void *stack;		/* copy of memory from rsp upward */
	size_t stack_len;
};

/* Unwind and hand over to the sink. */
void space_sample(struct space *space, const struct raw_sample *raw);

/*
 * Was the copy of the stack too short for the last sample, and the rest not
 * to be had? *REACH is how many bytes of stack it had, as far as it is known.
 */
bool space_was_short(const struct space *space, size_t *reach);

#endif
