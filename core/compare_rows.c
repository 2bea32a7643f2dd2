/* SPDX-License-Identifier: MIT */
/*
 * compare_rows.c - the tree of two weights to a row for each function.
 */
#include <stdlib.h>

#include "core/base.h"
#include "core/compare_private.h"

const struct calltree *
comparison_tree(const struct comparison *comparison)
{
	return comparison->tree;
}

uint64_t *
comparison_totals(const struct comparison *comparison, enum side side)
{
	const struct compare_side *of = &comparison->sides[side];
	size_t count = calltree_count(comparison->tree);
	uint64_t *totals = xcalloc(count, sizeof(*totals));

	for (size_t i = 0; i < count && i < of->nself; i++)
		totals[i] = of->self[i];
	for (size_t i = count; i-- > 1;) {
		node_id above = calltree_parent(comparison->tree, (node_id)i);

		totals[above] = add_saturating(totals[above], totals[i]);
	}
	return totals;
}

/*
 * Which nodes have no other of their function above them: recursion counts
 * once. Goes through the tree in depth, with a count of what is open.
 */
static bool *
outermost_nodes(const struct calltree *tree, size_t nkeys)
{
	bool *outermost = xcalloc(calltree_count(tree), sizeof(*outermost));
	uint32_t *open = xcalloc(nkeys, sizeof(*open));
	node_id node = 0, next = calltree_first(tree, 0);

	for (;;) {
		while (next == NODE_NONE && node) {
			open[calltree_func(tree, node)]--;
			next = calltree_next(tree, node);
			node = calltree_parent(tree, node);
		}
		if (next == NODE_NONE)
			break;
		node = next;
		outermost[node] = !open[calltree_func(tree, node)]++;
		next = calltree_first(tree, node);
	}
	free(open);
	return outermost;
}

/* A function's heaviest place, on whichever side that is. */
static void
offer_place(struct comparison *comparison, node_id node, double share,
	    double *best)
{
	string_id key = calltree_func(comparison->tree, node);

	if (share <= best[key])
		return;
	best[key] = share;
	comparison->rows[key].node = node;
}

static void
sum_side(struct comparison *comparison, enum side side,
	 const bool *outermost, double *best)
{
	const struct compare_side *of = &comparison->sides[side];
	double all = of->facts.samples ? (double)of->facts.samples : 1;
	size_t count = calltree_count(comparison->tree);
	uint64_t *totals = comparison_totals(comparison, side);

	for (node_id node = 1; node < count; node++) {
		struct compared *row =
			&comparison->rows[calltree_func(comparison->tree,
							node)];

		if (node < of->nself)
			row->self.count[side] += of->self[node];
		if (!outermost[node])
			continue;
		row->total.count[side] += totals[node];
		offer_place(comparison, node, (double)totals[node] / all,
			    best);
	}
	free(totals);
}

void
compare_make_rows(struct comparison *comparison)
{
	bool *outermost;
	double *best;

	comparison->nrows = strings_count(comparison->texts);
	comparison->rows = xcalloc(comparison->nrows,
				   sizeof(*comparison->rows));
	for (uint32_t i = 0; i < comparison->nrows; i++) {
		comparison->rows[i].name = strings_get(comparison->texts, i);
		comparison->rows[i].under = i;
		comparison->rows[i].moved = COMPARED_NONE;
	}
	best = xcalloc(comparison->nrows, sizeof(*best));
	outermost = outermost_nodes(comparison->tree, comparison->nrows);
	for (int side = 0; side < SIDES; side++)
		sum_side(comparison, (enum side)side, outermost, best);
	free(outermost);
	free(best);
}
