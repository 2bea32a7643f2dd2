/* SPDX-License-Identifier: MIT */
/*
 * pclntab.h - functions of a Go program, from the table its runtime uses.
 *
 * Go needs this table at run time, so no stripping takes it away: names,
 * source lines, what was inlined where, and how far rsp is from where it was
 * at the call. Four layouts are read, those of Go 1.2, 1.16, 1.18 and 1.20
 * (src/internal/abi/symtab.go, src/runtime/symtab.go, debug/gosym).
 *
 *	header -> functions, sorted by address: start, place of a record
 *	record -> name; tables of (delta of value, delta of pc), one each for
 *	          rsp, file, line and place in the inline tree
 *
 * All addresses are virtual ones of the file. Every number comes from the
 * file and is bounded by the table or by the function it belongs to.
 */
#ifndef SYMBOLS_PCLNTAB_H
#define SYMBOLS_PCLNTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "core/reader.h"
#include "symbols/elf.h"

#define GO_TOP_FRAME 1		/* flag: nothing calls it */
#define GO_INLINES_MAX 64	/* deepest nesting that is told */

struct pclntab;

/* One function. Plain value; NAME is borrowed from the table. */
struct go_func {
	uint64_t start, end;
	const char *name;		/* as the linker has it */
	uint32_t pcsp, pcfile, pcln;	/* 0: has none */
	uint32_t pcinline;		/* 0: nothing is inlined */
	uint32_t unit;			/* first of its files */
	uint32_t inlines;		/* of the tree; UINT32_MAX: none */
	uint8_t flags;
};

/*
 * Find the table of ELF (borrowed while the result lives): by its section,
 * or without section headers by its first bytes. *OUT is freed with
 * pclntab_free(); it is NULL if the file has none. False: it has one that
 * cannot be read.
 */
bool pclntab_open(const struct elf *elf, struct pclntab **out,
		  struct error *err);

/*
 * The same for LEN bytes at VADDR, taken (malloc) even on failure. TEXT is
 * where code begins if the table itself does not know; without ELF (NULL)
 * nothing is known of what was inlined.
 */
bool pclntab_parse(const struct elf *elf, uint8_t *bytes, size_t len,
		   uint64_t vaddr, uint64_t text, struct pclntab **out,
		   struct error *err);
void pclntab_free(struct pclntab *tab);

size_t pclntab_count(const struct pclntab *tab);

/* Function I in order of address; false if its record is damaged. */
bool pclntab_at(const struct pclntab *tab, size_t i, struct go_func *out);

/* The function that holds VADDR. */
bool pclntab_find(const struct pclntab *tab, uint64_t vaddr,
		  struct go_func *out);

/* Where in the source VADDR is. FILE is borrowed from the table. */
bool pclntab_line(const struct pclntab *tab, uint64_t vaddr,
		  const char **file, uint32_t *line);

/*
 * One function that was inlined at VADDR or, last, the one that holds all of
 * them: name, and the place in it (file NULL if that is not known). Strings
 * are borrowed from the table.
 */
struct go_inline {
	const char *name;
	const char *file;
	uint32_t line;
};

/* What VADDR belongs to, innermost first; returns how many, 0 for none. */
size_t pclntab_inlines(const struct pclntab *tab, uint64_t vaddr,
		       struct go_inline *out, size_t max);

/* Undo the linker's %2e for "." (and the like) in a path, in place. */
void go_unescape(char *name);

/* A table of values by address, opened at TABLE of a function. */
struct pc_values {
	struct reader r;
	uint64_t pc, end, quantum;
	int32_t last;
	/* After a step: VALUE holds in [FROM, TO). */
	uint64_t from, to;
	int32_t value;
};

/* How far rsp is from the return address at VADDR, in FUNC. */
bool pclntab_depth(const struct pclntab *tab, const struct go_func *func,
		   uint64_t vaddr, int32_t *depth);

/* The number of the first function that ends behind VADDR. */
size_t pclntab_number(const struct pclntab *tab, uint64_t vaddr);

void pc_values_open(const struct pclntab *tab, const struct go_func *func,
		    uint32_t table, struct pc_values *out);
bool pc_values_next(struct pc_values *values);

#endif
