/* SPDX-License-Identifier: MIT */
/*
 * demo_load.c - a small busy shop, for the demo.
 *
 *	web-worker	serve_request: parse_json and search_index
 *	shelf-sorter	sort_shelves, by quick_sort down to a few levels
 *	night-shift	takes turns every few seconds: price_report,
 *			then compress_backup, then sleep
 *
 * Functions are kept from being inlined and do work after each call, so the
 * picture has the shape of the source.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "app/commands.h"

#ifdef __clang__
#define FRAME __attribute__((noinline))
#else
#define FRAME __attribute__((noinline, noclone))
#endif
#define SHELF 512

/* Some microseconds of arithmetic that no compiler can leave out. */
FRAME static uint32_t
hash_words_of(uint32_t seed, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 17;
		seed ^= seed << 5;
		__asm__ volatile("" : "+r"(seed));
	}
	return seed;
}

FRAME static uint32_t
parse_string(uint32_t seed)
{
	return hash_words_of(seed, 20000) + 1;
}

FRAME static uint32_t
parse_json(uint32_t seed, unsigned depth)
{
	uint32_t sum = parse_string(seed);

	if (depth > 0)
		sum += parse_json(seed + 1, depth - 1);
	return sum + 1;
}

FRAME static uint32_t
rank_results(uint32_t seed)
{
	uint32_t best = 0;

	for (unsigned i = 0; i < 12000; i++) {
		uint32_t score = seed * 2654435761u + i;

		best = score > best ? score : best;
		__asm__ volatile("" : "+r"(best));
	}
	return best;
}

FRAME static uint32_t
search_index(uint32_t seed)
{
	uint32_t hits = hash_words_of(seed, 40000);

	return hits + rank_results(hits) + 1;
}

FRAME static uint32_t
serve_request(uint32_t seed)
{
	uint32_t request = parse_json(seed, 3);

	return search_index(request) + 1;
}

FRAME static void
quick_sort(uint32_t *shelf, int low, int high)
{
	int left = low, right = high;
	uint32_t middle = shelf[(low + high) / 2];

	while (left <= right) {
		while (shelf[left] < middle)
			left++;
		while (shelf[right] > middle)
			right--;
		if (left <= right) {
			uint32_t book = shelf[left];

			shelf[left++] = shelf[right];
			shelf[right--] = book;
		}
	}
	if (low < right)
		quick_sort(shelf, low, right);
	if (left < high)
		quick_sort(shelf, left, high);
	__asm__ volatile("" ::: "memory");
}

FRAME static void
sort_shelves(uint32_t *shelf, uint32_t seed)
{
	for (int i = 0; i < SHELF; i++)
		shelf[i] = seed = seed * 1664525u + 1013904223u;
	quick_sort(shelf, 0, SHELF - 1);
	__asm__ volatile("" ::: "memory");
}

FRAME static uint32_t
price_report(uint32_t seed)
{
	return hash_words_of(seed, 60000) + 1;
}

FRAME static uint32_t
compress_backup(uint32_t seed)
{
	return rank_results(seed) + hash_words_of(seed, 30000) + 1;
}

static void *
shelf_sorter(void *ctx)
{
	uint32_t *shelf = xcalloc(SHELF, sizeof(*shelf));

	(void)ctx;
	prctl(PR_SET_NAME, "shelf-sorter");
	for (uint32_t seed = 1;; seed++) {
		sort_shelves(shelf, seed);
		if (seed % 64 == 0)
			usleep(2000);
	}
	return NULL;
}

static void *
night_shift(void *ctx)
{
	uint32_t sum = 1;

	(void)ctx;
	prctl(PR_SET_NAME, "night-shift");
	for (;;) {
		time_t phase = time(NULL) / 4 % 3;

		if (phase == 0)
			sum += price_report(sum);
		else if (phase == 1)
			sum += compress_backup(sum);
		else
			usleep(50000);
	}
	return NULL;
}

static void *
web_worker(void *ctx)
{
	uint32_t sum = 1;

	(void)ctx;
	prctl(PR_SET_NAME, "web-worker");
	for (;;)
		sum += serve_request(sum);
	return NULL;
}

int
demo_load(void)
{
	static void *(*const threads[])(void *) = {
		web_worker, shelf_sorter, night_shift,
	};
	pthread_t ignored;

	prctl(PR_SET_NAME, "flametop-demo");
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (nice(10) < 0)
		return STATUS_FAILED;
	for (size_t i = 0; i < ARRAY_LEN(threads); i++)
		pthread_create(&ignored, NULL, threads[i], NULL);
	for (;;)
		pause();
	return STATUS_DONE;
}
