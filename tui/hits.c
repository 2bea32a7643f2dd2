/* SPDX-License-Identifier: MIT */
/*
 * hits.c - where in the call tree a search has hits, and the way from one to
 * the next.
 */
#include "tui/hits.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

struct hit_child {
	node_id node;
	uint32_t box;
	uint64_t weight;
};

static bool
is_hit(const struct search *search, const struct weights *weights,
       node_id node)
{
	return weights_total(weights, node) > 0 &&
	       search_hits(search, calltree_func(weights->tree, node));
}

static bool
is_counted(const struct hits *hits, node_id node)
{
	return hits->counted[node / 64] >> (node & 63) & 1;
}

/* Room for COUNT nodes; those from OLD on are new. */
static void
reach(struct hits *hits, size_t old, size_t count)
{
	size_t words = count / 64 + 1;

	if (count > hits->capacity) {
		hits->capacity = count + count / 2;
		hits->below = xreallocarray(hits->below, hits->capacity,
					    sizeof(*hits->below));
	}
	if (words > hits->words) {
		hits->counted = xreallocarray(hits->counted, words * 2,
					      sizeof(*hits->counted));
		memset(hits->counted + hits->words, 0, (words * 2 -
			hits->words) * sizeof(*hits->counted));
		hits->words = words * 2;
	}
	if (count > old)
		memset(hits->below + old, 0, (count - old) *
					     sizeof(*hits->below));
	hits->count = count;
}

/* Parents have smaller ids, so from the end all children come first. */
static void
count_all(struct hits *hits, const struct search *search,
	  const struct weights *weights)
{
	const struct calltree *tree = weights->tree;

	reach(hits, 0, calltree_count(tree));
	memset(hits->counted, 0, hits->words * sizeof(*hits->counted));
	for (node_id node = (node_id)hits->count; node-- > 0;) {
		if (!search_knows(search, calltree_func(tree, node)))
			hits->mark = (struct picture_mark){ 0 };  /* again */
		hits->below[node] += is_hit(search, weights, node);
		if (weights_total(weights, node) > 0)
			hits->counted[node / 64] |= (uint64_t)1 << (node & 63);
		if (node > 0)
			hits->below[calltree_parent(tree, node)] +=
				hits->below[node];
	}
}

/* NODE and those above it that had no weight have one now. */
static void
count_path(struct hits *hits, const struct search *search,
	   const struct weights *weights, node_id node)
{
	const struct calltree *tree = weights->tree;

	for (; node != NODE_NONE && !is_counted(hits, node);
	     node = calltree_parent(tree, node)) {
		hits->counted[node / 64] |= (uint64_t)1 << (node & 63);
		if (!is_hit(search, weights, node))
			continue;
		for (node_id at = node; at != NODE_NONE;
		     at = calltree_parent(tree, at))
			hits->below[at]++;
	}
}

/* Has SEARCH looked at all functions on the way to NODE? */
static bool
knows_path(const struct hits *hits, const struct search *search,
	   const struct calltree *tree, node_id node)
{
	for (; node != NODE_NONE && !is_counted(hits, node);
	     node = calltree_parent(tree, node))
		if (!search_knows(search, calltree_func(tree, node)))
			return false;
	return true;
}

static void
count_news(struct hits *hits, const struct search *search,
	   const struct weights *weights, const struct picture_news *news,
	   size_t count)
{
	reach(hits, hits->count, calltree_count(weights->tree));
	for (size_t i = 0; i < count; i++) {
		if (!knows_path(hits, search, weights->tree, news[i].leaf)) {
			hits->mark.next -= count - i;	/* next time */
			return;
		}
		count_path(hits, search, weights, news[i].leaf);
	}
}

void
hits_update(struct hits *hits, const struct search *search,
	    const struct picture *picture)
{
	struct weights weights = picture_weights(picture);
	const struct picture_news *news;
	size_t count;
	bool is_known;

	if (!search_is_on(search)) {
		hits->count = 0;
		return;
	}
	is_known = picture_read_news(picture, &hits->mark, &news, &count) &&
		   hits->version == search_version(search) && hits->count;
	if (is_known)
		count_news(hits, search, &weights, news, count);
	else
		count_all(hits, search, &weights);
	hits->version = search_version(search);
}

void
hits_fini(struct hits *hits)
{
	free(hits->below);
	free(hits->counted);
	free(hits->children);
	memset(hits, 0, sizeof(*hits));
}

const uint32_t *
hits_marks(const struct hits *hits)
{
	return hits->count ? hits->below : NULL;
}

