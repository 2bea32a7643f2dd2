/* SPDX-License-Identifier: MIT */
/*
 * local_rows.h - tables of unwind rules made in this very process.
 *
 * What the program gets from its symbols process, for tests of a sampler or
 * of the unwinder alone: the builder of symbols/ runs on the file of each
 * mapping when it is first asked for. So no walk ever waits.
 */
#ifndef TESTS_ORACLE_LOCAL_ROWS_H
#define TESTS_ORACLE_LOCAL_ROWS_H

#include <stdbool.h>

#include "sampler/unwind/unwind.h"

struct local_rows;

struct local_rows_config {
	bool by_page;		/* a table for each page that is asked for,
				   not one for the whole file */
	bool is_stripped;	/* of a copy of the file without symbols */
};

struct local_rows *local_rows_new(const struct local_rows_config *config);
void local_rows_free(struct local_rows *rows);

/* Borrows ROWS. */
struct row_source local_rows_source(struct local_rows *rows);

#endif
