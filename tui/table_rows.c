/* SPDX-License-Identifier: MIT */
/*
 * table_rows.c - the function table's first rows in order, however many there
 * are.
 *
 * Of tens of thousands of functions fifty are shown. The first rows are found
 * in one pass over all; when samples are added, which is all the time, only
 * functions that these are of can have come among them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/change.h"
#include "tui/shares.h"
#include "tui/table.h"

#define SPARE_ROWS 64		/* in order beyond those that are shown */

/* What rows are compared with. */
struct sorting {
	const struct table *table;
	const struct scene *scene;
	const struct names *names;
	enum column column;
	enum drawn drawn;
	uint64_t least;		/* a total that is not cut off */
};

static struct sorting
sorting_of(const struct table *table, const struct scene *scene)
{
	return (struct sorting){ table, scene, scene->names, table->column,
				 picture_drawn(scene->picture),
				 shares_uncut(scene) };
}

struct difference
table_change(const struct scene *scene, const struct function_row *row)
{
	struct both both = change_row_both(scene, row);

	return picture_judge(scene->picture, row->func, both.counts, both.all);
}

static struct table_weight
weight_on(enum drawn drawn, const struct function_row *row)
{
	switch (drawn) {
	case DRAWN_BASE:
		return (struct table_weight){ row->base_self,
					      row->base_total };
	case DRAWN_LOST:
		return (struct table_weight){ row->lost_self,
					      row->lost_total };
	case DRAWN_NOW:
		break;
	}
	return (struct table_weight){ row->self, row->total };
}

struct table_weight
table_weight(const struct scene *scene, const struct function_row *row)
{
	return weight_on(picture_drawn(scene->picture), row);
}

/* The largest sure change first, more before less; what is unsure last. */
static int
by_change(const struct scene *scene, const struct function_row *a,
	  const struct function_row *b)
{
	struct difference one = table_change(scene, a);
	struct difference two = table_change(scene, b);
	double x = one.verdict == DIFF_UNSURE ? 0 : fabs(one.change);
	double y = two.verdict == DIFF_UNSURE ? 0 : fabs(two.change);

	if (x != y)
		return x > y ? -1 : 1;
	return (one.change < two.change) - (one.change > two.change);
}

static int
by_weight(uint64_t a, uint64_t b)
{
	return a == b ? 0 : a > b ? -1 : 1;
}

/* As the column has it. */
static int
by_column(const struct sorting *sorting, const struct function_row *a,
	  const struct function_row *b)
{
	struct table_weight one = weight_on(sorting->drawn, a);
	struct table_weight two = weight_on(sorting->drawn, b);
	int order = 0;

	if (sorting->column == BY_FUNCTION)
		order = strcmp(names_text(sorting->names, a->func),
			       names_text(sorting->names, b->func));
	else if (sorting->column == BY_MODULE)
		order = strcmp(names_module(sorting->names, a->func),
			       names_module(sorting->names, b->func));
	else if (sorting->column == BY_CHANGE)
		order = by_change(sorting->scene, a, b);
	else if (sorting->column == BY_RECENT)
		order = by_weight(a->recent_self, b->recent_self);
	else if (sorting->column == BY_RECENT_TOTAL)
		order = by_weight(a->recent_total, b->recent_total);
	if (order == 0 && sorting->column != BY_TOTAL &&
	    sorting->column != BY_RECENT_TOTAL)
		order = by_weight(one.self, two.self);
	if (order == 0)
		order = by_weight(one.total, two.total);
	if (order == 0)
		order = by_weight(one.self, two.self);
	return order ? order : (a->func > b->func) - (a->func < b->func);
}

static int
compare_rows(const void *x, const void *y, void *ctx)
{
	const struct function_row *a = x, *b = y;
	const struct sorting *sorting = ctx;
	bool is_one_in = weight_on(sorting->drawn, a).total >= sorting->least;
	bool is_two_in = weight_on(sorting->drawn, b).total >= sorting->least;
	uint32_t one, two;

	if (is_one_in != is_two_in)	/* only these have a row */
		return is_one_in ? -1 : 1;
	one = table_rank(sorting->table, a->func);
	two = table_rank(sorting->table, b->func);
	if (one != two)
		return one < two ? -1 : 1;
	return by_column(sorting, a, b);
}

/* The COUNT rows at HEAP, none before those below it, have a new Ith one. */
static void
sift_down(struct function_row *heap, size_t count, size_t i,
	  struct sorting *sorting)
{
	struct function_row moved = heap[i];

	for (size_t below; (below = 2 * i + 1) < count; i = below) {
		if (below + 1 < count &&
		    compare_rows(&heap[below], &heap[below + 1], sorting) < 0)
			below++;
		if (compare_rows(&moved, &heap[below], sorting) >= 0)
			break;
		heap[i] = heap[below];
	}
	heap[i] = moved;
}

/* Is A behind B for sure? Most of many rows are, and this says so at once. */
static inline bool
is_lighter(const struct function_row *a, const struct function_row *b,
	   const struct sorting *sorting)
{
	return sorting->drawn == DRAWN_NOW && sorting->least == 0 &&
	       !sorting->table->order.count &&
	       ((sorting->column == BY_SELF && a->self < b->self) ||
		(sorting->column == BY_TOTAL && a->total < b->total));
}

/* Of the COUNT rows at FROM those that come first, N of them, to OUT. */
static void
select_rows(struct function_row *out, size_t n,
	    const struct function_row *from, size_t count,
	    struct sorting *sorting)
{
	memcpy(out, from, n * sizeof(*out));
	for (size_t i = n < count ? n / 2 : 0; i-- > 0;)
		sift_down(out, n, i, sorting);
	for (size_t i = n; i < count; i++) {
		if (is_lighter(&from[i], &out[0], sorting) ||
		    compare_rows(&from[i], &out[0], sorting) >= 0)
			continue;
		out[0] = from[i];
		sift_down(out, n, 0, sorting);
	}
	qsort_r(out, n, sizeof(*out), compare_rows, sorting);
}

