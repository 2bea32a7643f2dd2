/* SPDX-License-Identifier: MIT */
/*
 * picture_bench.c - what a picture costs, by the size of its tree.
 *
 * Trees of 10^3 to 10^6 nodes, a hundred samples more each time. One line for
 * each thing that is done: its time in the largest tree, as a multiple of that
 * in the smallest (what does not depend on the size has about 1) and of
 * summing the largest anew. With -v times as well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base.h"
#include "core/picture.h"

#define SECOND UINT64_C(1000000000)
#define SIZES 4			/* 10^3, 10^4 ... nodes */
#define FUNCTIONS 20000
#define SAMPLES 100
#define DEPTH 40
#define TURNS 15

struct bench {
	struct profile *profile;
	struct names *names;
	struct picture *picture;
	frame_id frames[FUNCTIONS];
	uint64_t now_ns;
};

static double
cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
add_stack(struct bench *b, stack_id stack)
{
	struct cell cell = { .stack = stack, .weight = 1,
			     .time_ns = b->now_ns - b->now_ns % SECOND };

	profile_add(b->profile, b->now_ns, &cell);
	picture_note(b->picture, &cell);
}

/* A stack that was seen, or one more frame on top of one. */
static void
add_sample(struct bench *b, bool is_new)
{
	size_t count = profile_stacks(b->profile);
	stack_id stack = (stack_id)((size_t)rand() % count);

	if (is_new && profile_get_stack(b->profile, stack)->depth < DEPTH)
		stack = profile_push(b->profile, stack,
				     b->frames[rand() % FUNCTIONS]);
	add_stack(b, stack);
}

static void
open_bench(struct bench *b, size_t nodes)
{
	b->profile = profile_new();
	profile_set_bound(b->profile, (size_t)8 << 30);
	b->names = names_new(b->profile);
	b->picture = picture_new(b->profile, b->names);
	b->now_ns = 100 * SECOND;
	for (size_t i = 0; i < FUNCTIONS; i++) {
		struct frame frame = { .kind = FRAME_CODE };
		char name[16];

		snprintf(name, sizeof(name), "f%zu", i);
		frame.name = strings_add(profile_strings(b->profile), name,
					 strlen(name));
		b->frames[i] = profile_frame(b->profile, &frame);
	}
	while (profile_stacks(b->profile) < nodes) {
		add_sample(b, true);
		b->now_ns += 60 * SECOND / nodes;
	}
	free(picture_update(b->picture, &nodes));
}

static void
close_bench(struct bench *b)
{
	picture_free(b->picture);
	names_free(b->names);
	profile_free(b->profile);
}

static void
add_more(struct bench *b)
{
	for (int i = 0; i < SAMPLES; i++)
		add_sample(b, i % 10 == 0);
}

static void
add_in_next_second(struct bench *b)
{
	b->now_ns += SECOND;
	add_more(b);
}

static void
nothing(struct bench *b)
{
	(void)b;
}

static void
update(struct bench *b)
{
	size_t count;

	free(picture_update(b->picture, &count));
}

static void
update_and_functions(struct bench *b)
{
	size_t count;

	update(b);
	picture_functions(b->picture, &count);
}

static void
set(struct bench *b, enum shape shape, const struct transform *transform)
{
	struct filter filter = { .shape = shape, .transforms = transform,
				 .ntransforms = transform != NULL };

	free(picture_set_filter(b->picture, &filter, NULL));
}

static void
sum_anew(struct bench *b)
{
	struct filter filter = *picture_filter(b->picture);

	free(picture_set_filter(b->picture, &filter, NULL));
}

static void
set_window(struct bench *b)
{
	struct filter filter = { .window_ns = 30 * SECOND };

	free(picture_set_filter(b->picture, &filter, NULL));
}

static void
set_recent(struct bench *b)
{
	picture_recent(b->picture, 5);
}

static void
reset(struct bench *b)
{
	picture_recent(b->picture, 0);
	set(b, SHAPE_CALLEES, NULL);
}

static void
focus(struct bench *b)
{
	struct transform transform = {
		.kind = TRANSFORM_FOCUS,
		.about.func = names_of(b->names, b->frames[rand() % 100]) };

	set(b, SHAPE_CALLEES, &transform);
}

static void
merge(struct bench *b)
{
	struct transform transform = {
		.kind = TRANSFORM_MERGE,
		.about.func = names_of(b->names, b->frames[rand() % 100]) };

	set(b, SHAPE_CALLEES, &transform);
}

static void
invert(struct bench *b)
{
	set(b, SHAPE_INVERTED, NULL);
}

typedef void (*bench_fn)(struct bench *b);

static const struct row {
	const char *what;
	bench_fn first, before;	/* once, and each time; not measured */
	bench_fn fn;
	int turns;
} rows[] = {
	{ "sum anew", reset, nothing, sum_anew, 3 },
	{ "100 samples", reset, add_more, update, TURNS },
	{ "and functions", reset, add_more, update_and_functions, TURNS },
	{ "and the last seconds", set_recent, add_more, update_and_functions,
	  TURNS },
	{ "a window moves on", set_window, add_in_next_second, update, 5 },
	{ "focus", reset, nothing, focus, 2 },
	{ "merge", reset, nothing, merge, 2 },
	{ "100 samples, merged", merge, add_more, update, TURNS },
	{ "invert", reset, nothing, invert, 1 },
	{ "100 samples, inverted", invert, add_more, update, TURNS },
};

static int
compare(const void *a, const void *b)
{
	double one = *(const double *)a, two = *(const double *)b;

	return (one > two) - (one < two);
}

/* The median; the first of several turns, which fills caches, left out. */
static double
measure(struct bench *b, const struct row *row)
{
	double times[TURNS], began;

	row->first(b);
	for (int i = row->turns > 1 ? -1 : 0; i < row->turns; i++) {
		row->before(b);
		began = cpu_seconds();
		row->fn(b);
		if (i >= 0)
			times[i] = cpu_seconds() - began;
	}
	qsort(times, (size_t)row->turns, sizeof(*times), compare);
	return times[row->turns / 2];
}

int
main(int argc, char **argv)
{
	bool is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	static double times[ARRAY_LEN(rows)][SIZES];
	size_t nodes = 1000;

	for (int size = 0; size < SIZES; size++, nodes *= 10) {
		struct bench *b = xcalloc(1, sizeof(*b));

		srand(1);
		open_bench(b, nodes);
		for (size_t i = 0; i < ARRAY_LEN(rows); i++)
			times[i][size] = measure(b, &rows[i]);
		close_bench(b);
		free(b);
	}
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		printf("%-24s", rows[i].what);
		for (int size = 0; is_verbose && size < SIZES; size++)
			printf(" %10.3f ms", times[i][size] * 1e3);
		printf("  %8.2f times  %.3f of summing\n",
		       times[i][SIZES - 1] / times[i][0],
		       times[i][SIZES - 1] / times[0][SIZES - 1]);
	}
	return 0;
}
