/* SPDX-License-Identifier: MIT */
/*
 * list.h - rows to choose from, with typing as filter.
 *
 * Used for the process picker at start, the thread picker and bins. Rows are
 * given anew before each draw and known by their id, so the choice stays on
 * its row when others come and go.
 */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/canvas.h"
#include "tui/keymap.h"

struct list_row {
	uint64_t id;
	char text[256];		/* cleaned */
	bool is_marked;
};

struct list;

/* TITLE and the column heading are copied. CAN_MARK: Space marks several. */
struct list *list_new(const char *title, const char *heading, bool can_mark);
void list_free(struct list *list);

/* The rows as they are now, in order; copied. */
void list_set_rows(struct list *list, const struct list_row *rows, size_t n);

enum list_answer { LIST_GOES_ON, LIST_CHOSEN, LIST_LEFT };

/* One key: typed characters filter, arrows move, Enter chooses, Esc leaves. */
enum list_answer list_key(struct list *list, uint32_t key);

/* Row under the cursor; false when the list is empty. */
bool list_current(const struct list *list, uint64_t *id);

/* Marked ids (the current one if none is marked); the caller frees. */
size_t list_marked(const struct list *list, uint64_t **ids);

void list_draw(struct list *list, struct canvas *canvas, struct rect area);

#endif
