/* SPDX-License-Identifier: MIT */
/*
 * go_sites.h - who calls runtime.systemstack, and with what.
 *
 *	lea	f(%rip), %rax		code of f, or a word that holds it
 *	mov	%rax, (%rsp)
 *	call	runtime.systemstack
 *
 * The function is run on the thread's own stack, where nothing tells of the
 * one that asked for it. But most are written down where they are given away
 * (func literals), so f alone says which call it was.
 */
#ifndef SYMBOLS_GO_SITES_H
#define SYMBOLS_GO_SITES_H

#include "symbols/elf.h"
#include "symbols/pclntab.h"
#include "symbols/rows_write.h"

/*
 * Say to W all calls of the function at SYSTEMSTACK in the code of the
 * runtime. TO_OFFSET added to a virtual address is its offset in the file.
 */
void go_sites_say(const struct pclntab *tab, const struct elf *elf,
		  uint64_t systemstack, uint64_t to_offset,
		  struct rows_writer *w);

#endif
