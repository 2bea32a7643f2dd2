/* SPDX-License-Identifier: MIT */
/*
 * marks.c - a number beside each function.
 *
 * A mark counts only if it is of this round; so forgetting touches nothing.
 */
#include "core/marks.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

struct mark {
	uint32_t round;		/* 0: never */
	uint32_t value;
};

void
marks_fini(struct marks *marks)
{
	free(marks->rows);
	*marks = (struct marks){ 0 };
}

void
marks_forget(struct marks *marks)
{
	if (++marks->round)
		return;
	if (marks->rows)
		memset(marks->rows, 0, marks->count * sizeof(*marks->rows));
	marks->round = 1;
}

uint32_t
marks_get(const struct marks *marks, func_id func)
{
	if (func >= marks->count || marks->rows[func].round != marks->round)
		return MARK_NONE;
	return marks->rows[func].value;
}

void
marks_set(struct marks *marks, func_id func, uint32_t value)
{
	size_t count = marks->count;

	if (func >= count) {
		marks->count = (size_t)func + func / 2 + 64;
		marks->rows = xreallocarray(marks->rows, marks->count,
					    sizeof(*marks->rows));
		memset(marks->rows + count, 0,
		       (marks->count - count) * sizeof(*marks->rows));
	}
	marks->rows[func] = (struct mark){ marks->round, value };
}