void
table_sort_to(struct table *table, const struct scene *scene, size_t n)
{
	struct sorting sorting = sorting_of(table, scene);
	const struct function_row *rows;
	size_t count;

	if (n <= table->sorted || table->sorted == table->count)
		return;
	rows = picture_functions(scene->picture, &count);
	n = n < count / 2 ? n + SPARE_ROWS : table->count;
	n = n < table->count ? n : table->count;
	table->rows = grow(table->rows, n, &table->capacity,
			   sizeof(*table->rows));
	select_rows(table->rows, n, rows, count, &sorting);
	table->sorted = n;
}

/*
 * FUNC's row may be among the first ones, of which LAST (or NULL) was the last
 * and has become no lighter.
 */
static void
add_candidate(struct table *table, const struct sorting *sorting, func_id func,
	      const struct function_row *last)
{
	const struct function_row *row;

	if (marks_get(&table->marks, func) != MARK_NONE)
		return;
	marks_set(&table->marks, func, 1);
	row = picture_function(sorting->scene->picture, func);
	if (!row || (last && is_lighter(row, last, sorting)))
		return;
	table->candidates = grow(table->candidates, table->ncandidates,
				 &table->candidate_capacity, sizeof(*row));
	table->candidates[table->ncandidates++] = *row;
}

/*
 * Weights only grew, by NEWS: rows that come first now are those that did, or
 * are of functions on the way to these leaves.
 */
static void
pass_on(struct table *table, const struct scene *scene,
	const struct picture_news *news, size_t count)
{
	struct sorting sorting = sorting_of(table, scene);
	const struct calltree *tree = picture_tree(scene->picture);
	size_t wanted = table->scroll + table->page;
	struct function_row last;

	if (wanted <= table->cursor)
		wanted = table->cursor + 1;
	if (table->sorted > wanted + SPARE_ROWS)
		table->sorted = wanted + SPARE_ROWS;
	marks_forget(&table->marks);
	table->ncandidates = 0;
	last = table->rows[table->sorted - 1];
	for (size_t i = 0; i < table->sorted; i++)
		add_candidate(table, &sorting, table->rows[i].func, NULL);
	for (size_t i = 0; i < count; i++)
		for (node_id node = news[i].leaf; node;
		     node = calltree_parent(tree, node))
			add_candidate(table, &sorting,
				      calltree_func(tree, node), &last);
	if (table->sorted > table->ncandidates)
		table->sorted = table->ncandidates;
	select_rows(table->rows, table->sorted, table->candidates,
		    table->ncandidates, &sorting);
	/* in the place of what has fallen below the cut others come */
	while (table->sorted > 0 &&
	       weight_on(sorting.drawn, &table->rows[table->sorted - 1]).total <
	       sorting.least)
		table->sorted--;
}

static size_t
count_rows(const struct scene *scene)
{
	size_t all, count = 0;
	const struct function_row *rows = picture_functions(scene->picture,
							    &all);
	uint64_t least = shares_uncut(scene);

	if (least == 0)
		return all;
	for (size_t i = 0; i < all; i++)
		count += table_weight(scene, &rows[i]).total >= least;
	return count;
}

bool
table_is_waiting(const struct table *table, const struct scene *scene)
{
	struct sorting sorting = sorting_of(table, scene);
	size_t end = table->scroll + table->page;

	if (!table->order.is_held)
		return false;
	end = end < table->sorted ? end : table->sorted;
	for (size_t i = table->scroll + 1; i < end; i++)
		if (by_column(&sorting, &table->rows[i - 1],
			      &table->rows[i]) > 0)
			return true;
	return false;
}

/*
 * Counts or names changed, or the column: then no row is in order any more,
 * but where samples were added, and that is all, a few change places.
 */
void
table_take_rows(struct table *table, const struct scene *scene)
{
	uint64_t version = picture_version(scene->picture) +
			   names_generation(scene->names) +
			   names_renames(scene->names);
	unsigned cut = picture_filter(scene->picture)->cut;
	bool is_other = table->column != table->sorted_by ||
			table->column == BY_CHANGE || table->cut != cut;
	bool is_over = table->order.is_held && !scene_is_held(scene), is_more;
	const struct picture_news *news;
	size_t count;

	if (version == table->version && !is_other && !is_over)
		return;
	table->version = version;
	table->sorted_by = table->column;
	table->cut = cut;
	table->count = count_rows(scene);
	is_more = picture_read_news(scene->picture, &table->mark, &news,
				    &count) && !is_other;
	table_settle_order(table, scene, !is_other);
	if (is_more && table->sorted)
		pass_on(table, scene, news, count);
	else
		table->sorted = 0;
}

size_t
table_row_of(const struct table *table, const struct scene *scene,
	     func_id func, size_t fallback)
{
	struct sorting sorting = sorting_of(table, scene);
	const struct function_row *rows, *row = NULL;
	size_t count, before = 0;

	if (func == FUNC_NONE || func >= names_count(scene->names))
		return fallback;
	func = names_final(scene->names, func);
	for (size_t i = 0; i < table->sorted; i++)
		if (table->rows[i].func == func)
			return i;
	rows = picture_functions(scene->picture, &count);
	for (size_t i = 0; i < count && !row; i++)
		if (rows[i].func == func)
			row = &rows[i];
	for (size_t i = 0; row && i < count; i++)
		before += compare_rows(&rows[i], row, &sorting) < 0;
	return row && before < table->count ? before : fallback;
}
