/* SPDX-License-Identifier: MIT */
/*
 * zoom.c - what a flame graph is zoomed to, and the way back.
 */
#include "tui/zoom.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

static int
compare_nodes(const void *a, const void *b)
{
	node_id x = *(const node_id *)a, y = *(const node_id *)b;

	return (x > y) - (x < y);
}

static void
sort_out(struct zoom *zoom)
{
	size_t kept = 0;

	if (zoom->nout == 0)
		return;
	qsort(zoom->out, zoom->nout, sizeof(*zoom->out), compare_nodes);
	for (size_t i = 0; i < zoom->nout; i++)
		if (i == 0 || zoom->out[i] != zoom->out[i - 1])
			zoom->out[kept++] = zoom->out[i];
	zoom->nout = kept;
}

void
zoom_to(struct zooms *zooms, struct zoom zoom, struct place cursor)
{
	zooms->steps = grow(zooms->steps, zooms->count, &zooms->capacity,
			    sizeof(*zooms->steps));
	zooms->steps[zooms->count++] =
		(struct zoom_step){ .zoom = zooms->now, .cursor = cursor };
	sort_out(&zoom);
	zooms->now = zoom;
}

bool
zoom_back(struct zooms *zooms, struct place *cursor)
{
	if (zooms->count == 0)
		return false;
	free(zooms->now.out);
	zooms->count--;
	zooms->now = zooms->steps[zooms->count].zoom;
	*cursor = zooms->steps[zooms->count].cursor;
	return true;
}

void
zoom_reset(struct zooms *zooms)
{
	struct place ignored;

	while (zoom_back(zooms, &ignored))
		;
	free(zooms->now.out);
	free(zooms->steps);
	memset(zooms, 0, sizeof(*zooms));
}

void
zoom_drop(struct zoom *zoom, node_id child)
{
	size_t kept = 0;

	for (size_t i = 0; i < zoom->nout; i++)
		if (zoom->out[i] != child)
			zoom->out[kept++] = zoom->out[i];
	zoom->nout = kept;
}

bool
zoom_shows(const struct zoom *zoom, node_id child)
{
	bool is_listed = zoom->nout && bsearch(&child, zoom->out, zoom->nout,
					       sizeof(child), compare_nodes);

	return is_listed == zoom->is_range;
}

/* Huge counts saturate, so that parts may add up to more than the whole. */
static uint64_t
less(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

uint64_t
zoom_weight(const struct zoom *zoom, const struct weights *weights)
{
	uint64_t sum = weights_total(weights, zoom->node), listed = 0;

	if (!zoom->is_bin)
		return sum;
	for (size_t i = 0; zoom->is_range && i < zoom->nout; i++)
		listed = add_saturating(listed, weights_total(weights,
							zoom->out[i]));
	if (zoom->is_range)
		return listed;
	sum = less(sum, weights_self(weights, zoom->node));
	for (size_t i = 0; i < zoom->nout; i++)
		sum = less(sum, weights_total(weights, zoom->out[i]));
	return sum;
}

static node_id
moved(node_id node, const node_id *map, size_t count)
{
	return node < count ? map[node] : 0;
}

static void
remap_zoom(struct zoom *zoom, const node_id *map, size_t count)
{
	zoom->node = moved(zoom->node, map, count);
	for (size_t i = 0; i < zoom->nout; i++)
		zoom->out[i] = moved(zoom->out[i], map, count);
	sort_out(zoom);
}

void
zoom_remap(struct zooms *zooms, const node_id *map, size_t count)
{
	remap_zoom(&zooms->now, map, count);
	for (size_t i = 0; i < zooms->count; i++) {
		struct zoom_step *step = &zooms->steps[i];

		remap_zoom(&step->zoom, map, count);
		step->cursor.node = moved(step->cursor.node, map, count);
	}
}
