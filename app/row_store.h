/* SPDX-License-Identifier: MIT */
/*
 * row_store.h - tables of unwind rules on their way to the capture thread.
 *
 * The walk asks for the table of a piece of code (core/rows.h). What is not
 * here becomes a wish; the tables thread takes wishes, has tables made of them
 * and puts these in; the capture thread is woken and goes on.
 *
 *	capture: row_store_find() -> ROWS_ASKED, a wish
 *	tables:  row_store_next() -> ... -> row_store_put() or row_store_deny()
 *	capture: row_store_version() has grown -> row_store_find() -> ROWS_HERE
 *
 * A table is a single page of a module or all of it. None is freed or changed
 * while the store lives, so that the walk may use them without the lock.
 * Memory is bounded: from ROW_STORE_WHOLE_MAX bytes on only single pages are
 * worth it (row_store_has_room()), and beyond ROW_STORE_MAX whatever is not
 * here is as good as missing: such code goes by frame pointers and counts as
 * guessed.
 */
#ifndef APP_ROW_STORE_H
#define APP_ROW_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile.h"
#include "core/rows.h"
#include "sampler/unwind/unwind.h"

#define ROW_STORE_MAX ((size_t)256 << 20)
#define ROW_STORE_WHOLE_MAX ((size_t)192 << 20)
#define ROW_STORE_SMALL (60u << 10)	/* a table of so many bytes is copied */

/* Which table: of one page of a module's file, or of all that it has. */
struct row_wish {
	module_id module;
	bool is_full, is_whole;
	uint32_t page;		/* in ROWS_PAGE; not if it is whole */
};

struct row_store;

/* WAKE is an eventfd (borrowed) that is rung when something was put in. */
struct row_store *row_store_new(int wake);
void row_store_free(struct row_store *store);

/* --- the capture thread's side */

/* As struct row_source wants it; *OUT is good until row_store_free(). */
enum rows_state row_store_find(struct row_store *store, module_id module,
			       uint64_t offset, bool is_full, struct rows *out);

/* Grows with each table that came or will not come. */
uint64_t row_store_version(struct row_store *store);

/* --- the tables thread's side */

/* Polls readable when there are wishes. */
int row_store_fd(const struct row_store *store);

/* The next wish, in the order they came up; each comes once. */
bool row_store_next(struct row_store *store, struct row_wish *out);

/* Is there memory for tables of whole modules? */
bool row_store_has_room(struct row_store *store);

/*
 * The table for WISH: LEN bytes, copied; or sealed memory FD (borrowed), kept
 * mapped. False if these are no such table, which is no accident.
 */
bool row_store_put(struct row_store *store, const struct row_wish *wish,
		   const void *bytes, size_t len);
bool row_store_map(struct row_store *store, const struct row_wish *wish,
		   int fd);

/* There is no table for WISH, nor will be. */
void row_store_deny(struct row_store *store, const struct row_wish *wish);

/* MODULE has the code of OTHER: its tables are the other's from now on. */
void row_store_share(struct row_store *store, module_id module,
		     module_id other);

/* Nothing is put in any more: what is not here is missing. */
void row_store_close(struct row_store *store);

#endif
