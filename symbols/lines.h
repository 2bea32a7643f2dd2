/* SPDX-License-Identifier: MIT */
/*
 * lines.h - source file and line of an address, from .debug_line.
 *
 * Expensive: the debug sections are read, and inflated where they are
 * compressed, when this is opened; a unit's line table is decoded when an
 * address in it is asked for.
 */
#ifndef SYMBOLS_LINES_H
#define SYMBOLS_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base.h"
#include "symbols/elf.h"

/* Most bytes of debug sections, inflated. */
#define LINES_MAX ((uint64_t)512 << 20)

struct lines;

/* Does ELF have line tables at all? Reads nothing. */
bool lines_exist(const struct elf *elf);

/* On success *OUT is new; ELF is not needed any more. */
bool lines_open(const struct elf *elf, struct lines **out, struct error *err);
void lines_free(struct lines *lines);

/* FILE is borrowed, valid until the next call. */
bool lines_find(struct lines *lines, uint64_t vaddr, const char **file,
		uint32_t *line);

#endif
