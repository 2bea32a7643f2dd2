/* SPDX-License-Identifier: MIT */
/*
 * hit_list.c - the functions that a search has found, in one pass over what is
 * below the zoom.
 */
#include "tui/hit_list.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base.h"
#include "core/marks.h"
#include "tui/text.h"

#define REFRESH_NS UINT64_C(1000000000)
#define ROWS_MAX 1000		/* the heaviest; more are not read */
#define MODULE_FROM 76
#define MODULE_CELLS 20
#define COLUMNS 25		/* before names: two shares and a count */

struct found {
	func_id func;
	node_id node;		/* the heaviest one */
	uint32_t on_path;	/* how often on the way to the node at hand */
	uint64_t total, most, frames;
};

struct hit_list {
	struct list *list;
	struct found *rows;	/* heaviest first */
	size_t count, capacity;
	struct marks marks;	/* by function, its row; while counting */
	uint64_t counted_ns;
	int width;		/* that rows were printed for */
};

static struct found *
found_of(struct hit_list *hits, func_id func)
{
	uint32_t at = marks_get(&hits->marks, func);

	if (at != MARK_NONE)
		return &hits->rows[at];
	marks_set(&hits->marks, func, (uint32_t)hits->count);
	hits->rows = grow(hits->rows, hits->count, &hits->capacity,
			  sizeof(*hits->rows));
	hits->rows[hits->count] = (struct found){ .func = func };
	return &hits->rows[hits->count++];
}

static void
enter(struct hit_list *hits, const struct scene *scene,
      const struct weights *weights, node_id node)
{
	func_id func = calltree_func(weights->tree, node);
	uint64_t weight = weights_total(weights, node);
	struct found *found;

	if (!search_hits(scene->search, func))
		return;
	found = found_of(hits, func);
	found->frames++;
	if (!found->on_path++)
		found->total = add_saturating(found->total, weight);
	if (weight > found->most) {
		found->most = weight;
		found->node = node;
	}
}

static void
leave(struct hit_list *hits, const struct scene *scene,
      const struct calltree *tree, node_id node)
{
	func_id func = calltree_func(tree, node);

	if (search_hits(scene->search, func))
		found_of(hits, func)->on_path--;
}

/* The first of NODE and those beside it that has a weight. */
static node_id
weighty(const struct weights *weights, node_id node)
{
	while (node != NODE_NONE && !weights_total(weights, node))
		node = calltree_next(weights->tree, node);
	return node;
}

static void
count(struct hit_list *hits, const struct scene *scene, node_id top)
{
	struct weights weights = picture_weights(scene->picture);
	const struct calltree *tree = weights.tree;
	node_id node = weights_total(&weights, top) ? top : NODE_NONE;

	hits->count = 0;
	marks_forget(&hits->marks);
	while (node != NODE_NONE) {
		node_id next;

		enter(hits, scene, &weights, node);
		next = weighty(&weights, calltree_first(tree, node));
		while (next == NODE_NONE) {
			leave(hits, scene, tree, node);
			if (node == top)
				return;
			next = weighty(&weights, calltree_next(tree, node));
			node = calltree_parent(tree, node);
		}
		node = next;
	}
}

static int
by_weight(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return (x->func > y->func) - (x->func < y->func);
}

static void
print(const struct hit_list *hits, const struct scene *scene, node_id top,
      const struct found *found, struct list_row *row)
{
	struct weights wholes = picture_wholes(scene->picture);
	bool has_module = hits->width >= MODULE_FROM;
	int room = hits->width - COLUMNS - 3 - (has_module ? MODULE_CELLS : 0);
	char view[16], all[16], frames[32], name[160], module[64] = "";

	share_text(view, sizeof(view), found->total,
		   weights_total(&wholes, top));
	share_text(all, sizeof(all), found->total,
		   picture_whole(scene->picture));
	count_text(frames, sizeof(frames), found->frames);
	label_fit(name, sizeof(name), names_text(scene->names, found->func),
		  room < 100 ? room : 100, true);
	if (has_module)
		label_fit(module, sizeof(module),
			  names_module(scene->names, found->func),
			  MODULE_CELLS - 2, true);
	row->id = found->func;
	row->is_marked = false;
	snprintf(row->text, sizeof(row->text), "%7s %7s %7s  %s%*s%s", view,
		 all, frames, name, has_module ? room - text_width(name) + 2 :
		 0, "", module);
}

static void
refresh(struct hit_list *hits, const struct scene *scene, node_id top)
{
	struct list_row *rows;
	size_t n;

	count(hits, scene, top);
	if (hits->count > 1)
		qsort(hits->rows, hits->count, sizeof(*hits->rows), by_weight);
	n = hits->count < ROWS_MAX ? hits->count : ROWS_MAX;
	rows = xcalloc(n, sizeof(*rows));
	for (size_t i = 0; i < n; i++)
		print(hits, scene, top, &hits->rows[i], &rows[i]);
	list_set_rows(hits->list, rows, n);
	free(rows);
	hits->counted_ns = scene->now_ns;
}

struct hit_list *
hit_list_new(const struct scene *scene, node_id top)
{
	struct hit_list *hits = xcalloc(1, sizeof(*hits));
	char title[160], pattern[128];

	text_cut(pattern, sizeof(pattern), search_pattern(scene->search), 30,
		 true);
	snprintf(title, sizeof(title), "found by /%s", pattern);
	hits->list = list_new(title, "of view  of all  frames  function",
			      false);
	refresh(hits, scene, top);
	return hits;
}

void
hit_list_free(struct hit_list *hits)
{
	if (!hits)
		return;
	list_free(hits->list);
	marks_fini(&hits->marks);
	free(hits->rows);
	free(hits);
}

enum list_answer
hit_list_key(struct hit_list *hits, uint32_t key)
{
	return list_key(hits->list, key);
}

struct hit
hit_list_current(const struct hit_list *hits)
{
	uint64_t id;

	if (list_current(hits->list, &id))
		for (size_t i = 0; i < hits->count; i++)
			if (hits->rows[i].func == id)
				return (struct hit){ (func_id)id,
						     hits->rows[i].node };
	return (struct hit){ FUNC_NONE, NODE_NONE };
}

void
hit_list_draw(struct hit_list *hits, const struct scene *scene, node_id top,
	      struct canvas *canvas, struct rect area)
{
	bool is_other = hits->width != area.width;
	bool is_due = scene->now_ns - hits->counted_ns >= REFRESH_NS &&
		      !scene_is_held(scene);

	if (is_other || is_due) {
		hits->width = area.width;
		refresh(hits, scene, top);
	}
	list_draw(hits->list, canvas, area);
}
