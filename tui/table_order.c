/* SPDX-License-Identifier: MIT */
/*
 * table_order.c - when the function table's rows keep their places.
 *
 * Whoever sorts once wants to see numbers change and not rows; whoever presses
 * keys does not want to see a row go away under them. Rows that have been in
 * order get a rank then, and what comes to hand later stands behind them.
 */
#include <stdlib.h>

#include "core/base.h"
#include "tui/change.h"
#include "tui/table.h"

/* Functions have become the same: the rank of the first of them. */
static void
rank_anew(struct table_order *order, const struct names *names)
{
	uint64_t renames = names_renames(names);

	if (order->renames == renames)
		return;
	order->renames = renames;
	marks_forget(&order->ranks);
	for (size_t i = 0; i < order->count; i++) {
		func_id func = names_final(names, order->funcs[i]);

		if (marks_get(&order->ranks, func) == MARK_NONE)
			marks_set(&order->ranks, func, (uint32_t)i);
	}
}

/* The rows at hand stay as they are. */
static void
keep(struct table *table, const struct names *names)
{
	struct table_order *order = &table->order;

	if (!order->count)
		marks_forget(&order->ranks);
	rank_anew(order, names);
	for (size_t i = 0; i < table->sorted; i++) {
		func_id func = table->rows[i].func;

		if (marks_get(&order->ranks, func) != MARK_NONE)
			continue;
		order->funcs = grow(order->funcs, order->count,
				    &order->capacity, sizeof(*order->funcs));
		marks_set(&order->ranks, func, (uint32_t)order->count);
		order->funcs[order->count++] = func;
	}
}

void
table_forget_order(struct table *table)
{
	table->order.count = 0;
	table->order.is_still = table->order.is_held = false;
	table->sorted = 0;
}

void
table_sort_once(struct table *table)
{
	table_forget_order(table);
	table->order.is_still = true;
}

/* Are the same samples counted as last time, and more of them? */
static bool
is_as_before(struct table_order *order, const struct scene *scene)
{
	const struct filter *f = picture_filter(scene->picture);
	struct table_of of = {
		scene->picture, change_counts(scene), f->kind, f->shape,
		f->window_ns, f->since_ns, f->nthreads, f->ntransforms,
		f->hide_kernel, f->hide_inlined,
	}, was = order->of;

	order->of = of;
	return of.picture == was.picture && of.counts == was.counts &&
	       of.kind == was.kind && of.shape == was.shape &&
	       of.window_ns == was.window_ns && of.since_ns == was.since_ns &&
	       of.nthreads == was.nthreads &&
	       of.ntransforms == was.ntransforms &&
	       of.hides_kernel == was.hides_kernel &&
	       of.hides_inlined == was.hides_inlined;
}

void
table_settle_order(struct table *table, const struct scene *scene,
		   bool may_hold)
{
	struct table_order *order = &table->order;

	may_hold &= is_as_before(order, scene) && table->sorted &&
		    scene_is_held(scene);
	if (!order->is_still && order->is_held && !may_hold) {
		table_forget_order(table);
	} else if (order->is_still || may_hold) {
		order->is_held = !order->is_still;
		keep(table, scene->names);
	}
}

uint32_t
table_rank(const struct table *table, func_id func)
{
	const struct table_order *order = &table->order;

	return order->count ? marks_get(&order->ranks, func) : MARK_NONE;
}

void
table_free_order(struct table_order *order)
{
	free(order->funcs);
	marks_fini(&order->ranks);
}
