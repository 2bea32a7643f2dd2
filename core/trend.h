/* SPDX-License-Identifier: MIT */
/*
 * trend.h - sums by function for each of the last seconds.
 *
 * A ring: a second that is added to takes the place of the one that was
 * TREND_SECONDS before it.
 */
#ifndef CORE_TREND_H
#define CORE_TREND_H

#include <stdint.h>

#include "core/names.h"

#define TREND_SECONDS 64

/* Weight in some stretch of time. */
struct moment {
	uint64_t self, total;
};

struct trend;

struct trend *trend_new(void);
void trend_free(struct trend *trend);
void trend_clear(struct trend *trend);

/*
 * Add WEIGHT to FUNC in SECOND (of any clock); FUNC_NONE is that of all
 * functions together. What is older than the ring reaches is left out.
 */
void trend_add(struct trend *trend, uint64_t second, func_id func,
	       struct moment weight);

struct moment trend_at(const struct trend *trend, uint64_t second,
		       func_id func);

/* Hand all sums of SECOND to FN. */
typedef void (*moment_fn)(void *ctx, func_id func, struct moment weight);
void trend_each(const struct trend *trend, uint64_t second, moment_fn fn,
		void *ctx);

/* Grows with every change. */
uint64_t trend_version(const struct trend *trend);

#endif
