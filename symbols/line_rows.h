/* SPDX-License-Identifier: MIT */
/*
 * line_rows.h - the line table of a unit: addresses to source lines.
 *
 * A line table is a program that prints rows (address, file, line); it is run
 * once and its rows are kept, sorted. DWARF 2 to 5.
 */
#ifndef SYMBOLS_LINE_ROWS_H
#define SYMBOLS_LINE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/dwarf.h"

struct line_rows;

/* Of UNIT, whose file has to outlive it. The caller frees. Never NULL. */
struct line_rows *line_rows_new(struct dwarf_unit *unit);
void line_rows_free(struct line_rows *rows);

/*
 * File number and line of VADDR; false where the table has none. Line 0 is code
 * that the compiler could tell no line for.
 */
bool line_rows_find(const struct line_rows *rows, uint64_t vaddr,
		    uint32_t *file, uint32_t *line);

/*
 * Where file number FILE lies, put together in OUT: absolute if the table
 * says so. "" for a number that is none.
 */
void line_rows_path(const struct line_rows *rows, uint32_t file, char *out,
		    size_t size);

size_t line_rows_bytes(const struct line_rows *rows);	/* memory in use */

#endif
