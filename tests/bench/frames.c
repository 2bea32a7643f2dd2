/* SPDX-License-Identifier: MIT */
/*
 * frames.c - how long a frame takes, on the same recorded samples.
 *
 *	oracle-frames FILE...
 *
 * Ours with its cache of rules and without, libunwind with its global cache
 * and without, libdw. Rounds of all five take turns, so that what else the
 * machine does hits each alike; each walks the samples once before it is
 * measured, so that none is slower for what the one before it did. Time is
 * that of this thread on the processor, without what reading its clock takes,
 * which is a system call: where these are slow, as long as 150 of our frames.
 *
 * Stacks are copied to where the last ones were before they are walked, a few
 * at a time and outside of what is measured: in earnest the kernel has just
 * written them, so they are in the processor's cache. A file's are not. Of
 * each such batch the median round counts: over a whole round other programs
 * have run in between, and have taken that cache.
 *
 * libunwind masks signals twice a frame, whatever its policy and the size of
 * its cache: two system calls, which are all but 0.2 us of what a frame takes.
 * So how often ours goes into it says as much of the machine as of the two.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/oracle/engine.h"

#define ROUNDS 7
#define BATCH 32		/* samples drained at once */
#define CLOCK_ROUNDS 1001

struct contender {
	const char *name;
	const struct engine *engine;
	bool has_no_cache;
	void *state;
	uint64_t frames;	/* of all samples */
	uint64_t (*took)[ROUNDS];	/* ns, of each batch */
};

struct bench {
	struct samples *samples;
	struct local_rows *rows;
	struct raw *raws;
	size_t count, capacity;
	struct chain chain;
	uint64_t clock_ns;	/* what reading the clock takes */
	uint8_t room[BATCH * 65536];
};

static uint64_t
cpu_ns(void)
{
	struct timespec at;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
	return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

static int
by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t
median(uint64_t *of, size_t n)
{
	qsort(of, n, sizeof(*of), by_size);
	return of[n / 2];
}

static uint64_t
clock_cost(void)
{
	uint64_t took[CLOCK_ROUNDS];
	size_t i;

	for (i = 0; i < CLOCK_ROUNDS; i++) {
		uint64_t began = cpu_ns();

		took[i] = cpu_ns() - began;
	}
	return median(took, CLOCK_ROUNDS);
}

static void
collect(struct bench *b)
{
	struct raw raw;

	samples_rewind(b->samples);
	while (samples_next(b->samples, &raw)) {
		b->raws = grow(b->raws, b->count, &b->capacity,
			       sizeof(*b->raws));
		b->raws[b->count++] = raw;
	}
}

/* The next samples from number FROM on, with their stacks in ROOM. */
static size_t
take_batch(struct bench *b, size_t from, struct raw batch[BATCH])
{
	size_t i, at = 0;

	for (i = 0; i < BATCH && from + i < b->count; i++) {
		batch[i] = b->raws[from + i];
		memcpy(b->room + at, batch[i].stack, batch[i].stack_len);
		batch[i].stack = b->room + at;
		at += (batch[i].stack_len + 63) & ~(size_t)63;
	}
	return i;
}

/* Samples from number FROM on; adds to the frames. */
static uint64_t
walk_batch(struct bench *b, struct contender *c, size_t from)
{
	struct raw batch[BATCH];
	size_t i, n = take_batch(b, from, batch);
	uint64_t began = cpu_ns(), took;

	for (i = 0; i < n; i++) {
		c->engine->walk(c->state, &batch[i], &b->chain);
		c->frames += b->chain.n;
	}
	took = cpu_ns() - began;
	return took > b->clock_ns ? took - b->clock_ns : 0;
}

static void
walk_all(struct bench *b, struct contender *c, size_t round)
{
	size_t from;

	c->frames = 0;
	for (from = 0; from < b->count; from += BATCH)
		c->took[from / BATCH][round] = walk_batch(b, c, from);
}

static double
frame_ns(const struct bench *b, const struct contender *c)
{
	uint64_t sum = 0;
	size_t from;

	for (from = 0; from < b->count; from += BATCH)
		sum += median(c->took[from / BATCH], ROUNDS);
	return (double)sum / (double)c->frames;
}

static void
run(struct bench *b, const char *path)
{
	struct contender all[] = {
		{ .name = "ours", .engine = &engine_ours },
		{ .name = "ours, no cache", .engine = &engine_ours,
		  .has_no_cache = true },
		{ .name = "libunwind", .engine = &engine_libunwind },
		{ .name = "libunwind, no cache", .engine = &engine_libunwind,
		  .has_no_cache = true },
		{ .name = "libdw", .engine = &engine_libdw },
	};
	double ns[ARRAY_LEN(all)];
	size_t i, round;

	for (i = 0; i < ARRAY_LEN(all); i++) {
		struct engine_config config = {
			.rows = b->rows,
			.has_no_cache = all[i].has_no_cache,
		};

		all[i].state = all[i].engine->open(b->samples, &config);
		all[i].took = xcalloc(b->count / BATCH + 1,
				      sizeof(*all[i].took));
	}
	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < ARRAY_LEN(all); i++) {
			walk_all(b, &all[i], round);
			walk_all(b, &all[i], round);
		}
	printf("frames %s: %zu samples, %.1f frames each\n", path, b->count,
	       (double)all[0].frames / (double)b->count);
	for (i = 0; i < ARRAY_LEN(all); i++) {
		ns[i] = frame_ns(b, &all[i]);
		printf("  %-20s %9.1f ns a frame, %10.0f frames a second"
		       "  (%llu frames)\n", all[i].name, ns[i], 1e9 / ns[i],
		       (unsigned long long)all[i].frames);
		free(all[i].took);
		all[i].engine->close(all[i].state);
	}
	printf("  ours is %.0f times libunwind, %.0f times libdw; without "
	       "cache %.0f times libunwind, %.0f times it without its own\n",
	       ns[2] / ns[0], ns[4] / ns[0], ns[2] / ns[1], ns[3] / ns[1]);
}

int
main(int argc, char **argv)
{
	struct local_rows_config whole = { 0 };
	struct bench *b = xcalloc(1, sizeof(*b));
	struct error err = { 0 };
	int i;

	b->rows = local_rows_new(&whole);
	b->clock_ns = clock_cost();
	for (i = 1; i < argc; i++) {
		if (!samples_open(argv[i], &b->samples, &err)) {
			fprintf(stderr, "oracle-frames: %s\n", err.text);
			return 1;
		}
		b->count = 0;
		collect(b);
		run(b, argv[i]);
		samples_close(b->samples);
	}
	local_rows_free(b->rows);
	free(b->raws);
	free(b);
	return 0;
}
