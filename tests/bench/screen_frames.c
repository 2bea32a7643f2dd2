/* SPDX-License-Identifier: MIT */
/*
 * screen_frames.c - what a frame costs, by the size of the call tree.
 *
 *	screen-frames
 *
 * Trees of 10^3 to 10^6 nodes have the same thousand heavy ones; what else is
 * in them is light and below these, so that about the same is visible of all.
 * A screen of 200x50 is drawn whole, in CPU time, as it was and after 100 new
 * samples, one in ten of a stack that was not there. What was lost since a
 * baseline is summed once a second, which is every tenth frame here. The last
 * column is what the largest costs to the smallest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/baseline.h"
#include "tests/unit/fake_scene.h"
#include "tui/tui_private.h"

#define WIDTH 200
#define HEIGHT 50
#define CORE 1000		/* nodes that every tree has */
#define SAMPLES 100		/* from one frame to the next */
#define FRAMES 51
#define WARM_UP 20		/* frames that do not count */
#define SECOND UINT64_C(1000000000)
#define BAR 3.0

static const size_t sizes[] = { 1000, 10000, 100000, 1000000 };

/* A live session of a target that has so many nodes. */
struct big {
	struct fake fake;
	struct canvas *canvas;
	stack_id *stacks;	/* by node, in the order they were made */
	size_t count, capacity, functions;
	uint64_t random, time_ns;
	struct baseline *baseline;	/* of a moment before; or NULL */
};

static uint64_t
draw_number(struct big *big, uint64_t below)
{
	uint64_t x = big->random;	/* xorshift64 */

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	big->random = x;
	return x % below;
}

static void
add(struct big *big, stack_id stack, uint64_t weight)
{
	struct cell cell = { .stack = stack, .kind = KIND_CPU,
			     .weight = weight, .time_ns = big->time_ns };

	cell.thread = profile_thread(big->fake.profile, 4242, 1, 1);
	profile_add(big->fake.profile, big->time_ns, &cell);
	picture_note(big->fake.picture, &cell);
}

/* One more node, below the node that was made as number PARENT. */
static stack_id
grow_tree(struct big *big, size_t parent)
{
	struct frame frame = { .kind = FRAME_CODE };
	size_t func = draw_number(big, big->functions);
	char name[32];

	/* the first nodes have functions of their own, so that none merge */
	if (big->count < CORE)
		func = big->functions + big->count;
	snprintf(name, sizeof(name), "function_%zu", func);
	frame.name = fake_text(&big->fake, name);
	big->stacks = grow(big->stacks, big->count, &big->capacity,
			   sizeof(*big->stacks));
	big->stacks[big->count] = profile_push(
		big->fake.profile, big->count ? big->stacks[parent] : 0,
		profile_frame(big->fake.profile, &frame));
	return big->stacks[big->count++];
}

static void
fill(struct big *big, size_t nodes)
{
	while (big->count < CORE) {
		size_t near = big->count < 80 ? big->count : 80;
		uint64_t weight = 1;

		for (uint64_t i = draw_number(big, 14); i > 0; i--)
			weight *= 2;
		add(big, grow_tree(big, big->count && near ? big->count - 1 -
				   draw_number(big, near) : 0), weight);
	}
	while (profile_stacks(big->fake.profile) < nodes)
		add(big, grow_tree(big, draw_number(big, big->count)), 1);
}

static void
open_big(struct big *big, size_t nodes)
{
	memset(big, 0, sizeof(*big));
	fake_open(&big->fake);
	profile_set_bound(big->fake.profile, PROFILE_BOUND_FILE);
	picture_recent(big->fake.picture, 5);
	big->canvas = canvas_new(WIDTH, HEIGHT, false);
	big->random = 88172645463325252ull;
	big->time_ns = SECOND;
	big->functions = nodes / 30;
	fill(big, nodes);
	fake_scene(&big->fake);
}

static void
close_big(struct big *big)
{
	canvas_free(big->canvas);
	free(big->stacks);
	picture_set_baseline(big->fake.picture, NULL);
	baseline_free(big->baseline);
	fake_close(&big->fake);
}

