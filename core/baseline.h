/* SPDX-License-Identifier: MIT */
/*
 * baseline.h - what a picture is compared with: counts that do not change.
 *
 * Of the same profile at an earlier time, or all of another profile, whose
 * functions are then found by their names (core/match.h).
 */
#ifndef CORE_BASELINE_H
#define CORE_BASELINE_H

#include <stdint.h>

#include "core/names.h"
#include "core/profile.h"

struct baseline;

/*
 * The counts of PROFILE's slots that start before UNTIL_NS (rounded down to a
 * second; UINT64_MAX: all there are); copied, so that slots may age. The rest
 * is what a filter with the same SINCE_NS lets through.
 */
struct baseline *baseline_until(const struct profile *profile,
				uint64_t until_ns);

/*
 * Those of another profile, which like NAMES is borrowed until
 * baseline_free(). Names that come late are taken in.
 */
struct baseline *baseline_of(struct profile *profile, struct names *names);

void baseline_free(struct baseline *baseline);

/* The other profile and its names; NULL: the picture's own. */
struct profile *baseline_profile(const struct baseline *baseline);
struct names *baseline_names(const struct baseline *baseline);

/* Where its counts end that are of the same profile; UINT64_MAX: nowhere. */
uint64_t baseline_until_ns(const struct baseline *baseline);

/* Sum of all counts of KIND. */
uint64_t baseline_total(const struct baseline *baseline, enum kind kind);

/* Hand every count to FN: each stack, thread and kind once. */
void baseline_each(const struct baseline *baseline, cell_fn fn, void *ctx);
size_t baseline_cells(const struct baseline *baseline);

#endif
