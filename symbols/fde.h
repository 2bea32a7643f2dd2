/* SPDX-License-Identifier: MIT */
/*
 * fde.h - where functions begin and end, from their unwind entries.
 *
 * A stripped file still says in .eh_frame which range each function has. That
 * bounds symbols without a size and tells nameless functions apart.
 */
#ifndef SYMBOLS_FDE_H
#define SYMBOLS_FDE_H

#include "symbols/elf.h"
#include "symbols/ranges.h"

/* Virtual addresses, all with the name ""; the caller frees. Never NULL. */
struct ranges *fde_ranges(const struct elf *elf);

#endif
