/* SPDX-License-Identifier: MIT */
/*
 * table.h - the function table's state, for its own files only.
 *
 *	view_table.c	cursor, sorting
 *	table_rows.c	rows in order
 *	table_order.c	when they keep their places
 *	table_draw.c	rows to cells
 */
#ifndef TUI_TABLE_H
#define TUI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/diff.h"
#include "core/marks.h"
#include "tui/view.h"

/* As they stand; what is recent is about TOTAL where that is sorted by. */
enum column { BY_SELF, BY_RECENT, BY_TOTAL, BY_RECENT_TOTAL, BY_CHANGE,
	      BY_FUNCTION, BY_MODULE, COLUMN_COUNT };

/* What is counted: another filter is a reason for another order at once. */
struct table_of {
	const struct picture *picture;
	unsigned counts;	/* change_counts() */
	enum kind kind;
	enum shape shape;
	uint64_t window_ns, since_ns;
	size_t nthreads, ntransforms;
	bool hides_kernel, hides_inlined;
};

/* Rows that are to keep their places; see table_order.c. */
struct table_order {
	bool is_still;		/* until the user wants it otherwise */
	bool is_held;		/* while keys are pressed */
	func_id *funcs;		/* in that order */
	size_t count, capacity;
	struct marks ranks;	/* by function, places in FUNCS */
	uint64_t renames;	/* of names, then */
	struct table_of of;
};

struct table {
	struct function_row *rows;	/* the first SORTED, in order */
	size_t sorted, capacity;
	size_t count;		/* of all functions; of what was lost, of
				   those that lost any; of those that are not
				   cut off */
	uint64_t version;	/* of what was sorted */
	struct picture_mark mark; /* and what was added until then */
	struct function_row *candidates; /* for the first rows, now and then */
	size_t ncandidates, candidate_capacity;
	struct marks marks;	/* functions of CANDIDATES */
	struct table_order order;
	enum column sorted_by;
	unsigned cut;		/* as it was then (core/picture.h) */
	enum column column;
	size_t cursor;		/* row */
	func_id func;		/* what it is on, if it is not on row 0 */
	size_t scroll, page;
	int width;		/* as last laid out */
	unsigned hit;
	const char *notice;
	bool is_begun;
	bool has_changes;	/* there is a baseline; else */
	bool has_recent;	/* something was counted in the last seconds */
};

/* What ROW weighs on the side that is drawn. */
struct table_weight {
	uint64_t self, total;
};
struct table_weight table_weight(const struct scene *scene,
				 const struct function_row *row);

/* Are the columns of the last seconds about totals? */
static inline bool
table_trends_total(const struct table *table)
{
	return table->column == BY_TOTAL || table->column == BY_RECENT_TOTAL;
}

/* The column whose heading is at X. */
enum column table_column_at(const struct table *table, int x);

/* How ROW differs from the baseline, as a share of all. */
struct difference table_change(const struct scene *scene,
			       const struct function_row *row);

/* Sort now, and then no more. And sort whenever counts change, as ever. */
void table_sort_once(struct table *table);
void table_forget_order(struct table *table);

/*
 * Counts have changed: are rows to keep their places? While keys are pressed
 * only if MAY_HOLD, and the same things are counted. No row is in order any
 * more when that has just ended.
 */
void table_settle_order(struct table *table, const struct scene *scene,
			bool may_hold);

/* Would rows that are shown stand elsewhere, were they not held? */
bool table_is_waiting(const struct table *table, const struct scene *scene);

/* MARK_NONE: behind those that have a rank. */
uint32_t table_rank(const struct table *table, func_id func);
void table_free_order(struct table_order *order);

/* See what changed: no row is in order any more, or those that have to be. */
void table_take_rows(struct table *table, const struct scene *scene);

/* Rows in order are at hand up to number N, if there are so many. */
void table_sort_to(struct table *table, const struct scene *scene, size_t n);

/* The row that FUNC is in now; FALLBACK if it is in none. */
size_t table_row_of(const struct table *table, const struct scene *scene,
		    func_id func, size_t fallback);

/* As view_ops. */
void table_draw(const void *state, const struct scene *scene,
		struct canvas *canvas, struct rect area);

#endif
