/* SPDX-License-Identifier: MIT */
/*
 * cfi_program.h - the instructions of an FDE, run row by row.
 *
 *	struct cfi_run run;
 *	cfi_run_begin(&run, &fde);
 *	while (cfi_run_next(&run))
 *		... run.row holds for [run.from, run.to) ...
 *
 * A row is a full rule whose programs are not compiled yet: COLUMN_AT_CODE
 * and COLUMN_IS_CODE have in .value the offset of the expression in the
 * section and in .ops how many bytes it has. All instructions of DWARF 5,
 * 6.4.2, and of GNU that mean something on x86-64 are understood. At one that
 * is not the rows end, before the FDE does, and is_bad tells.
 */
#ifndef SYMBOLS_CFI_PROGRAM_H
#define SYMBOLS_CFI_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/reader.h"
#include "core/rows.h"
#include "symbols/cfi_entry.h"

/* In a row: a rule that cannot be expressed, or that nobody gave. */
#define COLUMN_UNSAID COLUMN_HOWS

/* Rows that may be remembered at a time; compilers need two. */
#define CFI_DEPTH 16

struct cfi_run {
	struct cfi_cie *cie;	/* borrowed from the FDE */
	struct reader r;
	uint64_t from, to;	/* of ROW; virtual addresses */
	uint64_t end;		/* of the FDE */
	struct full_rule row;
	bool is_bad;		/* an instruction was not understood */
	unsigned depth;
	struct full_rule remembered[CFI_DEPTH];
};

void cfi_run_begin(struct cfi_run *run, const struct cfi_fde *fde);

/* The next row that has any code. False: there is no more. */
bool cfi_run_next(struct cfi_run *run);

#endif
