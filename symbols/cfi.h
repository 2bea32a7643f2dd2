/* SPDX-License-Identifier: MIT */
/*
 * cfi.h - call frame information of a file to tables of unwind rules.
 *
 * Reads .eh_frame and .debug_frame as they are in the file and says for each
 * byte of its code what core/rows.h can say of it:
 *
 *	an FDE covers it	its row there, compact or in full
 *	at most 15 bytes	what held before: padding, and what hand-written
 *	 behind an FDE		code leaves out. Not if that was RULE_END,
 *				_SIGNAL or _PLT, which claim something of their
 *				code alone, nor where a section begins (crt's
 *				.init and .fini): RULE_NONE
 *	a stub of the PLT or	what their bytes prove (symbols/cfi_holes.h)
 *	 of sigreturn
 *	a hole of 64 KiB or	RULE_FP if the functions in it begin by keeping
 *	 more, or any where	a frame pointer
 *	 FDEs cover less than
 *	 half of the code
 *	another hole		RULE_NONE
 *	not understood		RULE_NONE, and counted
 *
 * Go code has rules of its own (symbols/go_rows.h), which say more than the
 * entries that its linker leaves in .debug_frame.
 *
 * Rows are keyed by the offset in the file; each executable PT_LOAD has a bias
 * of its own, and an FDE of code that is in none is not used.
 *
 * Only files for x86-64 have rules.
 */
#ifndef SYMBOLS_CFI_H
#define SYMBOLS_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base.h"
#include "core/reader.h"
#include "symbols/elf.h"
#include "symbols/go_rows.h"

struct cfi_file;

/* What was found, and what not all of it could be said. */
struct cfi_counts {
	uint64_t fdes;
	uint64_t bad_fdes;	/* not understood at all */
	uint64_t covered, code;	/* bytes with an FDE; bytes of code */
	bool has_header;	/* .eh_frame_hdr gave the order */
	bool has_debug;		/* there is a .debug_frame, too */
	/* Of the tables that were built: rows that became RULE_NONE. */
	uint64_t bad_programs;	/* an instruction was not understood */
	uint64_t bad_rows;	/* no CFA, or no return address, or a program
				   that cannot be said */
	uint64_t dropped_rows;	/* no room in the table */
};

/*
 * Index the FDEs of ELF, and those of DEBUG's .debug_frame (may be NULL) if
 * ELF has no such section; GO are the rules of its Go code, or NULL. All are
 * borrowed for as long as *OUT lives, which the caller frees. On failure *OUT
 * is untouched: there is no code in ELF.
 */
bool cfi_file_open(const struct elf *elf, const struct elf *debug,
		   const struct go_rows *go, struct cfi_file **out,
		   struct error *err);
void cfi_file_free(struct cfi_file *cfi);

/* The pages of the file (ROWS_PAGE) that all its code is on. */
void cfi_file_pages(const struct cfi_file *cfi, uint32_t *first,
		    uint32_t *pages);

/*
 * Append to OUT a table (core/rows.h) of PAGES pages from FIRST on. Decodes
 * the FDEs that touch these pages, and no others.
 */
void cfi_file_build(struct cfi_file *cfi, uint32_t first, uint32_t pages,
		    bool is_full, struct writer *out);

void cfi_file_counts(const struct cfi_file *cfi, struct cfi_counts *out);

#endif
