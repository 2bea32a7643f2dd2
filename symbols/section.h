/* SPDX-License-Identifier: MIT */
/*
 * section.h - the bytes of a section, unpacked.
 *
 * Debug sections may be compressed: SHF_COMPRESSED with zlib or zstd, or the
 * old way, where ".zdebug_info" holds "ZLIB", the size and a zlib stream. What
 * a header claims is checked before memory is taken for it.
 */
#ifndef SYMBOLS_SECTION_H
#define SYMBOLS_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "symbols/elf.h"

/* Most bytes of one section, unpacked. */
#define SECTION_UNPACKED_MAX ((uint64_t)1 << 30)

/* ".debug_X", or else ".zdebug_X"; NULL when ELF has neither. */
const Elf64_Shdr *section_find(const struct elf *elf, const char *name);

/* Has SECTION to be unpacked? */
bool section_is_packed(const struct elf *elf, const Elf64_Shdr *section);

/*
 * Its size, unpacked; not more than MAX, and no more than its compression
 * could make of the bytes that are there. Reads no more than a header.
 */
bool section_size(const struct elf *elf, const Elf64_Shdr *section,
		  uint64_t max, uint64_t *size, struct error *err);

/*
 * All of it, at most MAX bytes, and a NUL behind. On success the caller frees
 * *BYTES.
 */
bool section_load(const struct elf *elf, const Elf64_Shdr *section,
		  uint64_t max, uint8_t **bytes, uint64_t *size,
		  struct error *err);

#endif
