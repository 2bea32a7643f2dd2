/* SPDX-License-Identifier: MIT */
/*
 * diff_order.c - the order in which a comparison is told, as text and as JSON.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/diff_print.h"
#include "core/base.h"

struct sorted_row {
	uint32_t row;
	double size;
	const char *name;
};

static int
compare_rows(const void *va, const void *vb)
{
	const struct sorted_row *a = va, *b = vb;

	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return strcmp(a->name, b->name);
}

static double
size_of(const struct compared *row)
{
	return fabs(row->is_by_self ? row->self.change : row->total.change);
}

uint32_t *
diff_sorted(const struct comparison *comparison, size_t *count)
{
	size_t all, n = 0;
	const struct compared *rows = comparison_rows(comparison, &all);
	struct sorted_row *sorted = xcalloc(all + 1, sizeof(*sorted));
	uint32_t *out = xcalloc(all + 1, sizeof(*out));

	for (size_t i = 1; i < all; i++)
		if (rows[i].verdict != CHANGE_UNWATCHED)
			sorted[n++] = (struct sorted_row){
				(uint32_t)i, size_of(&rows[i]), rows[i].name };
	if (n)
		qsort(sorted, n, sizeof(*sorted), compare_rows);
	for (size_t i = 0; i < n; i++)
		out[i] = sorted[i].row;
	free(sorted);
	*count = n;
	return out;
}
