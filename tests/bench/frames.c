/* SPDX-License-Identifier: MIT */
/*
 * frames.c - how long a frame takes, on the same recorded samples.
 *
 *	oracle-frames FILE...
 *
 * Ours with its cache of rules and without, libunwind with its global cache
 * and without, libdw; all have seen the samples once before. Rounds of all
 * five take turns, so that what else the machine does hits each alike; the
 * median round counts, in CPU time of this thread.
 *
 * Stacks are copied to where the last ones were before they are walked, a few
 * at a time and outside of what is measured: in earnest the kernel has just
 * written them, so they are in the processor's cache. A file's are not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/oracle/engine.h"

#define ROUNDS 5
#define ROUND_FRAMES 200000	/* at least, of one engine */
#define BATCH 32		/* samples drained at once */

struct contender {
	const char *name;
	const struct engine *engine;
	bool has_no_cache;
	void *state;
	double ns[ROUNDS];	/* a frame */
};

struct bench {
	struct samples *samples;
	struct local_rows *rows;
	struct raw *raws;
	size_t count, capacity;
	struct chain chain;
	uint8_t room[BATCH * 65536];
};

static uint64_t
cpu_ns(void)
{
	struct timespec at;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
	return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
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

/* All samples; adds to the time and the frames. */
static void
walk_all(struct bench *b, const struct contender *c, uint64_t *took,
	 uint64_t *frames)
{
	struct raw batch[BATCH];
	size_t i, n, from;

	for (from = 0; from < b->count; from += BATCH) {
		uint64_t began;

		n = take_batch(b, from, batch);
		began = cpu_ns();
		for (i = 0; i < n; i++) {
			c->engine->walk(c->state, &batch[i], &b->chain);
			*frames += b->chain.n;
		}
		*took += cpu_ns() - began;
	}
}

static double
round_ns(struct bench *b, const struct contender *c)
{
	uint64_t frames = 0, took = 0;

	do
		walk_all(b, c, &took, &frames);
	while (frames < ROUND_FRAMES);
	return (double)took / (double)frames;
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(struct contender *c)
{
	qsort(c->ns, ROUNDS, sizeof(c->ns[0]), by_size);
	return c->ns[ROUNDS / 2];
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
	uint64_t frames[ARRAY_LEN(all)] = { 0 }, unused = 0;
	double ns[ARRAY_LEN(all)];
	size_t i, round;

	for (i = 0; i < ARRAY_LEN(all); i++) {
		struct engine_config config = {
			.rows = b->rows,
			.has_no_cache = all[i].has_no_cache,
		};

		all[i].state = all[i].engine->open(b->samples, &config);
		walk_all(b, &all[i], &unused, &frames[i]);
	}
	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < ARRAY_LEN(all); i++)
			all[i].ns[round] = round_ns(b, &all[i]);
	printf("frames %s: %zu samples, %.1f frames each\n", path, b->count,
	       (double)frames[0] / (double)b->count);
	for (i = 0; i < ARRAY_LEN(all); i++) {
		ns[i] = median(&all[i]);
		printf("  %-20s %9.1f ns a frame, %10.0f frames a second"
		       "  (%llu frames)\n", all[i].name, ns[i], 1e9 / ns[i],
		       (unsigned long long)frames[i]);
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
