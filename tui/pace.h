/* SPDX-License-Identifier: MIT */
/*
 * pace.h - how often a picture may be sent to a terminal by itself.
 *
 * A terminal that has not taken one picture yet gains nothing by the next:
 * keys would wait behind it. So pictures come at such a distance that a
 * quarter of the line is used, and what a key asks for goes out at once.
 */
#ifndef TUI_PACE_H
#define TUI_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define PACE_MIN_NS 100000000ull
#define PACE_MAX_NS 3000000000ull

/* All zeroes is the beginning. */
struct pace {
	uint64_t sent_ns;
	uint64_t distance_ns;	/* 0: PACE_MIN_NS */
	bool is_draining;
};

/* A picture was handed over. */
void pace_sent(struct pace *pace, uint64_t now_ns);

/* To be told often whether all bytes have left. */
void pace_look(struct pace *pace, uint64_t now_ns, bool has_drained);

/* From one picture to the next. */
uint64_t pace_distance(const struct pace *pace);

#endif
