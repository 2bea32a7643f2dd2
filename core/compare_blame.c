/* SPDX-License-Identifier: MIT */
/*
 * compare_blame.c - one line for what is one change.
 *
 * When a function takes more time, so do its callers, and what it calls more
 * often. Of such a row of changes the line is the one that explains it: from
 * the outermost on, as long as a single callee has most of the change, that
 * callee; then the rest is under it.
 *
 *	main +2.1 > serve +2.1 > regex +2.1 > match +1.2	the line: regex
 *	                                    > alloc +0.7
 */
#include <math.h>
#include <stdlib.h>

#include "core/base.h"
#include "core/compare_private.h"
#include "core/lookup.h"

#define MOST 0.75

/* How much CALLEE's share changed where CALLER calls it. */
struct edge {
	string_id caller, callee;
	double change;
};

struct edges {
	struct edge *at;
	size_t count, capacity;
	struct lookup lookup;
};

static bool
is_same(const void *owner, uint32_t id, const void *key)
{
	const struct edge *edge = &((const struct edges *)owner)->at[id];
	const struct edge *wanted = key;

	return edge->caller == wanted->caller &&
	       edge->callee == wanted->callee;
}

static void
add(struct edges *edges, string_id caller, string_id callee, double change)
{
	struct edge key = { caller, callee, change };
	uint32_t hash = hash_words(caller, callee), id;

	id = lookup_find(&edges->lookup, hash, is_same, edges, &key);
	if (id != LOOKUP_NONE) {
		edges->at[id].change += change;
		return;
	}
	edges->at = grow(edges->at, edges->count, &edges->capacity,
			 sizeof(*edges->at));
	edges->at[edges->count] = key;
	lookup_add(&edges->lookup, hash, (uint32_t)edges->count++);
}

/* A change of the total that is told by a line somewhere. */
static bool
is_told(const struct comparison *comparison, string_id key)
{
	const struct compared *row = &comparison->rows[key];

	return change_is_one(row->verdict) && !row->is_by_self &&
	       row->verdict != CHANGE_MOVED;
}

static double
share(uint64_t count, uint64_t all)
{
	return all ? (double)count / (double)all : 0;
}

static void
find_edges(const struct comparison *comparison, struct edges *edges)
{
	const struct calltree *tree = comparison->tree;
	uint64_t *base = comparison_totals(comparison, SIDE_BASE);
	uint64_t *other = comparison_totals(comparison, SIDE_OTHER);

	for (node_id node = 1; node < calltree_count(tree); node++) {
		node_id above = calltree_parent(tree, node);
		string_id callee = calltree_func(tree, node);

		if (!above || !is_told(comparison, callee) ||
		    !is_told(comparison, calltree_func(tree, above)))
			continue;
		add(edges, calltree_func(tree, above), callee,
		    share(other[node], other[0]) - share(base[node],
							 base[0]));
	}
	free(base);
	free(other);
}

/* Does EDGE have most of the change of ROW, in the same direction? */
static bool
has_most(const struct edge *edge, const struct compared *row)
{
	return edge->change / row->total.change >= MOST;
}

/* Is THIS among those that tell ROW's change? */
static bool
leads_to(const struct comparison *comparison, uint32_t row, uint32_t this)
{
	while (row != this && comparison->rows[row].under != row)
		row = comparison->rows[row].under;
	return row == this;
}

/*
 * Callers under the one callee that has most of their change; MOST by function
 * is how much that is.
 */
static void
fold_callers(struct comparison *comparison, const struct edges *edges,
	     double *most)
{
	for (size_t i = 0; i < edges->count; i++) {
		const struct edge *edge = &edges->at[i];
		struct compared *caller = &comparison->rows[edge->caller];

		if (edge->caller == edge->callee || !has_most(edge, caller) ||
		    fabs(edge->change) <= most[edge->caller] ||
		    leads_to(comparison, edge->callee, edge->caller))
			continue;
		most[edge->caller] = fabs(edge->change);
		caller->under = edge->callee;
	}
}

/*
 * Callees under the caller that most of their change came through, unless
 * that one stands under another of its callees.
 */
static void
fold_callees(struct comparison *comparison, const struct edges *edges,
	     const double *most)
{
	for (size_t i = 0; i < edges->count; i++) {
		const struct edge *edge = &edges->at[i];
		struct compared *callee = &comparison->rows[edge->callee];

		if (callee->under != edge->callee || most[edge->caller] > 0 ||
		    !has_most(edge, callee) ||
		    leads_to(comparison, edge->caller, edge->callee))
			continue;
		callee->under = edge->caller;
	}
}

/* Every row to the end of its chain; chains have no circles. */
static void
shorten(struct comparison *comparison)
{
	for (uint32_t i = 1; i < comparison->nrows; i++) {
		uint32_t line = i;

		while (comparison->rows[line].under != line)
			line = comparison->rows[line].under;
		comparison->rows[i].under = line;
	}
}

void
compare_blame(struct comparison *comparison)
{
	double *most = xcalloc(comparison->nrows, sizeof(*most));
	struct edges edges = { 0 };

	find_edges(comparison, &edges);
	fold_callers(comparison, &edges, most);
	fold_callees(comparison, &edges, most);
	shorten(comparison);
	lookup_fini(&edges.lookup);
	free(edges.at);
	free(most);
}
