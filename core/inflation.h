/* SPDX-License-Identifier: MIT */
/*
 * inflation.h - how much less samples tell than as many independent draws.
 *
 * The variance of a share is that of its counts by blocks, the ratio
 * estimator's (Cochran, Sampling Techniques, 6.10):
 *
 *	B / (B - 1) * sum over B blocks (x - p * n)^2 / N^2
 *
 * for x of n samples in a block, p of N in all. Divided by what it would be
 * for independent samples, p * (1 - p) / N, it is the inflation: 1 for a
 * program that does the same all the time, far more for one with phases. It
 * grows with the blocks until they are longer than the phases; so their width
 * is doubled while that still changes much and ten blocks are left.
 */
#ifndef CORE_INFLATION_H
#define CORE_INFLATION_H

#include <stddef.h>

#include "core/blocks.h"

#define INFLATION_ASSUMED 3.0	/* where there are no blocks */

struct inflation {
	size_t blocks;		/* of the width chosen, with samples; 0: too
				   few to tell, then all is assumed */
	unsigned seconds;	/* that width */
	double typical;		/* median of functions worth watching */
	double *total, *self;	/* by row of the blocks; 1 at least */
};

/* BLOCKS may be NULL. Freed with inflation_fini(). */
void inflation_init(struct inflation *inflation, const struct blocks *blocks);
void inflation_fini(struct inflation *inflation);

#endif
