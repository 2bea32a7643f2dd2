/* SPDX-License-Identifier: MIT */
/*
 * filters.h - what is shown, and the way back: every change can be undone.
 */
#ifndef APP_FILTERS_H
#define APP_FILTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/picture.h"

/* All zeroes: everything is shown, and nothing to undo. */
struct filters {
	struct filter *steps;	/* with all they point to */
	size_t count, capacity;
	size_t at;		/* the one in force; COUNT is 0 at first */
};

/* The filter in force; borrowed until the next call. */
const struct filter *filters_now(const struct filters *filters);

/*
 * FILTER from now on; copies, and shares patterns. What was undone before
 * cannot be done again after that.
 */
void filters_set(struct filters *filters, const struct filter *filter);

/* The same with one transform more; false when there are too many. */
bool filters_add(struct filters *filters, const struct transform *transform);

/*
 * The same without a transform like this one, if there is one; false when
 * there is none.
 */
bool filters_remove(struct filters *filters,
		    const struct transform *transform);

/* To the filter before, or after; false when there is none. */
bool filters_undo(struct filters *filters);
bool filters_redo(struct filters *filters);

/* One like it, for it to be put back; the caller frees it. */
struct filters filters_copy(const struct filters *filters);

void filters_fini(struct filters *filters);

#endif
