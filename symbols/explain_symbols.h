/* SPDX-License-Identifier: MIT */
/*
 * explain_symbols.h - the symbols that an address might have been named by.
 *
 * Inside of explain.h: its second half.
 */
#ifndef SYMBOLS_EXPLAIN_SYMBOLS_H
#define SYMBOLS_EXPLAIN_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "core/reader.h"
#include "symbols/elf.h"

/* What it was named in the end. */
struct explain_answer {
	const char *name;	/* "": an entry without one; NULL: nothing */
	uint64_t start;		/* virtual address */
};

/*
 * One line to OUT for each symbol of ELF and DEBUG (may be NULL) that covers
 * VADDR or, without a size, is the next one before it; and in WHY (SIZE bytes)
 * the clause that says by which rule of symbols/symtab.h it became ANSWER.
 */
void explain_symbols(const struct elf *elf, const struct elf *debug,
		     uint64_t vaddr, const struct explain_answer *answer,
		     struct writer *out, char *why, size_t size);

/* One line of an explanation, made clean text (core/sanitise.h); what does not
   fit EXPLAIN_MAX is left out. */
void explain_line(struct writer *out, const char *word, const char *format,
		  ...) __attribute__((format(printf, 3, 4)));

#endif
