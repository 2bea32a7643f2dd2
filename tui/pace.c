/* SPDX-License-Identifier: MIT */
/*
 * pace.c - how often a picture may be sent to a terminal by itself.
 */
#include "tui/pace.h"

#define SHARE 4			/* one part in so many of the line is ours */
#define NOTICED_NS 120000000ull	/* sooner is at once: nobody looked before */

void
pace_sent(struct pace *pace, uint64_t now_ns)
{
	pace->sent_ns = now_ns;
	pace->is_draining = true;
}

/* Slower at once, faster by and by. */
void
pace_look(struct pace *pace, uint64_t now_ns, bool has_drained)
{
	uint64_t took = now_ns - pace->sent_ns, distance = took * SHARE;

	if (!pace->is_draining)
		return;
	if (has_drained && took < NOTICED_NS)
		distance = PACE_MIN_NS;
	if (distance < pace->distance_ns) {
		if (!has_drained)
			return;
		distance = (distance + pace->distance_ns) / 2;
	}
	pace->is_draining = !has_drained;
	if (took < NOTICED_NS && !has_drained)
		return;
	pace->distance_ns = distance < PACE_MAX_NS ? distance : PACE_MAX_NS;
}

uint64_t
pace_distance(const struct pace *pace)
{
	return pace->distance_ns > PACE_MIN_NS ? pace->distance_ns
					       : PACE_MIN_NS;
}
