/* SPDX-License-Identifier: MIT */
/*
 * bin_list.h - the frames of a bin as rows, the biggest first.
 *
 *	+17 of serve  4.1 %
 *	as a graph
 *	 1.2 % ███▍       memcmp
 *	 0.9 % ██▌        strlen
 *
 * The first row stands for all of them. While it is open it has the keys that
 * move, Enter and those that leave.
 */
#ifndef TUI_BIN_LIST_H
#define TUI_BIN_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/view.h"
#include "tui/zoom.h"

struct bin_row {
	node_id node;
	uint64_t total;
};

/* All zeroes: closed. */
struct bin_list {
	bool is_open;
	struct zooms bin;	/* what would be zoomed to, as its NOW */
	struct bin_row *rows;
	size_t count, capacity;
	uint64_t weight;	/* of all rows */
	size_t row;		/* the cursor's; 0: all of them */
	node_id node;		/* what it is on, if it is on one */
	int head;		/* lines above the rows */
	size_t scroll, page;
};

/* BIN's OUT is taken. */
void bin_list_open(struct bin_list *list, struct zoom bin);
void bin_list_close(struct bin_list *list);

/* Make it agree with SCENE, for HEIGHT lines; rows keep their order if HELD. */
void bin_list_settle(struct bin_list *list, const struct scene *scene,
		     int height, bool is_held);

/* Move the cursor; false: ACTION is no move. */
bool bin_list_move(struct bin_list *list, enum action action);

/* Put the cursor on line Y; false: there is no row. */
bool bin_list_click(struct bin_list *list, int y);

/* The frame under the cursor; NODE_NONE: all of them. */
node_id bin_list_node(const struct bin_list *list);

/* The bin, whose OUT the caller owns then; closes the list. */
struct zoom bin_list_take(struct bin_list *list);

void bin_list_draw(const struct bin_list *list, const struct scene *scene,
		   struct canvas *canvas, struct rect area);

/* Nodes were merged, as view_ops.remap says; MAP is not NULL. */
void bin_list_remap(struct bin_list *list, const node_id *map, size_t count);

#endif
