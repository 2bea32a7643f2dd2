/* SPDX-License-Identifier: MIT */
/*
 * first.c - waiting for the first samples, and for their names.
 */
#include "app/first.h"

#define EMPTY_NS 100000000ull	/* then it is told that there are none */
#define NAMELESS_NS 200000000ull	/* a large debug file takes longer */

bool
first_may_draw(struct first *first, uint64_t now_ns, bool has_samples,
	       bool lacks_names)
{
	if (first->is_over)
		return true;
	if (!has_samples)
		return now_ns - first->began_ns >= EMPTY_NS;
	if (!first->samples_ns)
		first->samples_ns = now_ns;
	first->is_over = !lacks_names ||
			 now_ns - first->samples_ns >= NAMELESS_NS;
	return first->is_over;
}

uint64_t
first_due_ns(const struct first *first)
{
	if (first->is_over)
		return 0;
	return first->samples_ns ? first->samples_ns + NAMELESS_NS :
				   first->began_ns + EMPTY_NS;
}
