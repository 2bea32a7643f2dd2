/* SPDX-License-Identifier: MIT */
/*
 * first.h - when the first picture of live samples is drawn.
 *
 *	began --> the first samples --> their names --> drawn
 *	  '-- 100 ms: none yet, and drawn so
 *	              '-- 200 ms: no names yet, and drawn without
 *
 * Whoever waits for it sees frames with names, and sees them as soon as there
 * are such: addresses that turn into names a moment later only flicker.
 */
#ifndef APP_FIRST_H
#define APP_FIRST_H

#include <stdbool.h>
#include <stdint.h>

struct first {
	uint64_t began_ns;
	uint64_t samples_ns;	/* when the first were there; 0: not yet */
	bool is_over;		/* names were there, or waited for too long */
};

/*
 * May a picture be drawn now? From the first samples on it waits for names
 * while LACKS_NAMES; afterwards it always may.
 */
bool first_may_draw(struct first *first, uint64_t now_ns, bool has_samples,
		    bool lacks_names);

/* When that may change by itself; 0: never. */
uint64_t first_due_ns(const struct first *first);

#endif
