/* SPDX-License-Identifier: MIT */
/*
 * calls.h - the functions of a unit and what was inlined into them.
 *
 *	main 1000-1080 ---- parse 1010-1040 (called in line 7)
 *	                        `-- next 1020-1028 (called in line 31)
 *
 * At 1024 the code of next runs, inlined into parse, inlined into main. Made
 * in one pass over the entries of the unit, then a few binary searches.
 */
#ifndef SYMBOLS_CALLS_H
#define SYMBOLS_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/dwarf.h"

#define CALLS_DEPTH_MAX 256

struct calls;

/* A function that is executing. */
struct call {
	/* The entry that has its name, see dwarf_name.h. */
	struct dwarf *file;
	uint64_t origin;
	/* Where it was inlined: numbers of the unit's line table; 0: nothing
	   is known, or it is no inlined one. */
	uint32_t call_file, call_line;
};

/* The caller frees. Never NULL. */
struct calls *calls_new(struct dwarf_unit *unit);
void calls_free(struct calls *calls);

/*
 * What executes at VADDR, the function itself first, then what is inlined
 * there, the innermost last. At most CALLS_DEPTH_MAX; 0 outside functions.
 */
size_t calls_find(const struct calls *calls, uint64_t vaddr,
		  struct call out[CALLS_DEPTH_MAX]);

size_t calls_bytes(const struct calls *calls);	/* memory in use */

#endif
