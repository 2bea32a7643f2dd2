/* SPDX-License-Identifier: MIT */
/*
 * cfi_index.h - the FDEs of a module by address.
 *
 * Linkers leave them in any order. .eh_frame_hdr has them sorted, where there
 * is one that can be believed; else they are sorted here (static glibc and
 * musl programs have none). Code that .eh_frame says nothing of may have an
 * FDE in .debug_frame, packed or not, of the module or of its separate debug
 * file.
 */
#ifndef SYMBOLS_CFI_INDEX_H
#define SYMBOLS_CFI_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "symbols/cfi_entry.h"
#include "symbols/elf.h"

/* Entries are sorted and do not overlap: a later start ends an earlier one. */
struct cfi_entry {
	uint64_t start;		/* virtual address */
	uint32_t len;		/* never 0 */
	uint32_t at;		/* offset of the FDE << 1 | is .debug_frame */
};

struct cfi_index {
	struct cfi_entry *entries;
	size_t n, capacity;
	struct cfi_section eh, debug;
	struct cfi_cies cies;
	uint8_t *eh_bytes, *debug_bytes;	/* owned */
	size_t nbad;		/* FDEs that were not understood */
	bool has_header;	/* .eh_frame_hdr was used */
};

/*
 * Read the sections of ELF, and .debug_frame of DEBUG (may be NULL) if ELF
 * has none. No section at all is an index without entries.
 */
void cfi_index_init(struct cfi_index *index, const struct elf *elf,
		    const struct elf *debug);
void cfi_index_fini(struct cfi_index *index);

/* The number of the last entry that starts at or before VADDR; N: none. */
size_t cfi_index_find(const struct cfi_index *index, uint64_t vaddr);

/* The FDE of ENTRY; FDE->len is that of the entry. */
bool cfi_index_read(struct cfi_index *index, const struct cfi_entry *entry,
		    struct cfi_fde *fde);

#endif
