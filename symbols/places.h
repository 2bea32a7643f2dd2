/* SPDX-License-Identifier: MIT */
/*
 * places.h - where in the source an address is, with what was inlined there.
 *
 * Expensive: the debug sections are read, and unpacked where they are
 * compressed, when this is opened; a unit's entries and its line table are
 * gone over when an address in it is asked for.
 */
#ifndef SYMBOLS_PLACES_H
#define SYMBOLS_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "core/names.h"
#include "symbols/elf.h"

#define PLACES_DEPTH_MAX 256

struct places;

/*
 * Read the units of ELF, which has to outlive the result. COMMON is the file
 * that it shares entries with (also has to live on), or NULL. *OUT is new.
 */
bool places_open(const struct elf *elf, const struct elf *common,
		 struct places **out, struct error *err);
void places_free(struct places *places);

/*
 * The functions that execute at VADDR: the one that is called first, then what
 * is inlined there, outermost first. Each one has the place in its source: of
 * the call to the next one, or of the instruction itself. What is not known is
 * "" and 0. Texts are borrowed, valid until places_free(). Returns how many, 0
 * when nothing is known.
 */
size_t places_find(struct places *places, uint64_t vaddr,
		   struct symbol_place out[PLACES_DEPTH_MAX]);

uint64_t places_bytes(const struct places *places);	/* memory in use */

/* What could not be read so far, or NULL; borrowed. */
const char *places_trouble(const struct places *places);

#endif