static int
compare_children(const void *a, const void *b)
{
	const struct hit_child *x = a, *y = b;

	if (x->box != y->box)
		return x->box < y->box ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static uint32_t
box_below(const struct layout *layout, uint32_t parent, node_id node)
{
	const struct box *box;

	if (parent == BOX_NONE)
		return BOX_NONE;
	box = &layout->boxes[parent];
	for (uint32_t i = box->first; i < box->first + box->count; i++)
		if (layout->boxes[i].head == node &&
		    layout->boxes[i].kind == BOX_FRAME)
			return i;
	return BOX_NONE;
}

/*
 * The children of PARENT that lead to hits, and ALSO (or NODE_NONE), in the
 * order of the picture, into HITS->children. Returns how many.
 */
static size_t
list_children(struct hits *hits, const struct hits_walk *walk, node_id parent,
	      node_id also)
{
	const struct calltree *tree = walk->weights.tree;
	bool is_top = parent == walk->zoom->node;
	uint32_t box = layout_frame(walk->layout, parent);
	size_t n = 0;

	for (node_id node = calltree_first(tree, parent); node != NODE_NONE;
	     node = calltree_next(tree, node)) {
		if (!hits->below[node] && node != also)
			continue;
		if (is_top && !zoom_shows(walk->zoom, node))
			continue;
		hits->children = grow(hits->children, n, &hits->child_capacity,
				      sizeof(*hits->children));
		hits->children[n++] = (struct hit_child){
			.node = node,
			.box = box_below(walk->layout, box, node),
			.weight = weights_total(&walk->weights, node),
		};
	}
	if (n > 1)
		qsort(hits->children, n, sizeof(*hits->children),
		      compare_children);
	return n;
}

/* The top of a bin is not what it was: only its children count. */
static bool
counts(const struct hits_walk *walk, node_id node)
{
	return is_hit(walk->search, &walk->weights, node) &&
	       !(walk->zoom->is_bin && node == walk->zoom->node);
}

/* The first hit below NODE, or NODE_NONE. */
static node_id
first_below(struct hits *hits, const struct hits_walk *walk, node_id node)
{
	do {
		if (list_children(hits, walk, node, NODE_NONE) == 0)
			return NODE_NONE;
		node = hits->children[0].node;
	} while (!counts(walk, node));
	return node;
}

/* The last hit at or below NODE, or NODE_NONE. */
static node_id
last_at(struct hits *hits, const struct hits_walk *walk, node_id node)
{
	size_t n;

	while ((n = list_children(hits, walk, node, NODE_NONE)) > 0)
		node = hits->children[n - 1].node;
	return counts(walk, node) ? node : NODE_NONE;
}

/* The sibling that leads to hits right before or after NODE. */
static node_id
sibling(struct hits *hits, const struct hits_walk *walk, node_id node,
	bool is_back)
{
	node_id parent = calltree_parent(walk->weights.tree, node);
	size_t n = list_children(hits, walk, parent, node), i = 0;

	while (i < n && hits->children[i].node != node)
		i++;
	if (is_back)
		return i > 0 && i < n ? hits->children[i - 1].node : NODE_NONE;
	return i + 1 < n ? hits->children[i + 1].node : NODE_NONE;
}

static node_id
next_hit(struct hits *hits, const struct hits_walk *walk, node_id from)
{
	node_id found = first_below(hits, walk, from), next;

	for (node_id node = from;
	     found == NODE_NONE && node != walk->zoom->node;
	     node = calltree_parent(walk->weights.tree, node)) {
		next = sibling(hits, walk, node, false);
		if (next != NODE_NONE)
			found = counts(walk, next)
					? next
					: first_below(hits, walk, next);
	}
	return found;
}

static node_id
previous_hit(struct hits *hits, const struct hits_walk *walk, node_id from)
{
	node_id node = from, next;

	while (node != walk->zoom->node) {
		next = sibling(hits, walk, node, true);
		if (next != NODE_NONE)
			return last_at(hits, walk, next);
		node = calltree_parent(walk->weights.tree, node);
		if (counts(walk, node))
			return node;
	}
	return NODE_NONE;
}

node_id
hits_next(struct hits *hits, const struct hits_walk *walk, node_id from,
	  bool is_back, bool *wrapped)
{
	node_id top = walk->zoom->node, found;

	*wrapped = false;
	if (hits->count == 0)
		return NODE_NONE;
	found = is_back ? previous_hit(hits, walk, from)
			: next_hit(hits, walk, from);
	if (found != NODE_NONE)
		return found;
	*wrapped = true;
	if (is_back)
		return last_at(hits, walk, top);
	return counts(walk, top) ? top : first_below(hits, walk, top);
}

unsigned
hits_rank(struct hits *hits, const struct hits_walk *walk, node_id node)
{
	unsigned rank = 1;

	if (hits->count == 0 || !counts(walk, node))
		return 0;
	while (node != walk->zoom->node) {
		node_id parent = calltree_parent(walk->weights.tree, node);
		size_t n = list_children(hits, walk, parent, node);

		for (size_t i = 0; i < n && hits->children[i].node != node; i++)
			rank += hits->below[hits->children[i].node];
		rank += counts(walk, parent);
		node = parent;
	}
	return rank;
}
