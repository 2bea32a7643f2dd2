/* SPDX-License-Identifier: MIT */
/*
 * report_sums.c - what a report tells, in the order in which it does.
 */
#include "app/report_sums.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/weights.h"

static int
by_self(const void *a, const void *b)
{
	const struct report_row *x = a, *y = b;

	if (x->row.self != y->row.self)
		return x->row.self < y->row.self ? 1 : -1;
	if (x->row.total != y->row.total)
		return x->row.total < y->row.total ? 1 : -1;
	return strcmp(x->name, y->name);
}

static int
by_total(const void *a, const void *b)
{
	const struct report_row *x = a, *y = b;

	if (x->row.total != y->row.total)
		return x->row.total < y->row.total ? 1 : -1;
	return by_self(a, b);
}

struct report_row *
report_rows(const struct picture *picture, const struct names *names,
	    bool is_by_total, size_t *count)
{
	const struct function_row *rows = picture_functions(picture, count);
	struct report_row *sorted = xcalloc(*count + 1, sizeof(*sorted));

	for (size_t i = 0; i < *count; i++)
		sorted[i] = (struct report_row){
			rows[i], names_text(names, rows[i].func),
		};
	qsort(sorted, *count, sizeof(*sorted),
	      is_by_total ? by_total : by_self);
	return sorted;
}

struct picture *
report_picture(struct profile *profile, struct names *names,
	       bool hides_inlined)
{
	struct filter filter = { .hide_inlined = hides_inlined };
	struct picture *picture = picture_new(profile, names);
	size_t ignored;

	if (hides_inlined)
		free(picture_set_filter(picture, &filter, NULL));
	free(picture_update(picture, &ignored));
	return picture;
}

/* Keep the hottest in BEST, sorted; ids of equal ones go up. */
static void
offer_path(struct report_path *best, size_t *count, size_t max,
	   struct report_path path)
{
	size_t i = *count;

	while (i > 0 && best[i - 1].self < path.self)
		i--;
	if (i == max)
		return;
	if (*count < max)
		++*count;
	memmove(&best[i + 1], &best[i], (*count - i - 1) * sizeof(*best));
	best[i] = path;
}

size_t
report_paths(const struct calltree *tree, struct report_path *best,
	     size_t max)
{
	size_t count = 0;

	for (node_id n = 1; n < calltree_count(tree); n++)
		if (calltree_self(tree, n))
			offer_path(best, &count, max, (struct report_path){
				n, calltree_self(tree, n) });
	return count;
}

node_id *
report_path_nodes(const struct calltree *tree, node_id leaf, size_t *count)
{
	uint32_t depth = calltree_depth(tree, leaf);
	node_id *nodes = xcalloc(depth + 1, sizeof(*nodes));
	size_t at = depth;

	for (node_id n = leaf; n != 0 && at > 0; n = calltree_parent(tree, n))
		nodes[--at] = n;
	*count = depth;
	return nodes;
}

/* --- callers */

static int
by_func(const void *a, const void *b)
{
	const struct report_caller *x = a, *y = b;

	return (x->func > y->func) - (x->func < y->func);
}

static int
by_caller_self(const void *a, const void *b)
{
	const struct report_caller *x = a, *y = b;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	return by_func(a, b);
}

/* Sorted by function: one for each. */
static size_t
merge_callers(struct report_caller *callers, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && callers[kept - 1].func == callers[i].func)
			callers[kept - 1].self += callers[i].self;
		else
			callers[kept++] = callers[i];
	}
	return kept;
}

/* Who calls NODE: not FUNC itself, which may be recursive; 0: nobody. */
static node_id
caller_of(const struct calltree *tree, node_id node, func_id func)
{
	do
		node = calltree_parent(tree, node);
	while (node != 0 && calltree_func(tree, node) == func);
	return node;
}

size_t
report_callers(const struct calltree *tree, func_id func,
	       struct report_caller *out, size_t max)
{
	struct weights weights = weights_of(tree);
	unsigned places = weights_places(&weights, func);
	struct report_caller *all = xcalloc(places + 1, sizeof(*all));
	size_t count = 0;

	for (node_id n = 1; n < calltree_count(tree) && count < places; n++) {
		node_id caller;

		if (calltree_func(tree, n) != func || !calltree_self(tree, n))
			continue;
		caller = caller_of(tree, n, func);
		if (caller)
			all[count++] = (struct report_caller){
				calltree_func(tree, caller),
				calltree_self(tree, n),
			};
	}
	qsort(all, count, sizeof(*all), by_func);
	count = merge_callers(all, count);
	qsort(all, count, sizeof(*all), by_caller_self);
	count = count < max ? count : max;
	memcpy(out, all, count * sizeof(*all));
	free(all);
	return count;
}
