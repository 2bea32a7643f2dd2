/* SPDX-License-Identifier: MIT */
/*
 * marks.h - a number beside each function, all of them forgotten at once.
 *
 * For walks that ask "was this function here before, and where?"
 */
#ifndef CORE_MARKS_H
#define CORE_MARKS_H

#include <stddef.h>
#include <stdint.h>

#include "core/names.h"

#define MARK_NONE UINT32_MAX

struct mark;

/* All zeroes is an empty one; freed with marks_fini(). */
struct marks {
	struct mark *rows;
	size_t count;
	uint32_t round;
};

void marks_fini(struct marks *marks);
void marks_forget(struct marks *marks);

/* MARK_NONE: none since marks_forget(), which must have been called once. */
uint32_t marks_get(const struct marks *marks, func_id func);
void marks_set(struct marks *marks, func_id func, uint32_t value);

#endif
