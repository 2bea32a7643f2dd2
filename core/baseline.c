/* SPDX-License-Identifier: MIT */
/*
 * baseline.c - counts that do not change, all in one slot.
 */
#include "core/baseline.h"

#include <stdlib.h>

#include "core/base.h"
#include "core/slots.h"

#define SECOND UINT64_C(1000000000)

struct baseline {
	struct slots *slots;
	struct profile *profile;
	struct names *names;
	uint64_t until_ns;
	uint64_t total[KIND_COUNT];
};

static void
keep(void *ctx, const struct cell *cell)
{
	struct baseline *baseline = ctx;

	if (cell->time_ns >= baseline->until_ns)
		return;
	slots_add(baseline->slots, 0, cell);
	baseline->total[cell->kind] = add_saturating(
		baseline->total[cell->kind], cell->weight);
}

static struct baseline *
copy_counts(const struct profile *profile, uint64_t until_ns)
{
	struct baseline *baseline = xcalloc(1, sizeof(*baseline));

	baseline->slots = slots_new(SIZE_MAX / 2);
	baseline->until_ns = until_ns;
	profile_each(profile, 0, UINT64_MAX, keep, baseline);
	return baseline;
}

struct baseline *
baseline_until(const struct profile *profile, uint64_t until_ns)
{
	if (until_ns != UINT64_MAX)
		until_ns -= until_ns % SECOND;
	return copy_counts(profile, until_ns);
}

struct baseline *
baseline_of(struct profile *profile, struct names *names)
{
	struct baseline *baseline = copy_counts(profile, UINT64_MAX);

	baseline->profile = profile;
	baseline->names = names;
	return baseline;
}

void
baseline_free(struct baseline *baseline)
{
	if (!baseline)
		return;
	slots_free(baseline->slots);
	free(baseline);
}

struct profile *
baseline_profile(const struct baseline *baseline)
{
	return baseline->profile;
}

struct names *
baseline_names(const struct baseline *baseline)
{
	return baseline->names;
}

uint64_t
baseline_until_ns(const struct baseline *baseline)
{
	return baseline->until_ns;
}

uint64_t
baseline_total(const struct baseline *baseline, enum kind kind)
{
	return baseline->total[kind];
}

void
baseline_each(const struct baseline *baseline, cell_fn fn, void *ctx)
{
	slots_each(baseline->slots, 0, UINT64_MAX, fn, ctx);
}

size_t
baseline_cells(const struct baseline *baseline)
{
	return slots_cells(baseline->slots);
}
