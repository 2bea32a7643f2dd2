/* SPDX-License-Identifier: MIT */
/*
 * weights.c - which of a function's nodes have a weight.
 */
#include "core/weights.h"

node_id
weights_heaviest(const struct weights *weights, func_id func)
{
	size_t count = calltree_count(weights->tree);
	node_id best = NODE_NONE;

	for (node_id i = 1; func != FUNC_NONE && i < count; i++)
		if (calltree_func(weights->tree, i) == func &&
		    (best == NODE_NONE || weights_total(weights, i) >
					  weights_total(weights, best)))
			best = i;
	return best;
}

unsigned
weights_places(const struct weights *weights, func_id func)
{
	size_t count = calltree_count(weights->tree);
	unsigned places = 0;

	for (node_id i = 1; i < count; i++)
		places += calltree_func(weights->tree, i) == func &&
			  weights_total(weights, i) > 0;
	return places;
}
