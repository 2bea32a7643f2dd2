/* SPDX-License-Identifier: MIT */
/*
 * calm.h - a recorded profile as a stream of random samples: a target that
 * does the same all the time, drawn from by a generator with a fixed seed.
 */
#ifndef TESTS_BENCH_CALM_H
#define TESTS_BENCH_CALM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/picture.h"

struct error;

/* Stacks, each to be drawn as often as it was recorded. */
struct urn {
	struct profile *profile;	/* what was recorded, counts and all */
	struct names *names;
	struct cell *cells;		/* one for each stack */
	uint64_t *until;		/* sum of weights up to each */
	size_t count, capacity;
	uint64_t total;
};

bool urn_read(struct urn *urn, const char *path, struct error *err);
void urn_free(struct urn *urn);

/* What is drawn from it, as a live session has it. */
struct target {
	const struct urn *urn;
	struct profile *profile;
	struct names *names;
	struct picture *picture;
	stack_id *stacks;		/* by cell of SOURCE */
	uint64_t random;
};

void target_open(struct target *target, const struct urn *urn,
		 uint64_t seed);
void target_close(struct target *target);

/* COUNT samples at TIME_NS, noted and taken in by the picture. */
void target_run(struct target *target, uint64_t time_ns, unsigned count);

#endif
