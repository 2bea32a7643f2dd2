/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the time that only goes forward.
 */
#ifndef APP_CLOCK_H
#define APP_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

#endif
