/* SPDX-License-Identifier: MIT */
/*
 * trend.c - a small table of sums for each of the last seconds.
 */
#include "core/trend.h"

#include <stdlib.h>

#include "core/base.h"
#include "core/lookup.h"

struct sum {
	func_id func;
	struct moment weight;
};

struct second {
	uint64_t at;
	struct sum *sums;
	size_t count, capacity;
	struct lookup lookup;
};

struct trend {
	struct second seconds[TREND_SECONDS];
	uint64_t version;
};

struct trend *
trend_new(void)
{
	return xcalloc(1, sizeof(struct trend));
}

static void
begin(struct second *second, uint64_t at)
{
	lookup_fini(&second->lookup);
	second->count = 0;
	second->at = at;
}

void
trend_clear(struct trend *trend)
{
	for (size_t i = 0; i < TREND_SECONDS; i++)
		begin(&trend->seconds[i], 0);
	trend->version++;
}

void
trend_free(struct trend *trend)
{
	if (!trend)
		return;
	trend_clear(trend);
	for (size_t i = 0; i < TREND_SECONDS; i++)
		free(trend->seconds[i].sums);
	free(trend);
}

static uint32_t
hash_func(func_id func)
{
	return hash_words(func, 0);
}

static bool
is_same(const void *owner, uint32_t id, const void *key)
{
	return ((const struct second *)owner)->sums[id].func ==
	       *(const func_id *)key;
}

static struct moment *
sum_of(struct second *second, func_id func)
{
	uint32_t id = lookup_find(&second->lookup, hash_func(func), is_same,
				  second, &func);

	if (id == LOOKUP_NONE) {
		second->sums = grow(second->sums, second->count,
				    &second->capacity, sizeof(struct sum));
		lookup_add(&second->lookup, hash_func(func),
			   (uint32_t)second->count);
		second->sums[second->count] = (struct sum){ .func = func };
		id = (uint32_t)second->count++;
	}
	return &second->sums[id].weight;
}

void
trend_add(struct trend *trend, uint64_t second, func_id func,
	  struct moment weight)
{
	struct second *row = &trend->seconds[second % TREND_SECONDS];
	struct moment *sum;

	if (row->at > second)
		return;
	if (row->at < second)
		begin(row, second);
	sum = sum_of(row, func);
	sum->self = add_saturating(sum->self, weight.self);
	sum->total = add_saturating(sum->total, weight.total);
	trend->version++;
}

struct moment
trend_at(const struct trend *trend, uint64_t second, func_id func)
{
	const struct second *row = &trend->seconds[second % TREND_SECONDS];
	uint32_t id;

	if (row->at != second)
		return (struct moment){ 0, 0 };
	id = lookup_find(&row->lookup, hash_func(func), is_same, row, &func);
	return id == LOOKUP_NONE ? (struct moment){ 0, 0 }
				 : row->sums[id].weight;
}

void
trend_each(const struct trend *trend, uint64_t second, moment_fn fn, void *ctx)
{
	const struct second *row = &trend->seconds[second % TREND_SECONDS];

	for (size_t i = 0; row->at == second && i < row->count; i++)
		fn(ctx, row->sums[i].func, row->sums[i].weight);
}

uint64_t
trend_version(const struct trend *trend)
{
	return trend->version;
}
