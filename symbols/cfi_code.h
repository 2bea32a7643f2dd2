/* SPDX-License-Identifier: MIT */
/*
 * cfi_code.h - where in a file its code is.
 */
#ifndef SYMBOLS_CFI_CODE_H
#define SYMBOLS_CFI_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf.h"
#include "symbols/go_rows.h"

/*
 * An executable PT_LOAD, from its first section of code to its last one; Go
 * code in it stands for itself. Those of a file are sorted and do not overlap.
 */
struct cfi_code {
	uint64_t from, to;	/* offsets in the file */
	uint64_t bias;		/* virtual address - offset */
	bool is_go;
};

/* All *N of ELF; GO is its Go code or NULL. The caller frees. */
struct cfi_code *cfi_codes(const struct elf *elf, const struct go_rows *go,
			   size_t *n);

/* Bytes of code in CODES, without the data that lies between. */
uint64_t cfi_code_size(const struct elf *elf, const struct cfi_code *codes,
		       size_t n);

/* Offsets at which the *N sections of code begin, sorted; the caller frees. */
uint64_t *cfi_section_starts(const struct elf *elf, size_t *n);

#endif
