/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the time that samples have: CLOCK_MONOTONIC, in nanoseconds.
 */
#ifndef SAMPLER_CLOCK_H
#define SAMPLER_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t
clock_now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec;
}

#endif
