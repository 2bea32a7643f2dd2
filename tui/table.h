/* SPDX-License-Identifier: MIT */
/*
 * table.h - the function table's state, for its own files only.
 *
 *	view_table.c	rows, cursor, sorting
 *	table_draw.c	rows to cells
 */
#ifndef TUI_TABLE_H
#define TUI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/diff.h"
#include "tui/view.h"

enum column { BY_SELF, BY_RECENT, BY_TOTAL, BY_CHANGE, BY_FUNCTION, BY_MODULE,
	      COLUMN_COUNT };

struct table {
	struct function_row *rows;	/* sorted */
	size_t count, capacity;
	uint64_t stamp;		/* of what was sorted, and how */
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

/* The column whose heading is at X. */
enum column table_column_at(const struct table *table, int x);

/* How ROW differs from the baseline, as a share of all. */
struct difference table_change(const struct scene *scene,
			       const struct function_row *row);

/* As view_ops. */
void table_draw(const void *state, const struct scene *scene,
		struct canvas *canvas, struct rect area);

#endif
