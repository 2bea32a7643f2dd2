/* SPDX-License-Identifier: MIT */
/*
 * stitch.h - the missing end of a stack, from the thread's last whole one.
 *
 * Between two samples the outer frames of a thread mostly stay. Where a walk
 * is cut because the copy of the stack ends and no more may be read, its last
 * frame is looked for in the last whole stack: the same stack pointer and the
 * same place in the code. What called it then is taken to have called it now.
 *
 *	now	g2 f2 main1			cut in main1's frame
 *	before	h f1 main1 start		whole
 *	->	g2 f2 main1 start
 */
#ifndef SAMPLER_STITCH_H
#define SAMPLER_STITCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct stitch;

struct stitch *stitch_new(void);
void stitch_free(struct stitch *stitch);

/* Forget all: exec. */
void stitch_clear(struct stitch *stitch);

/* A whole stack of TID, leaf first; copied, if it is not too deep. */
void stitch_keep(struct stitch *stitch, pid_t tid, const uint64_t *pcs,
		 const uint64_t *sps, size_t count);

/*
 * Append to the COUNT frames in PCS and SPS, which have room for MAX, what is
 * missing. Returns how many there are then, or 0 if none fits.
 */
size_t stitch_append(const struct stitch *stitch, pid_t tid, uint64_t *pcs,
		     uint64_t *sps, size_t count, size_t max);

#endif
