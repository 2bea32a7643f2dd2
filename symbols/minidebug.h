/* SPDX-License-Identifier: MIT */
/*
 * minidebug.h - the symbols that a stripped file carries along.
 *
 * Fedora and its like keep the names of functions that .dynsym lacks in
 * .gnu_debugdata: a whole ELF file, compressed with xz.
 */
#ifndef SYMBOLS_MINIDEBUG_H
#define SYMBOLS_MINIDEBUG_H

#include <stdbool.h>

#include "core/base.h"
#include "symbols/elf.h"

/* Most bytes of the file, unpacked. */
#define MINIDEBUG_MAX ((size_t)64 << 20)

bool minidebug_exists(const struct elf *elf);

/* On success *OUT is the file inside, freed with elf_free(). */
bool minidebug_open(const struct elf *elf, struct elf **out,
		    struct error *err);

#endif
