/* SPDX-License-Identifier: MIT */
/*
 * work.c - how far it is.
 */
#include "core/work.h"

void
work_begin(struct work *work, size_t expected)
{
	if (!work)
		return;
	work->part++;
	work->done = work->next = 0;
	work->expected = expected;
}

/* More steps than were expected are no reason to be done early. */
static double
share_of_part(const struct work *work)
{
	double share = work->expected ? (double)work->done /
					(double)work->expected : 1;

	return share > 1 ? 1 : share;
}

void
work_tell(struct work *work)
{
	double parts = work->part > work->parts ? work->part : work->parts;
	double done = work->part ? work->part - 1 + share_of_part(work) : 0;
	unsigned percent = parts > 0 ? (unsigned)(100 * done / parts) : 0;

	work->next = work->done + work->every;
	if (!work->tell(work->ctx, percent > 99 ? 99 : percent))
		work->is_stopped = true;
}
