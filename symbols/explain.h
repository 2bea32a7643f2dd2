/* SPDX-License-Identifier: MIT */
/*
 * explain.h - how an address got its name and its unwind rule, in words.
 *
 *	file      offset 0x11c9, virtual address 0x11c9, build id 37ac5fb7
 *	symbol    .symtab 0x11c0-0x11e0 global function fifty
 *	name      fifty, from 0x11c0 on: the only symbol that covers it
 *	entry     .eh_frame 0x11c0-0x11e0
 *	line      target.h:25
 *	rule      CFA = rsp + 8, return address at CFA-8
 *	in full   CFA = rsp + 8, return address at CFA-8; unchanged: rbx rbp
 *	from      .eh_frame
 *
 * Reads the tables anew for this one address: for a person who doubts, not
 * for the screen.
 */
#ifndef SYMBOLS_EXPLAIN_H
#define SYMBOLS_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/reader.h"
#include "symbols/symbols.h"

/* Most bytes of one explanation. */
#define EXPLAIN_MAX 32768

/*
 * Append to OUT what is known of AT in MODULE of SYMBOLS: a virtual address of
 * an ELF file if IS_VADDR, else the measure of frame.offset. Lines of a word
 * and a text, cleaned, each with a newline; no NUL.
 */
void explain_code(struct symbols *symbols, uint32_t module, uint64_t at,
		  bool is_vaddr, struct writer *out);

#endif
