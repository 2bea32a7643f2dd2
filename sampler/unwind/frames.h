/* SPDX-License-Identifier: MIT */
/*
 * frames.h - where the frames of a walk go. Inside of unwind/.
 *
 * When there is no more room the leaf's part (unwind_leaf_part()) stays and
 * the rest is a ring of the newest, the outermost ones.
 */
#ifndef SAMPLER_UNWIND_FRAMES_H
#define SAMPLER_UNWIND_FRAMES_H

#include <stddef.h>
#include <stdint.h>

/* Borrowed; SPS may be NULL. */
struct frames {
	uint64_t *pcs, *sps;
	size_t max;
};

/* Frame number N. */
void frames_store(const struct frames *frames, size_t n, uint64_t pc,
		  uint64_t sp);

/* After N frames, more than there is room for: the ring begins with its
   oldest. */
void frames_straighten(const struct frames *frames, size_t n);

#endif
