/* SPDX-License-Identifier: MIT */
/*
 * inflation.c - from counts by blocks to one number for each function.
 */
#include "core/inflation.h"

#include <stdlib.h>

#include "core/base.h"

#define BLOCKS_LEAST 10		/* that a doubling has to leave */
#define BLOCKS_ANY 5		/* below that nothing can be said */
#define GROWTH 1.25		/* by a doubling: less has settled */
#define REST_MAX 2.0
#define WATCHED 0.005		/* share of a function that decides */

/* Counts in groups of WIDTH blocks. */
struct groups {
	const uint64_t *samples;
	size_t count, width;
	double all;
};

static double
sum(const uint64_t *series, size_t from, size_t count, size_t width)
{
	double total = 0;

	for (size_t i = from; i < count && i < from + width; i++)
		total += (double)series[i];
	return total;
}

static size_t
groups_with_samples(const struct groups *groups)
{
	size_t n = 0;

	for (size_t i = 0; i < groups->count; i += groups->width)
		n += sum(groups->samples, i, groups->count,
			 groups->width) > 0;
	return n;
}

static double
inflation_at(const struct groups *g, const uint64_t *series)
{
	double share = sum(series, 0, g->count, g->count) / g->all;
	double squares = 0, n = (double)groups_with_samples(g);

	if (share <= 0 || share >= 1 || n < 2)
		return 1;
	for (size_t i = 0; i < g->count; i += g->width) {
		double off = sum(series, i, g->count, g->width) -
			     share * sum(g->samples, i, g->count, g->width);

		squares += off * off;
	}
	return n / (n - 1) * squares / (g->all * share * (1 - share));
}

static int
compare_doubles(const void *va, const void *vb)
{
	double a = *(const double *)va, b = *(const double *)vb;

	return (a > b) - (a < b);
}

static bool
is_watched(const struct groups *g, const uint64_t *series)
{
	double share = sum(series, 0, g->count, g->count) / g->all;

	return share >= WATCHED && share < 1 - WATCHED;
}

/* The inflation that PART of what is watched stays below. */
static double
quantile_at(const struct groups *g, const struct blocks *blocks, double part)
{
	double *all = xcalloc(2 * blocks->nrows + 1, sizeof(*all)), found;
	size_t n = 0;

	for (size_t i = 0; i < blocks->nrows; i++) {
		const struct block_row *row = &blocks->rows[i];

		if (is_watched(g, row->total))
			all[n++] = inflation_at(g, row->total);
		if (is_watched(g, row->self))
			all[n++] = inflation_at(g, row->self);
	}
	qsort(all, n, sizeof(*all), compare_doubles);
	found = n ? all[(size_t)((double)(n - 1) * part)] : 1;
	free(all);
	return found > 1 ? found : 1;
}

static void
widen(struct groups *groups, const struct blocks *blocks)
{
	double now = quantile_at(groups, blocks, 0.9);

	for (;;) {
		struct groups wider = *groups;
		double then;

		wider.width *= 2;
		if (groups_with_samples(&wider) < BLOCKS_LEAST)
			return;
		then = quantile_at(&wider, blocks, 0.9);
		if (then < now * GROWTH)
			return;
		*groups = wider;
		now = then;
	}
}

/*
 * What is still missing: where phases are TAU long, blocks of W show a part
 * 1 - TAU / W of the whole inflation, so the growth by one more doubling
 * tells the rest.
 */
static double
rest_of(const struct groups *groups, const struct blocks *blocks)
{
	struct groups wider = *groups;
	double rest;

	wider.width *= 2;
	if (groups_with_samples(&wider) < BLOCKS_ANY)
		return 1;
	rest = 2 * quantile_at(&wider, blocks, 0.9) /
	       quantile_at(groups, blocks, 0.9) - 1;
	return rest < 1 ? 1 : rest > REST_MAX ? REST_MAX : rest;
}

static double
scaled(double inflation, double rest)
{
	inflation *= rest;
	return inflation > 1 ? inflation : 1;
}

void
inflation_init(struct inflation *inflation, const struct blocks *blocks)
{
	struct groups groups = { .width = 1 };
	double rest;

	*inflation = (struct inflation){ .typical = INFLATION_ASSUMED };
	if (!blocks)
		return;
	groups.samples = blocks->samples;
	groups.count = blocks->count;
	groups.all = sum(blocks->samples, 0, blocks->count, blocks->count);
	if (groups_with_samples(&groups) < BLOCKS_ANY)
		return;
	widen(&groups, blocks);
	inflation->blocks = groups_with_samples(&groups);
	inflation->seconds = blocks->seconds * (unsigned)groups.width;
	rest = rest_of(&groups, blocks);
	inflation->typical = scaled(quantile_at(&groups, blocks, 0.5), rest);
	inflation->total = xcalloc(blocks->nrows + 1, sizeof(double));
	inflation->self = xcalloc(blocks->nrows + 1, sizeof(double));
	for (size_t i = 0; i < blocks->nrows; i++) {
		inflation->total[i] = scaled(
			inflation_at(&groups, blocks->rows[i].total), rest);
		inflation->self[i] = scaled(
			inflation_at(&groups, blocks->rows[i].self), rest);
	}
}

void
inflation_fini(struct inflation *inflation)
{
	free(inflation->total);
	free(inflation->self);
	*inflation = (struct inflation){ 0 };
}
