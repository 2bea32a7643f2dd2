/* SPDX-License-Identifier: MIT */
/*
 * relocs.h - words of a position-independent file as the loader leaves them.
 *
 * A word that holds an address may be zero in such a file; its value is then
 * in a R_X86_64_RELATIVE entry beside it (psABI 4.4.1). Of the others, which
 * need symbols, none is looked at.
 */
#ifndef SYMBOLS_RELOCS_H
#define SYMBOLS_RELOCS_H

#include "symbols/elf.h"

struct relocs;

/* Those of ELF; NULL if it has none, or they cannot be read. */
struct relocs *relocs_open(const struct elf *elf);
void relocs_free(struct relocs *relocs);

/* Put words into BYTES, which are LEN bytes at VADDR. RELOCS may be NULL. */
void relocs_apply(const struct relocs *relocs, uint64_t vaddr, uint8_t *bytes,
		  size_t len);

/*
 * The first word at or behind VADDR that will hold VALUE; UINT64_MAX if there
 * is none.
 */
uint64_t relocs_find(const struct relocs *relocs, uint64_t vaddr,
		     uint64_t value);

#endif
