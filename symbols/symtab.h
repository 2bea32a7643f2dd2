/* SPDX-License-Identifier: MIT */
/*
 * symtab.h - the functions of ELF files as ranges, by a fixed choice.
 *
 * At an address where several symbols lie, the same one must win in every
 * run and every build, and it should be the one a person would say:
 *
 *  1. functions (and IFUNCs) with a size, then those without, then labels
 *     without a type (assembler code);
 *  2. global, then weak, then local;
 *  3. the better alias (symbols/alias.h).
 *
 * A symbol covers what its size says, inside its section. One that lies in
 * another's range rules there: the inner one is named. A symbol without size
 * covers what is left up to the next symbol, the end of its section or the
 * bounds of an unwind entry, and nothing inside a sized function. What then
 * is not covered is a gap and stays nameless: no neighbour is stretched.
 *
 * Never used: undefined, absolute, section, file and TLS symbols, data,
 * mapping symbols and other markers.
 */
#ifndef SYMBOLS_SYMTAB_H
#define SYMBOLS_SYMTAB_H

#include "symbols/elf.h"
#include "symbols/ranges.h"

/* Most symbols taken from one table. */
#define SYMTAB_MAX ((size_t)8 << 20)

/*
 * Functions of ELF, from its own .symtab or else DEBUG's (which may be NULL),
 * with its .dynsym and PLT, by virtual address. ENTRIES are its unwind
 * entries. The caller frees. Names may still carry "@VERSION". Never NULL;
 * when something could not be read, what there is, and *ERR says it.
 */
struct ranges *symtab_ranges(const struct elf *elf, const struct elf *debug,
			     const struct ranges *entries, struct error *err);

#endif
