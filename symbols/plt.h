/* SPDX-License-Identifier: MIT */
/*
 * plt.h - names of the stubs that calls into other modules go through.
 *
 * A stub has no symbol: it jumps through a cell of the GOT, and a relocation
 * says whose address belongs into that cell. x86-64 only.
 */
#ifndef SYMBOLS_PLT_H
#define SYMBOLS_PLT_H

#include "symbols/elf.h"
#include "symbols/ranges.h"

/* Is VADDR in a section of stubs? */
bool plt_covers(const struct elf *elf, uint64_t vaddr);

/*
 * All stubs as "NAME@plt"; the caller frees. FUNCTIONS name the stubs of
 * IFUNCs, whose relocations have no symbol. Never NULL.
 */
struct ranges *plt_ranges(const struct elf *elf,
			  const struct ranges *functions);

#endif
