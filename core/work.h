/* SPDX-License-Identifier: MIT */
/*
 * work.h - what takes long tells how far it is, and can be stopped.
 *
 * Whoever asks for it hands a struct work along; NULL: nobody is told, and
 * nobody stops it. What was stopped has left everything as it was.
 */
#ifndef CORE_WORK_H
#define CORE_WORK_H

#include <stdbool.h>
#include <stddef.h>

/* So much is done. False: stop. */
typedef bool work_fn(void *ctx, unsigned percent);

/* TELL, CTX, EVERY and PARTS are the asker's; all else begins as zeroes. */
struct work {
	work_fn *tell;
	void *ctx;
	size_t every;		/* steps until it is told again */
	unsigned parts;		/* there are so many, alike */
	unsigned part;		/* begun so far */
	size_t done, expected;	/* steps of the last one */
	size_t next;		/* when it is told */
	bool is_stopped;
};

/* The next part begins, of some EXPECTED steps. */
void work_begin(struct work *work, size_t expected);

/* What work_goes_on() does now and then. */
void work_tell(struct work *work);

static inline bool
work_is_stopped(const struct work *work)
{
	return work && work->is_stopped;
}

/* Before so many STEPS. False: it has been stopped, and stays so. */
static inline bool
work_goes_on(struct work *work, size_t steps)
{
	if (!work)
		return true;
	work->done += steps;
	if (work->done >= work->next && !work->is_stopped)
		work_tell(work);
	return !work->is_stopped;
}

#endif