static double
cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void
sample(struct big *big)
{
	big->time_ns += SECOND / 10;
	for (int i = 0; i < SAMPLES; i++) {
		size_t node = draw_number(big, i % 2 ? CORE : big->count);

		add(big, i % 10 ? big->stacks[node] : grow_tree(big, node), 1);
	}
}

/* CPU time of one frame, and what it took to come to it. */
static double
frame(struct big *big, bool is_new)
{
	struct scene scene;
	double began;

	if (is_new)
		sample(big);
	began = cpu_us();
	scene = fake_scene(&big->fake);
	scene.now_ns = big->time_ns;
	tui_draw(big->fake.tui, &scene, big->canvas);
	return cpu_us() - began;
}

static int
compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* A quarter took less: of the others some were disturbed by other programs. */
static double
quiet_frame(struct big *big, bool is_new)
{
	double times[FRAMES];

	for (int i = 0; i < WARM_UP; i++)
		frame(big, is_new);
	for (size_t i = 0; i < FRAMES; i++)
		times[i] = frame(big, is_new);
	qsort(times, FRAMES, sizeof(*times), compare);
	return times[FRAMES / 4];
}

/* What is measured: a view, with a search or without, and what is new. */
static const struct {
	const char *name, *keys;
	bool is_new, is_compared;
	enum drawn drawn;
} cases[] = {
	{ "flame, as it was", "1", false, false, DRAWN_NOW },
	{ "flame, new samples", "1", true, false, DRAWN_NOW },
	{ "functions, as it was", "2g", false, false, DRAWN_NOW },
	{ "functions, new samples", "2g", true, false, DRAWN_NOW },
	{ "flame, search, as it was", "1/_7\r", false, false, DRAWN_NOW },
	{ "flame, search, new", "1/_7\r", true, false, DRAWN_NOW },
	{ "functions, search, as it was", "2g/_7\r", false, false, DRAWN_NOW },
	{ "functions, search, new", "2g/_7\r", true, false, DRAWN_NOW },
	{ "flame, compared, new", "/\r1", true, true, DRAWN_NOW },
	{ "flame, the baseline's, new", "1", true, true, DRAWN_BASE },
	{ "flame, what was lost, new", "1", true, true, DRAWN_LOST },
	{ "functions, baseline's, new", "2g", true, true, DRAWN_BASE },
};

/* As pressed a moment ago: all that there was then is the baseline. */
static void
compare_sides(struct big *big, enum drawn drawn)
{
	struct picture *picture = big->fake.picture;
	struct filter filter = *picture_filter(picture);

	if (!big->baseline) {
		big->time_ns += SECOND;
		filter.since_ns = big->time_ns - big->time_ns % SECOND;
		big->baseline = baseline_until(big->fake.profile,
					       filter.since_ns);
		picture_set_baseline(picture, big->baseline);
		free(picture_set_filter(picture, &filter, NULL));
	}
	picture_set_drawn(picture, drawn);
}

static void
press(struct big *big, const char *keys)
{
	for (; *keys; keys++) {
		struct scene scene = fake_scene(&big->fake);

		tui_key(big->fake.tui, &scene, *keys == '\r' ? KEYS_ENTER :
			(unsigned char)*keys);
		frame(big, false);
	}
}

int
main(void)
{
	double times[ARRAY_LEN(cases)][ARRAY_LEN(sizes)], ratio;
	int status = 0;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct big big;

		open_big(&big, sizes[i]);
		for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
			press(&big, cases[c].keys);
			if (cases[c].is_compared)
				compare_sides(&big, cases[c].drawn);
			times[c][i] = quiet_frame(&big, cases[c].is_new);
		}
		close_big(&big);
	}
	printf("%-30s %9s %9s %9s %9s  ratio\n", "CPU us a frame, 200x50",
	       "10^3", "10^4", "10^5", "10^6");
	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		ratio = times[c][ARRAY_LEN(sizes) - 1] / times[c][0];
		status |= ratio >= BAR;
		printf("%-30s %9.0f %9.0f %9.0f %9.0f  %5.2f%s\n",
		       cases[c].name, times[c][0], times[c][1], times[c][2],
		       times[c][3], ratio, ratio < BAR ? "" : "  (bar 3)");
	}
	return status;
}
