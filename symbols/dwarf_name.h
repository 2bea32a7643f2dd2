/* SPDX-License-Identifier: MIT */
/*
 * dwarf_name.h - what the function of an entry is called.
 */
#ifndef SYMBOLS_DWARF_NAME_H
#define SYMBOLS_DWARF_NAME_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/dwarf.h"

#define DWARF_NAME_SIZE 4096

/*
 * The name of the function of the entry at OFFSET of FILE as the linker knows
 * it (still mangled); "" if it has none. What the linker does not know, as a
 * lambda's operator(), gets the names of what it lies in:
 * "main::{lambda}::operator()".
 */
void dwarf_name(struct dwarf *file, uint64_t offset,
		char out[DWARF_NAME_SIZE]);

#endif
